/* Texts of kernels: cut out of the program's files, coloured, compared line by line. */

const LANGUAGES = { cuda: "CUDA C", opencl: "OpenCL C", ptx: "PTX" };

/* The text of a leaf: of CUDA C and OpenCL C what stands below the comment that names it, of PTX
   all entries of its kernels. */
function kernelText(data, region, variant, language) {
    return language === "ptx" ? ptxText(data.ptx, variant) : cText(data[language], region, variant);
}

function cText(text, region, variant) {
    const begin = text.indexOf(`/* ${region.name}, leaf ${variant.id} of `);
    if (begin < 0) {
        return "";
    }
    const rest = text.slice(begin + 1).search(/^\/\* \w+, leaf \d+ of /m);
    return text.slice(begin, rest < 0 ? undefined : begin + 1 + rest).trimEnd();
}

function ptxText(text, variant) {
    const entries = new Set(variant.kernels.map((kernel) => kernel.entry));
    return text.split(/^(?=\.visible \.entry)/m)
        .filter((part) => entries.has(/^\.visible \.entry (\w+)/.exec(part)?.[1]))
        .map((part) => part.slice(0, part.lastIndexOf("\n}") + 2)).join("\n\n");
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
    lines.forEach((line) => line.childNodes.length || line.append("\u200b"));
    return lines;
}

/* Lines of both as {sign, text}, by a longest common subsequence. */
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
            result.push({ sign: " ", text: a[i++] });
            j++;
        } else if (j >= b.length || (i < a.length && isGone(i, j))) {
            result.push({ sign: "-", text: a[i++] });
        } else {
            result.push({ sign: "+", text: b[j++] });
        }
    }
    return result;
}

function diffLines(before, after) {
    const kinds = { "+": "line added", "-": "line removed", " ": "line" };
    return lineDiff(before, after).map(({ sign, text }) =>
        make("span", { class: kinds[sign] }, `${sign} ${text}`));
}
