/* Small things that every view of the page does with the document and with numbers. */

const $ = (id) => document.getElementById(id);

/* An element with attributes and children; texts are never read as HTML. */
function make(name, attributes = {}, ...children) {
    return fill(document.createElement(name), attributes, children);
}

function draw(name, attributes = {}, ...children) {
    return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) {
        if (typeof value === "function") {
            element.addEventListener(key, value);
        } else if (value !== undefined && value !== null && value !== false) {
            element.setAttribute(key, value === true ? "" : value);
        }
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
}

/* Keys scroll what does not fit its room; what fits is no stop on the way of the Tab key. */
function scrollingSeen({ target }) {
    if (target.scrollWidth > target.clientWidth) {
        fill(target, { tabindex: 0, role: "group", "aria-label": "Table" }, []);
    } else {
        ["tabindex", "role", "aria-label"].forEach((name) => target.removeAttribute(name));
    }
}

function scrolled(element) {
    const holder = make("div", { class: "scroll" }, element);
    new ResizeObserver((entries) => entries.forEach(scrollingSeen)).observe(holder);
    return holder;
}

const UNLIMITED = 9223372036854775807n;

function shown(value) {
    return BigInt(value) === UNLIMITED ? "unlimited" : String(value);
}

/* Nanoseconds for people. */
function timeText(nanoseconds) {
    const units = [["h", 3.6e12], ["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];
    const [unit, factor] = units.find(([, f]) => nanoseconds >= f) ?? units[4];
    return `${(nanoseconds / factor).toPrecision(4)} ${unit}`;
}

function counted(number, noun) {
    return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/* "shared_words_per_block" to "shared words per block". */
function words(key) {
    return key.replaceAll("_", " ");
}

/* What strategies and counters are called for a newcomer, by their names; filled from the data. */
const NAMES = new Map();

function named(name) {
    return NAMES.get(name) ?? words(name);
}

/* "cse1, granularity" in words, with the names behind. */
function strategiesText(names) {
    return names.split(", ").map((name) => `${named(name)} (${name})`).join(", ");
}

/* A whole number of 64 bits from a field; throws what is wrong with it. */
function wholeNumber(text) {
    const trimmed = text.trim();
    if (trimmed === "unlimited") {
        return UNLIMITED;
    }
    if (!/^[+-]?\d{1,40}$/.test(trimmed)) {
        throw new Error("a whole number, please");
    }
    const value = BigInt(trimmed.replace("+", ""));
    if (value > UNLIMITED || value < -UNLIMITED - 1n) {
        throw new Error("64 bits do not hold this");
    }
    return value;
}

function leafName(leaf) {
    return leaf ? `leaf ${leaf}` : "no leaf";
}

/* Colours of leaves in maps: far apart for neighbours, the same in every view. */
function leafColour(leaf) {
    if (leaf === 0) {
        return "#888888";
    }
    const hue = (leaf * 137.5) % 360, light = [62, 45, 74][leaf % 3];
    return `hsl(${hue.toFixed(1)} 55% ${light}%)`;
}
