/* The page: unpacks what it was given, and keeps the views and the point together. */

const VIEWS = { tree: "Tree and code", roofline: "Roofline", compare: "Compare",
    map: "Map of leaves", cells: "Exact areas", matrix: "Machines and sizes", tuning: "Tuning" };

class Page {
    constructor(data, engine) {
        this.data = data;
        Object.entries(data.words).forEach(([name, text]) => NAMES.set(name, text));
        this.point = new Point(data, engine, (fields) => this.changed(fields));
        this.map = new MapView($("view-map"), this.point);
        this.code = new CodeView($("code"), data);
        this.compare = new CompareView($("view-compare"), this);
        this.point.restore(location.hash);
        this.menus();
        this.regionShow();
        this.viewShow("tree");
    }

    menus() {
        const { point } = this;
        const machines = () => $("machine").replaceChildren(...point.machines.map((m, i) =>
            make("option", { value: i, selected: i === point.machineNumber }, m.name)));
        machines();
        $("machine").addEventListener("change", (event) => {
            point.setMachine(Number(event.target.value));
            this.changed(true);
        });
        $("machine-file").addEventListener("change", async (event) => {
            try {
                point.addMachine(JSON.parse(await event.target.files[0].text()));
                machines();
                this.changed(true);
            } catch (error) {
                this.fail(`This is no machine file: ${error.message}`);
            }
        });
        $("devices").replaceChildren(...Array.from({ length: DEVICES_MOST }, (_, i) =>
            make("option", { value: i + 1, selected: i + 1 === point.devices }, i + 1)));
        $("devices").addEventListener("change", (event) => {
            point.devices = Number(event.target.value);
            this.changed();
        });
        $("region").replaceChildren(...this.data.tree.regions.map((r, i) =>
            make("option", { value: i, selected: i === point.number }, r.name)));
        $("region-field").hidden = this.data.tree.regions.length < 2;
        $("region").addEventListener("change", (event) => {
            point.open(Number(event.target.value));
            this.regionShow();
        });
        $("theme").addEventListener("click", () => {
            const root = document.documentElement;
            const isDark = root.dataset.theme ? root.dataset.theme === "dark"
                : matchMedia("(prefers-color-scheme: dark)").matches;
            root.dataset.theme = isDark ? "light" : "dark";
        });
        $("views").replaceChildren(...Object.entries(VIEWS).map(([key, name]) => make("button", {
            type: "button", role: "tab", id: `tab-${key}`, "aria-controls": `view-${key}`,
            click: () => this.viewShow(key),
        }, name)));
        const tools = {
            "zoom-in": () => this.view.zoom(this.view.scale * 1.25),
            "zoom-out": () => this.view.zoom(this.view.scale / 1.25),
            "zoom-fit": () => this.view.fit(),
            expand: () => this.view.openAll(),
            collapse: () => this.view.pathOnly(),
        };
        Object.entries(tools).forEach(([id, act]) => $(id).addEventListener("click", act));
    }

    viewShow(key) {
        this.shown = key;
        for (const name of Object.keys(VIEWS)) {
            $(`view-${name}`).hidden = name !== key;
            $(`tab-${name}`).setAttribute("aria-selected", String(name === key));
        }
        this.viewFill();
    }

    /* Views that cost something are filled when they are looked at. */
    viewFill() {
        if (this.shown === "map") {
            this.map.open();
        } else if (this.shown === "roofline") {
            this.rooflineFill();
        } else if (this.shown === "compare") {
            this.compare.open();
        } else if (this.shown === "matrix") {
            matrixShow($("view-matrix"), this.point);
        } else if (this.shown === "tuning") {
            tuningShow($("view-tuning"), this.data, this.point.tree);
        } else if (this.shown === "cells") {
            cellsShow($("view-cells"), this.viewed);
        }
    }

    rooflineFill() {
        rooflineShow($("view-roofline"), this.point, this.explanation?.leaf ?? 0, (leaf) => {
            this.viewShow("tree");
            this.leafShow(leaf);
        });
    }

    /* What is looked at follows the point; the tree and its details do so by themselves. */
    viewFollow() {
        if (this.shown === "map") {
            this.map.show();
        } else if (this.shown === "roofline") {
            this.rooflineFill();
        } else if (this.shown === "compare") {
            this.compare.show();
        } else if (this.shown === "matrix") {
            matrixShow($("view-matrix"), this.point);
        }
    }

    regionShow() {
        $("region").value = String(this.point.number);
        this.item = null;
        $("detail").replaceChildren();
        this.view = new TreeView($("tree"), this.point.tree, (item) => this.detailShow(item));
        this.viewed = this.data.views?.regions[this.point.number];
        const hasCells = this.viewed && regionCells(this.viewed).length > 0;
        $("tab-cells").hidden = !hasCells;
        if (this.shown === "cells" && !hasCells) {
            this.viewShow("tree");
        }
        this.code.regionShow(this.point.tree, this.point.number);
        this.compare.regionShow();
        /* The view at hand is made anew below, and follows no point until then. */
        const { shown } = this;
        this.shown = "";
        this.changed(true);
        this.shown = shown;
        this.view.begin();
        this.viewFill();
    }

    detailShow(item) {
        const { point } = this;
        this.item = item;
        $("detail").replaceChildren(item.isFork ? forkDetail(point, item)
            : leafDetail(point, item));
        if (!item.isFork) {
            this.code.show(point.tree.variants.find((v) => v.id === item.leaf));
        }
    }

    /* What is told of the item at hand follows the point: its figures, and where it was the leaf
       that runs the leaf that runs now. `end`: of the path before. */
    detailFollow(end) {
        const { item, view } = this, now = view.path[view.path.length - 1];
        const next = !item || item === end ? now ?? item ?? view.items[0] : item;
        if (next !== item && next.group?.isConnected) {
            view.choose(next);
        } else {
            this.detailShow(next);
        }
    }

    /* The first end of the tree with that leaf. */
    leafShow(leaf) {
        const item = this.view.path.find((i) => !i.isFork && i.leaf === leaf)
            ?? this.view.items.find((i) => !i.isFork && i.leaf === leaf);
        if (item?.group?.isConnected) {
            this.view.choose(item);
        } else if (item) {
            this.detailShow(item);
        }
    }

    /* The point is another one; `fields`: the form has to show it. */
    changed(fields = false) {
        this.fail("");
        if (fields) {
            fieldsShow(this.point);
        }
        const answer = this.point.explain(), end = this.view.path[this.view.path.length - 1];
        this.explanation = answer.explanation ?? null;
        this.choice = null;
        if (answer.error) {
            this.fail(answer.error);
            this.view.light([]);
            $("answer").replaceChildren(make("p", {}, answer.error));
            $("times").replaceChildren();
            $("choice").replaceChildren();
            membersShow(null);
        } else {
            this.view.light(this.view.pathOf(answer.explanation.path));
            answerShow(answer.explanation, (leaf) => this.leafShow(leaf));
            timesShow(answer.explanation, (leaf) => this.leafShow(leaf));
            membersShow(answer.explanation.devices);
            this.choice = this.point.choice();
            choiceShow(this.choice, this.point.engineRegion.rows.function,
                (values) => this.choiceTake(values));
        }
        this.detailFollow(end);
        this.viewFollow();
        this.addressKeep();
    }

    choiceTake(values) {
        values.forEach(([name, value]) => this.point.put(name, BigInt(value)));
        this.changed(true);
        $("choice").querySelector("button")?.focus();
    }

    /* The address follows when the point has come to rest: browsers refuse many changes at once. */
    addressKeep() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => history.replaceState(null, "", this.point.address()), 300);
    }

    fail(message) {
        $("failure").textContent = message;
        $("failure").hidden = !message;
    }
}

async function start() {
    try {
        const text = await unpack($("data").textContent.trim());
        const data = JSON.parse(new TextDecoder().decode(text));
        const engine = await Engine.load(await unpack($("engine").textContent.trim()));
        globalThis.treefork = new Page(data, engine);
        globalThis.treefork.parts = { realRoots, regionCells, endNumber, stripEnd,
            rooflinePoints, timeText };
    } catch (error) {
        $("failure").textContent = `This page cannot be shown: ${error.message}`;
        $("failure").hidden = false;
        throw error;
    }
}

start();
