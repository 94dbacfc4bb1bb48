/* The case tree as a drawing that can be walked by keys and pointer. In: a region's tree of
   tree.json; out: an SVG that lights paths, opens and closes. A fork stands in the row of the
   branch on which its condition holds; the other branch is below. */

const BOX = { width: 214, height: 40, gapX: 36, gapY: 10 };

/* Forks and ends as objects with parents, numbered as the engine numbers its steps. */
function treeItems(region) {
    const items = [];
    const safe = region.variants.find((v) => v.safe);
    function add(node, parent, side) {
        const isFork = Boolean(node && node.constraint);
        const item = {
            node, parent, side, isFork, number: items.length, depth: parent ? parent.depth + 1 : 0,
            open: true, leaf: isFork ? 0 : node ? node.variant : safe.id, children: [],
        };
        items.push(item);
        if (isFork) {
            item.children = [add(node.accept, item, "accept"), add(node.refuse, item, "refuse")];
        }
        return item;
    }
    add(region.tree, null, "");
    return items;
}

class TreeView {
    constructor(holder, region, show) {
        this.holder = holder;
        this.region = region;
        this.show = show;
        this.items = treeItems(region);
        this.scale = 1;
        this.focused = this.items[0];
        this.path = [];
        this.layOut();
    }

    /* The items that are seen, in the order of the drawing. */
    seen() {
        const list = [];
        const visit = (item) => {
            list.push(item);
            if (item.open) {
                item.children.forEach(visit);
            }
        };
        visit(this.items[0]);
        return list;
    }

    layOut() {
        let rows = 0;
        const place = (item) => {
            item.x = 10 + item.depth * (BOX.width + BOX.gapX);
            if (item.open && item.children.length) {
                item.children.forEach(place);
                item.y = item.children[0].y;
            } else {
                item.y = 10 + rows++ * (BOX.height + BOX.gapY);
            }
        };
        place(this.items[0]);
        const seen = this.seen();
        this.width = Math.max(...seen.map((item) => item.x)) + BOX.width + 20;
        this.height = 20 + rows * (BOX.height + BOX.gapY);
        this.svg = draw("svg", {
            role: "tree", "aria-label": `Case tree of ${this.region.name}`,
            viewBox: `0 0 ${this.width} ${this.height}`, keydown: (event) => this.key(event),
        });
        this.edges = new Map();
        seen.filter((item) => item.parent).forEach((item) => this.svg.append(this.edge(item)));
        seen.forEach((item) => this.svg.append(this.box(item)));
        this.holder.replaceChildren(this.svg);
        this.zoom(this.scale);
        this.light(this.path);
    }

    edge(item) {
        const x1 = item.parent.x + BOX.width, y1 = item.parent.y + BOX.height / 2;
        const x2 = item.x, y2 = item.y + BOX.height / 2, middle = (x1 + x2) / 2;
        const line = draw("path", {
            d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`,
        });
        const label = draw("text", { class: "small", x: x2 - 26, y: y2 - 5 },
            item.side === "accept" ? "yes" : "no");
        this.edges.set(item, line);
        return draw("g", { "aria-hidden": "true" }, line, label);
    }

    box(item) {
        const variant = this.region.variants.find((v) => v.id === item.leaf);
        const title = item.isFork ? item.node.constraint
            : `leaf ${item.leaf}${variant.safe ? " (safe)" : ""}`;
        const second = item.isFork ? named(item.node.counter ?? "")
            : (variant.strategies ?? []).map((s) => s.name ?? s).join(", ");
        const closed = item.isFork && !item.open ? " +" : "";
        const group = draw("g", {
            role: "treeitem", class: item.isFork ? "fork" : "leaf", tabindex: -1,
            "aria-level": item.depth + 1, "aria-expanded": item.isFork ? String(item.open) : null,
            "aria-label": item.isFork ? `Is ${title}?` : `${title}: ${second}`,
            transform: `translate(${item.x} ${item.y})`,
            click: () => this.choose(item), dblclick: () => this.toggle(item),
        }, draw("rect", { width: BOX.width, height: BOX.height, rx: item.isFork ? 4 : 14 }),
        draw("text", { x: 10, y: 17 }, clipped(title, 25) + closed),
        draw("text", { x: 10, y: 33, class: "small" }, clipped(second, 30)),
        draw("title", {}, `${title}\n${second}`));
        item.group = group;
        return group;
    }

    zoom(scale) {
        this.scale = Math.min(4, Math.max(0.05, scale));
        this.svg.setAttribute("width", this.width * this.scale);
        this.svg.setAttribute("height", this.height * this.scale);
    }

    fit() {
        this.zoom(Math.min(1, (this.holder.clientWidth - 4) / this.width));
    }

    /* As large as the width allows, though not too small to read; the root is in sight. */
    begin() {
        const scale = (this.holder.clientWidth - 4) / this.width;
        this.zoom(Math.max(0.74, Math.min(1, scale)));
        this.holder.scrollTo({ left: 0, top: Math.max(0, this.items[0].y * this.scale - 60) });
    }

    /* The items from the root to the end of a path, which is given by what held. */
    pathOf(steps) {
        const path = [this.items[0]];
        for (const step of steps) {
            path.push(path[path.length - 1].children[step.holds ? 0 : 1]);
        }
        return path;
    }

    light(path) {
        const mark = (item, on) => {
            item.group?.classList.toggle("lit", on);
            this.edges.get(item)?.classList.toggle("lit", on);
        };
        this.path.forEach((item) => mark(item, false));
        this.path = path;
        path.forEach((item) => mark(item, true));
        this.focusable(this.focused);
    }

    /* One item takes the Tab key, as in any list. */
    focusable(item) {
        this.focused?.group?.setAttribute("tabindex", -1);
        this.focused = item;
        item.group?.setAttribute("tabindex", 0);
    }

    choose(item) {
        this.chosen?.group?.classList.remove("chosen");
        this.chosen = item;
        item.group.classList.add("chosen");
        this.focusable(item);
        this.show(item);
    }

    toggle(item) {
        if (item.isFork) {
            this.setOpen([item], !item.open);
        }
    }

    setOpen(items, open) {
        items.forEach((item) => {
            item.open = open;
        });
        this.layOut();
        const seen = this.seen();
        this.focusable(seen.includes(this.focused) ? this.focused : seen[0]);
        this.chosen?.group?.classList.add("chosen");
    }

    openAll() {
        this.setOpen(this.items, true);
    }

    pathOnly() {
        this.items.forEach((item) => {
            item.open = this.path.includes(item);
        });
        this.setOpen([], true);
    }

    move(item) {
        if (item) {
            this.focusable(item);
            item.group.focus();
        }
    }

    key(event) {
        const seen = this.seen(), at = seen.indexOf(this.focused);
        const actions = {
            ArrowDown: () => this.move(seen[at + 1]),
            ArrowUp: () => this.move(seen[at - 1]),
            ArrowRight: () => this.move(this.focused.open ? this.focused.children[0] : null),
            ArrowLeft: () => this.move(this.focused.parent),
            Home: () => this.move(seen[0]),
            End: () => this.move(seen[seen.length - 1]),
            Enter: () => this.choose(this.focused),
            " ": () => {
                this.toggle(this.focused);
                this.focused.group.focus();
            },
        };
        if (actions[event.key]) {
            event.preventDefault();
            actions[event.key]();
        }
    }
}

function clipped(text, most) {
    return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
