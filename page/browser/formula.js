/* Values of the formulas that tree.json shows: polynomials with fractions, quotients, ceil, min and
   max, in exact rational numbers. In: a text and a function from names to BigInt; out: {n, d}, or
   null where a name is unlimited or unknown. For reading alone: what decides is the engine's. */

const FORMULA_FUNCTIONS = {
    ceil: ([a]) => ({ n: -((-a.n) / a.d) + (a.n > 0n && a.n % a.d ? 1n : 0n), d: 1n }),
    floor: ([a]) => ({ n: a.n / a.d - (a.n < 0n && a.n % a.d ? 1n : 0n), d: 1n }),
    max: (list) => list.reduce((a, b) => (a.n * b.d >= b.n * a.d ? a : b)),
    min: (list) => list.reduce((a, b) => (a.n * b.d <= b.n * a.d ? a : b)),
};

function formulaValue(text, valueOf) {
    const tokens = text.match(/\d+|[A-Za-z_]\w*|[-+*/^(),]/g) ?? [];
    let at = 0;
    const reduce = (n, d) => {
        if (d === 0n) {
            throw new RangeError("a division by 0");
        }
        let [a, b] = [n < 0n ? -n : n, d < 0n ? -d : d];
        while (b) {
            [a, b] = [b, a % b];
        }
        const sign = d < 0n ? -1n : 1n;
        return a ? { n: sign * n / a, d: sign * d / a } : { n: 0n, d: 1n };
    };
    const eat = (token) => {
        if (tokens[at] !== token) {
            throw new SyntaxError(`${token} expected in ${text}`);
        }
        at++;
    };
    function call(name) {
        const list = [];
        eat("(");
        do {
            list.push(sum());
        } while (tokens[at] === "," && ++at);
        eat(")");
        return FORMULA_FUNCTIONS[name](list);
    }
    function atom() {
        const token = tokens[at++];
        if (token === "(") {
            const value = sum();
            eat(")");
            return value;
        }
        if (token === "-") {
            const value = power();
            return { n: -value.n, d: value.d };
        }
        if (/^\d/.test(token ?? "")) {
            return { n: BigInt(token), d: 1n };
        }
        if (token in FORMULA_FUNCTIONS && tokens[at] === "(") {
            return call(token);
        }
        const value = valueOf(token);
        if (value === null || value === undefined || value === UNLIMITED) {
            throw new RangeError(`${token} has no number`);
        }
        return typeof value === "bigint" ? { n: value, d: 1n } : value;
    }
    function power() {
        const base = atom();
        if (tokens[at] !== "^") {
            return base;
        }
        at++;
        const exponent = BigInt(tokens[at++]);
        return { n: base.n ** exponent, d: base.d ** exponent };
    }
    function product() {
        let value = power();
        while (tokens[at] === "*" || tokens[at] === "/") {
            const divides = tokens[at++] === "/", other = power();
            value = divides ? reduce(value.n * other.d, value.d * other.n)
                            : reduce(value.n * other.n, value.d * other.d);
        }
        return value;
    }
    function sum() {
        let value = product();
        while (tokens[at] === "+" || tokens[at] === "-") {
            const sign = tokens[at++] === "-" ? -1n : 1n, other = product();
            value = reduce(value.n * other.d + sign * other.n * value.d, value.d * other.d);
        }
        return value;
    }
    try {
        const value = sum();
        return at === tokens.length ? value : null;
    } catch (error) {
        if (error instanceof RangeError || error instanceof SyntaxError) {
            return null;
        }
        throw error;
    }
}

/* Values by name at the point, those of a list of definitions ("d": "ceil(B0/4)") included. */
function valuesAt(point, definitions = {}) {
    const known = new Map();
    return function valueOf(name) {
        if (!known.has(name)) {
            known.set(name, null);
            known.set(name, name in definitions ? formulaValue(definitions[name], valueOf)
                : point.knows(name) ? point.get(name) : null);
        }
        return known.get(name);
    };
}

function holdsAt(constraint, valueOf) {
    const [, left, relation, right] = constraint.match(/^(.*?) (<=|<|>=|>|==|!=) (.*)$/) ?? [];
    const a = left && formulaValue(left, valueOf), b = left && formulaValue(right, valueOf);
    if (!a || !b) {
        return null;
    }
    const difference = a.n * b.d - b.n * a.d;
    return { "<=": difference <= 0n, "<": difference < 0n, ">=": difference >= 0n,
        ">": difference > 0n, "==": difference === 0n, "!=": difference !== 0n }[relation];
}

function fractionText(value) {
    if (value.d === 1n) {
        return String(value.n);
    }
    const number = Number(value.n) / Number(value.d);
    return Math.abs(number) >= 1e4 ? String(Math.round(number)) : number.toPrecision(4);
}
