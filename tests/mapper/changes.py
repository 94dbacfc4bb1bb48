"""`map --apply` on random nests: what is applied computes what the source does.

    python3 changes.py BUILD [SEED] [COUNT]

Each program has a nest of two or three loops, some downwards, with statements that update an array from its neighbours, a sum,
a private scalar, or one that an iteration of one loop hands to the next and that is private to another. `interchange` of two of its loops, or `distribute` of one, is asked for; where the change is made, both
texts are compiled and compared at sizes from 0 up. Prints how many were applied and refused; ends with 1 if one differs."""
import os
import random
import subprocess
import sys
import tempfile

SIDE = 12
MAIN = """
#include <stdio.h>
#include <string.h>
typedef void program(int n, unsigned a[SIDE][SIDE], unsigned b[SIDE][SIDE], unsigned s[SIDE]);
struct memory { unsigned a[SIDE][SIDE], b[SIDE][SIDE], s[SIDE]; };
static program *const programs[][2] = {TABLE};
int main(void)
{
    static struct memory first, source, changed;
    int wrong = 0;
    for (size_t i = 0; i < sizeof first / sizeof(unsigned); i++)
        ((unsigned *)&first)[i] = (unsigned)i * 2654435761u >> 9;
    for (size_t k = 0; k < sizeof programs / sizeof *programs; k++)
        for (int n = 0; n < 8; n++) {
            source = changed = first;
            programs[k][0](n, source.a, source.b, source.s);
            programs[k][1](n, changed.a, changed.b, changed.s);
            if (memcmp(&source, &changed, sizeof source)) {
                printf("program %s differs at n = %d\\n", NAMES[k], n);
                wrong++;
                break;
            }
        }
    printf("%d differ\\n", wrong);
    return wrong != 0;
}
"""


def element(rng, names):
    array = rng.choice("aab")
    places = [f"{rng.choice(names)} + {rng.choice((0, 0, 1, 2))}" for _ in range(2)]
    if rng.random() < 0.7:
        places = [f"{name} + {rng.choice((0, 1, 2))}" for name in (names[0], names[-1])]
    return f"{array}[{places[0]}][{places[1]}]"


def statement(rng, names):
    kind = rng.random()
    if kind < 0.15:
        return f"s[{rng.choice(names)}] += {element(rng, names)};"
    if kind < 0.25:
        return f"s[0] = s[0] * 3u + {element(rng, names)};"
    if kind < 0.4:
        return f"t = {element(rng, names)}; {element(rng, names)} = t * t;"
    if kind < 0.5:
        return f"if ({element(rng, names)} % 3u) {element(rng, names)} = t0 + 5u;"
    return f"{element(rng, names)} {rng.choice(('=', '+='))} {element(rng, names)} * 2u + 1u;"


def chain(rng):
    """Rounds of h with a scalar of their own, which the iterations of a nest hand on: a request to change the nest."""
    text = ["    for (int h = 0; h < 3; h++) {", f"        unsigned p = {rng.choice(('s[h]', 'b[h][1]'))};",
            "        for (int i = 0; i < n; i++) {", "            for (int j = 0; j < n; j++) {"]
    uses = ["p = p * 3u + b[i][j];", f"a[{rng.choice('ij')}][{rng.choice('ij')}] += p;", "a[i][j] = p + b[j][i];", "a[j][i] += 5u;"]
    text += ["                " + use for use in rng.sample(uses, rng.choice((1, 2, 2)))]
    return text + ["            }", "        }", "    }"], "interchange 6 0 1"


def program(rng):
    """The text of a function and a request."""
    if rng.random() < 0.15:
        return function(*chain(rng))
    depth, names, lines = rng.choice((2, 2, 3)), "ijk", []
    is_split = rng.random() < 0.4
    for level in range(depth):
        name = names[level]
        low, high = rng.choice(("0", "1")), rng.choice(("n", "n - 1"))
        down = rng.random() < 0.2
        head = f"for (int {name} = {high} - 1; {name} >= {low}; {name}--)" if down else \
            f"for (int {name} = {low}; {name} < {high}; {name}++)"
        lines.append("    " * (level + 1) + head + " {")
        if is_split and level == 0:
            lines.append("        " + statement(rng, names[:1]))
    for _ in range(rng.choice((1, 1, 2))):
        lines.append("    " * (depth + 1) + statement(rng, names[:depth]))
    lines += ["    " * (level + 1) + "}" for level in reversed(range(depth))]
    request = "distribute 4" if is_split else f"interchange 4 {' '.join(map(str, rng.sample(range(depth), 2)))}"
    return function(lines, request)


def function(lines, request):
    arrays = "unsigned a[restrict 12][12], unsigned b[restrict 12][12], unsigned s[restrict 12]"
    return f"void program(int n, {arrays})\n{{\n    unsigned t, t0 = 7u;\n" + "\n".join(lines) + "\n}\n", request


def main():
    build, seed, count = sys.argv[1], *(map(int, (sys.argv[2:] + ["1", "100"][len(sys.argv) - 2:])))
    applied, refused, wrong = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        out = ""
        for k in range(count):
            text, request = program(random.Random(seed * 1000003 + k))
            path = os.path.join(folder, f"source{k}.c")
            with open(path, "w") as file:
                file.write(text)
            done = subprocess.run([os.path.join(build, "treefork"), "map", "--apply", request, path], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            if done.returncode == 0:
                applied.append(k)
                out += f"#define program source{k}\n{text}#undef program\n#define program changed{k}\n{done.stdout}#undef program\n"
            elif "cannot be applied" in done.stderr:
                refused += 1
            else:
                print(f"{text}{request}: {done.stderr}")
                wrong += 1
        main_text = MAIN.replace("TABLE", ", ".join(f"{{source{k}, changed{k}}}" for k in applied))
        names = "static const char *const NAMES[] = {" + ", ".join(f'"{k}"' for k in applied) + "};\n"
        path = os.path.join(folder, "main.c")
        with open(path, "w") as file:
            file.write("#define SIDE 12\n" + out + names + main_text)
        binary = os.path.join(folder, "main")
        subprocess.run(["cc", "-O1", "-w", "-o", binary, path], check=True)
        done = subprocess.run([binary], text=True, stdout=subprocess.PIPE)
        print(done.stdout, end="")
        wrong += done.returncode
    print(f"{len(applied)} applied, {refused} refused, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
