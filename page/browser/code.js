/* The source, the kernel and its PTX side by side. In: the texts and where their lines come from.
   Out: panes whose lines light up together: those that come from one line of the source. A pointer
   over a line lights; a click, or the arrow keys in a pane, keep the light and bring its lines into
   sight in the other panes. */

const TINTS = 6;

/* Texts on their way to the clipboard; pages that are opened from a disk may have none. */
async function copyText(text, button) {
    const before = button.textContent;
    try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
    } catch {
        const area = make("textarea", { class: "skip" });
        area.value = text;
        document.body.append(area);
        area.select();
        button.textContent = document.execCommand("copy") ? "Copied" : "Not copied";
        area.remove();
        button.focus();
    }
    setTimeout(() => {
        button.textContent = before;
    }, 1500);
}

function copyButton(textOf, what) {
    return make("button", { type: "button", "aria-label": `Copy ${what}`,
        click: (event) => copyText(textOf(), event.currentTarget) }, "Copy");
}

/* "41 to 44, 50": numbers in rising order. */
function rangesText(numbers) {
    const ranges = [];
    numbers.forEach((number) => {
        const last = ranges[ranges.length - 1];
        if (last && last[1] === number - 1) {
            last[1] = number;
        } else {
            ranges.push([number, number]);
        }
    });
    return ranges.map(([from, to]) => (from === to ? from : `${from} to ${to}`)).join(", ");
}

/* One text. `origins`: an entry for each line. */
class Pane {
    constructor(id, title, light) {
        this.light = light;
        this.text = "";
        this.pre = make("pre", {
            id, class: "code", tabindex: 0, role: "group", "aria-label": title,
            mouseover: (event) => this.over(event), mouseleave: () => this.light(null, 0),
            click: (event) => this.take(event), keydown: (event) => this.key(event),
        });
        this.heading = make("h3", {}, title);
        this.more = make("div", { class: "pane-head" });
        this.element = make("div", { class: "pane" },
            make("div", { class: "pane-head" }, this.heading,
                copyButton(() => this.text, `the text: ${title}`)),
            this.more, this.pre);
    }

    /* Of a comparison `lines` are elements already. */
    fill(text, origins, lines = colouredLines(text)) {
        this.text = text;
        this.lines = lines;
        this.origins = origins;
        this.cursor = -1;
        this.places = new Map();
        this.pre.style.setProperty("--digits", `${String(lines.length).length}ch`);
        lines.forEach((line, i) => {
            line.dataset.n = i + 1;
            if (!line.childNodes.length) {
                line.append("\u200b");
            }
            if (origins[i]) {
                line.classList.add("origin", `tint${origins[i] % TINTS}`);
                this.places.set(origins[i], [...this.places.get(origins[i]) ?? [], i]);
            }
        });
        this.pre.replaceChildren(...lines);
    }

    /* What comes before the first line of the source is a frame that all kernels have. */
    openAtOrigin() {
        this.pre.scrollTop = 0;
        this.intoSight(Math.max(0, this.lines.findIndex((line, i) => this.origins[i])));
    }

    lineOf(event) {
        const line = event.target.closest(".line");
        return line ? Number(line.dataset.n) - 1 : -1;
    }

    over(event) {
        const i = this.lineOf(event);
        this.light(null, i < 0 ? 0 : this.origins[i] ?? 0);
    }

    take(event) {
        const i = this.lineOf(event);
        if (i >= 0 && !getSelection().toString()) {
            this.stand(i);
        }
    }

    /* The line that keys move from; it keeps the light. */
    stand(i) {
        this.lines[this.cursor]?.classList.remove("cursor");
        this.cursor = Math.max(0, Math.min(this.lines.length - 1, i));
        this.lines[this.cursor].classList.add("cursor");
        this.intoSight(this.cursor);
        this.light(this, this.origins[this.cursor] ?? 0);
    }

    leave() {
        this.lines[this.cursor]?.classList.remove("cursor");
        this.cursor = -1;
        this.light(this, 0);
    }

    key(event) {
        const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 };
        if (event.altKey || event.ctrlKey || event.metaKey) {
            return;
        }
        if (event.key in steps) {
            event.preventDefault();
            this.stand(this.cursor + steps[event.key]);
        } else if (event.key === "Escape") {
            this.leave();
        }
    }

    /* Scrolls this pane alone. */
    intoSight(i) {
        const line = this.lines[i], { clientHeight, scrollTop } = this.pre;
        const top = line.offsetTop - this.pre.offsetTop;
        if (top < scrollTop || top + line.offsetHeight > scrollTop + clientHeight) {
            this.pre.scrollTop = top - clientHeight / 3;
        }
    }

    mark(origin, kind) {
        this.pre.querySelectorAll(`.${kind}`).forEach((line) => line.classList.remove(kind));
        (this.places.get(origin) ?? []).forEach((i) => this.lines[i].classList.add(kind));
    }

    numbers(origin) {
        return (this.places.get(origin) ?? []).map((i) => i + 1);
    }
}

class CodeView {
    constructor(holder, data) {
        this.data = data;
        this.kept = 0;
        const light = (pane, origin) => this.light(pane, origin);
        this.source = new Pane("source", `Source: ${data.file}`, light);
        this.kernel = new Pane("kernel", "Kernel", light);
        this.ptx = new Pane("ptx", "PTX", light);
        this.language = make("select", { "aria-label": "Language",
            change: () => this.kernelShow() }, ...["opencl", "cuda"].filter((key) => data[key])
                .map((key) => option(key, LANGUAGES[key])));
        this.against = make("select", { "aria-label": "Changes from another leaf",
            change: () => this.kernelShow() });
        this.kernel.more.append(this.language, this.against);
        this.ptx.more.append("compiled for any values of the tunables");
        this.ptx.element.hidden = !data.ptx;
        this.note = make("p", { class: "hint", "aria-live": "polite" });
        holder.replaceChildren(this.note,
            make("div", { class: "panes" }, this.source.element, this.kernel.element,
                this.ptx.element));
        this.noteShow(0);
    }

    /* The whole source, the lines of the region marked. */
    regionShow(region, number) {
        const [first, last] = this.data.lines[number];
        const text = this.data.source.replace(/\n$/, "");
        this.region = region;
        this.own = { text, inside: (line) => line >= first && line <= last, first, isNew: true };
        this.variant = null;
        this.source.more.replaceChildren(`${region.name}: lines ${first} to ${last}`);
    }

    show(variant) {
        if (this.variant === variant) {
            return;
        }
        this.variant = variant;
        const others = this.region.variants.filter((other) => other !== variant);
        const nearest = nearestLeaf(this.region, variant), before = this.against.value;
        this.against.replaceChildren(option(0, "text as it is"), ...others.map((other) =>
            option(other.id, `changes from ${leafName(other.id)}${
                other === nearest ? " (nearest)" : ""}`)));
        this.against.value = others.some((other) => String(other.id) === before) ? before : "0";
        this.kernelShow();
    }

    kernelShow() {
        const { data, region, variant } = this;
        const textOf = (leaf, language) => kernelText(data, region, leaf, language);
        const piece = textOf(variant, this.language.value), ptx = textOf(variant, "ptx");
        const other = region.variants.find((leaf) => leaf.id === Number(this.against.value));
        this.kernel.heading.textContent = `Kernel of ${leafName(variant.id)}`;
        if (other) {
            const diff = diffLines(textOf(other, this.language.value), piece);
            this.kernel.fill(piece.text, diff.origins, diff.lines);
        } else {
            this.kernel.fill(piece.text, piece.origins);
        }
        this.ptx.fill(ptx.text, ptx.origins);
        this.kernel.openAtOrigin();
        this.ptx.openAtOrigin();
        this.sourceShow();
        this.keep(0);
    }

    /* The source is an origin where the kernel or its PTX has a line of it. */
    sourceShow() {
        const lines = colouredLines(this.own.text);
        const origins = lines.map((line, i) => (this.kernel.places.has(i + 1)
            || this.ptx.places.has(i + 1) ? i + 1 : 0));
        lines.forEach((line, i) => line.classList.toggle("marked", this.own.inside(i + 1)));
        const { scrollTop } = this.source.pre;
        this.source.fill(this.own.text, origins, lines);
        this.source.pre.scrollTop = scrollTop;
        if (this.own.isNew) {
            this.own.isNew = false;
            this.source.intoSight(Math.max(0, this.own.first - 1));
        }
    }

    panes() {
        return [this.source, this.kernel, this.ptx];
    }

    /* Without a pane the light passes by; with one it stays, and the others follow. */
    light(pane, origin) {
        if (!pane) {
            this.panes().forEach((p) => p.mark(origin, "lit"));
            this.noteShow(origin || this.kept);
            return;
        }
        this.keep(origin);
        this.panes().filter((p) => p !== pane && p.places.has(origin))
            .forEach((p) => p.intoSight(p.places.get(origin)[0]));
    }

    keep(origin) {
        this.kept = origin;
        this.panes().forEach((p) => {
            p.mark(0, "lit");
            p.mark(origin, "kept");
        });
        this.noteShow(origin);
    }

    noteShow(origin) {
        const told = (pane, name) => {
            const numbers = pane.numbers(origin);
            return numbers.length ? `${counted(numbers.length, "line")} of ${name} (${
                rangesText(numbers)})` : `none of ${name}`;
        };
        this.note.textContent = origin
            ? `Line ${origin} of the source: ${told(this.kernel, LANGUAGES[this.language.value])}${
                this.data.ptx ? `, ${told(this.ptx, "PTX")}` : ""}.`
            : "Point at a line and what came of it lights up, in both directions; a click or the "
                + "arrow keys hold it, Escape lets go.";
    }
}
