/* Texts of kernels: cut out of the program's files, coloured, compared line by line. A piece of
   text is {text, origins}: `origins` has for each line the line of the user's source that it comes
   from, 0 for none. */

const LANGUAGES = { cuda: "CUDA C", opencl: "OpenCL C", ptx: "PTX" };
const NO_TEXT = { text: "", origins: [] };

/* The text of a leaf: of CUDA C and OpenCL C what stands below the comments that name it, of PTX
   all entries of its kernels. */
function kernelText(data, region, variant, language) {
    const places = language === "ptx" ? ptxPlaces(data.ptx, variant)
        : cPlaces(data[language], region, variant);
    return places.map(([from, to]) => textPiece(data, language, from, to)).reduce(piecesJoin,
        NO_TEXT);
}

function linesIn(text) {
    return text.split("\n").length;
}

function textPiece(data, language, from, to) {
    const text = data[language].slice(from, to).trimEnd();
    const first = linesIn(data[language].slice(0, from));
    const origins = data[`${language}Lines`].slice(first - 1, first - 1 + linesIn(text));
    return { text, origins };
}

function piecesJoin(before, piece) {
    return before.text ? { text: `${before.text}\n\n${piece.text}`,
        origins: [...before.origins, 0, ...piece.origins] } : piece;
}

/* A leaf's launches stand one behind the other. */
function cPlaces(text, region, variant) {
    const begin = text.indexOf(`/* ${region.name}, leaf ${variant.id} of `);
    if (begin < 0) {
        return [];
    }
    const next = [...text.slice(begin + 1).matchAll(/^\/\* (\w+), leaf (\d+) of /mg)]
        .find((match) => match[1] !== region.name || Number(match[2]) !== variant.id);
    return [[begin, next ? begin + 1 + next.index : text.length]];
}

function ptxPlaces(text, variant) {
    const entries = new Set(variant.kernels.map((kernel) => kernel.entry));
    return [...text.matchAll(/^\.visible \.entry (\w+)/mg)]
        .filter((match) => entries.has(match[1]))
        .map((match) => [match.index, text.indexOf("\n}", match.index) + 2]);
}

const WORDS = `for if else while do return break continue const int long float double char unsigned
    void restrict barrier fma fmaf meta_schedule meta_for cache __kernel __global __local __global__
    __shared__ __restrict__ __syncthreads`.split(/\s+/);
const TOKENS = new RegExp([
    /(?<c>\/\*[^]*?\*\/|\/\/[^\n]*)/.source,
    /(?<n>\b(?:0[xXfF][\da-fA-F]+|\d[\w.]*)\b)/.source,
    `(?<k>\\b(?:${WORDS.join("|")})\\b|\\.[a-z]\\w*)`,
].join("|"), "g");

/* Spans for comments, numbers and words of the language, line by line. */
function colouredLines(text) {
    const lines = [make("span", { class: "line" })];
    const put = (string, kind) => string.split("\n").forEach((part, i) => {
        if (i) {
            lines.push(make("span", { class: "line" }));
        }
        if (part) {
            lines[lines.length - 1].append(kind ? make("span", { class: kind }, part) : part);
        }
    });
    let at = 0;
    for (const match of text.matchAll(TOKENS)) {
        put(text.slice(at, match.index));
        put(match[0], match.groups.c ? "c" : match.groups.n ? "n" : "k");
        at = match.index + match[0].length;
    }
    put(text.slice(at));
    return lines;
}

/* Lines of both as {sign, text, at}, by a longest common subsequence; `at` counts in the text that
   has the line, from 0. */
function lineDiff(before, after) {
    const a = before.split("\n"), b = after.split("\n"), width = b.length + 1;
    const common = new Uint32Array((a.length + 1) * width);
    for (let i = a.length - 1; i >= 0; i--) {
        for (let j = b.length - 1; j >= 0; j--) {
            common[i * width + j] = a[i] === b[j] ? common[(i + 1) * width + j + 1] + 1
                : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
        }
    }
    const isGone = (i, j) => common[(i + 1) * width + j] >= common[i * width + j + 1];
    const result = [];
    let i = 0, j = 0;
    while (i < a.length || j < b.length) {
        if (i < a.length && j < b.length && a[i] === b[j]) {
            result.push({ sign: " ", text: a[i++], at: j++ });
        } else if (j >= b.length || (i < a.length && isGone(i, j))) {
            result.push({ sign: "-", text: a[i], at: i++ });
        } else {
            result.push({ sign: "+", text: b[j], at: j++ });
        }
    }
    return result;
}

const DIFF_KINDS = { "+": "line added", "-": "line removed", " ": "line" };

/* The lines of two pieces as elements, and where each comes from. */
function diffLines(before, after) {
    const diff = lineDiff(before.text, after.text);
    return {
        lines: diff.map(({ sign, text }) => make("span", { class: DIFF_KINDS[sign] },
            `${sign} ${text}`)),
        origins: diff.map(({ sign, at }) => (sign === "-" ? before : after).origins[at] ?? 0),
    };
}
