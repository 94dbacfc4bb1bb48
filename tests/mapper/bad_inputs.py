"""Bad input for `treefork map` and `build`: each file gets one clear error with its place.

    python3 bad_inputs.py BUILD

Each row of INPUTS is a file, and where and how it is refused: "LINE:COLUMN" and words of the message. Asked are `map FILE -o OUT` and
`build FILE -o FOLDER`: they must end with 1 within LIMIT seconds of processor time, say so, leave the source as it is and write nothing.
What goes wrong while OUT is written (a full disk, a folder that is not there, OUT is the source) must leave what was there. Prints how
many files were refused; ends with 1 if one is not refused so."""
import os
import resource
import signal
import subprocess
import sys
import tempfile

LIMIT = 20
NEST = "    for (int i = 0; i < n; i++)\n        a[i] = 0;"


def scop(body, before=""):
    return f"{before}void f(int n, int m, double *restrict a, const double *restrict b)\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"


def deep(levels):
    heads = "\n".join(f"    for (int i{k} = 0; i{k} < n; i{k}++)" for k in range(levels))
    return scop(f"{heads}\n        a[i0] = 0;")


INPUTS = {
    # marks
    "opened_twice": (scop(f"{NEST}\n#pragma scop\n{NEST}"), "3:1", "`#pragma scop` without its `#pragma endscop`"),
    "closed_elsewhere": (f"void f(int n, double *a)\n{{\n#pragma scop\n{NEST}\n}}\nvoid g(void)\n{{\n#pragma endscop\n}}\n", "3:1",
                         "must stand in the body of one function"),
    "target_at_end": ("void f(double *a)\n{\n    a[0] = 1;\n#pragma target\n}\n", "4:1", "must stand before a `for` or a block"),
    "target_of_declaration": ("void f(int n, double *a)\n{\n#pragma target\n    double x = n;\n    a[0] = x;\n}\n", "3:1",
                              "must stand before a `for` or a block"),
    "hash_in_macro": (f"#define BEGIN(n) #pragma scop\nvoid f(int n, double *a)\n{{\n    BEGIN(n)\n{NEST}\n#pragma endscop\n}}\n", "1:19",
                      "'#' is not followed by a macro parameter"),
    "annotated_inside": (scop("    meta_schedule {\n        meta_for (int i = 0; i < n; i++)\n            a[i] = 0;\n    }",
                              "#include <metafork.h>\n"), "5:5", "a region (`meta_schedule`) cannot be mapped"),
    "mark_as_name": (scop(NEST, "void meta_for(int n);\n"), "1:6", "`meta_for` is a mark of metafork.h"),
    "mark_in_macro": (scop(NEST, "#define X \\\n    meta_cache\n"), "2:5", "`meta_cache` is a mark of metafork.h"),
    # files
    "binary": (bytes(range(256)) * 64, "1:1", "a null character"),
    "zeros": (bytes(4096), "1:1", "a null character"),
    "nul_inside": (scop(NEST + " /* \0 */"), "5:22", "a null character"),
    "utf16": (scop(NEST).encode("utf-16"), "1:4", "a null character"),
    "latin1": (scop(NEST + "\n    caf\xe9 = 0;").encode("latin-1"), "6:8", "not valid UTF-8"),
    "nothing": ("", "1:1", "nothing to map"),
    "missing_include": (scop(NEST, '#include "not_there.h"\n'), "1:10", "'not_there.h' file not found"),
    "includes_itself": (scop(NEST, '#include "includes_itself.c"\n'), "1:10", "#include nested too deeply"),
    "if_open": (scop(NEST, "#if 1\n"), "1:2", "unterminated conditional directive"),
    "comment_open": (scop(NEST + " /* no end"), "5:19", "unterminated /* comment"),
    "no_brace": (scop("    for (int i = 0; i < n; i++) {\n        a[i] = 0;"), "7:2", "expected '}'"),
    "unknown_name": (scop("    for (int i = 0; i < n; i++)\n        a[i] = c;"), "5:16", "use of undeclared identifier 'c'"),
    "cplusplus": ("template <class T> " + scop(NEST), "1:1", "unknown type name 'template'"),
    # size
    "nested_200": (deep(200), "16:5", "more than 12 loops around each other"),
    "parentheses": (scop("    for (int i = 0; i < n; i++)\n        a[i] = " + "(" * 5000 + "1" + ")" * 5000 + ";"), "5:272",
                    "bracket nesting level exceeded"),
    "terms": (scop("    for (int i = 0; i < n; i++)\n        a[i] = " + " + ".join(["b[i]"] * 60000) + ";"), "5:1",
              "nested too deeply"),
    "literal_too_large": (scop("    for (int i = 0; i < 99999999999999999999999; i++)\n        a[i] = 0;"), "4:25",
                          "integer literal is too large"),
    "step_overflow": (scop("    for (long i = 0; i < n; i += 9223372036854775807)\n        a[i] = 0;"), "4:5",
                      "a `for` that is not"),
    "constants_multiply": (scop("    for (long i = 0; i < n; i++)\n        a[4611686018427387904 * (4 * i + m)] = 0;"), "5:11",
                           "a subscript that is not affine"),
    "extents_multiply": ("static double a[4000000000][4000000000];\n" + scop(NEST.replace("a[i]", "a[i][i]")), "1:17",
                         "array is too large"),
    # loops
    "division_by_zero": (scop("    for (int i = 0; i < n / 0; i++)\n        a[i] = 0;"), "4:25", "the bound of a loop"),
    "step_zero": (scop("    for (int i = 0; i < n; i += 0)\n        a[i] = 0;"), "4:5", "a `for` that is not"),
    "step_away": (scop("    for (int i = 0; i < n; i--)\n        a[i] = 0;"), "4:5", "a `for` that is not"),
    "no_step": (scop("    for (int i = 0; i < n;)\n        a[i++] = 0;"), "4:5", "a `for` that is not"),
    "float_iterator": (scop("    for (double x = 0; x < n; x++)\n        a[(int)x] = 0;"), "4:5", "the iterator `x`"),
    "pointer_iterator": (scop("    for (double *p = a; p < a + n; p += n)\n        *p = 0;"), "4:5", "the iterator `p`"),
    # statements
    "square": (scop("    for (int i = 0; i < n; i++)\n        a[i * i] = 0;"), "5:11", "a subscript that is not affine"),
    "negative_extent": ("void f(int n)\n{\n    double a[-1];\n#pragma scop\n" + NEST + "\n#pragma endscop\n}\n", "3:14",
                        "negative size"),
    "assembler": (scop('    for (int i = 0; i < n; i++)\n        __asm__("nop");'), "5:9", "`asm` cannot be mapped"),
    "label": (scop("    for (int i = 0; i < n; i++) {\nin:\n        a[i] = 0;\n        if (b[i] < 0)\n            goto in;\n    }"), "5:1",
              "a label cannot be mapped"),
    "statement_expression": (scop("    for (int i = 0; i < n; i++)\n        a[i] = ({ double t = b[i]; t * t; });"), "5:16",
                             "a statement expression"),
}


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))


def files_of(folder):
    return {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))}


def refused(treefork, folder, name):
    """What is wrong with the answers; nothing if all is well."""
    text, place, words = INPUTS[name]
    path = os.path.join(folder, name + ".c")
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    os.utime(path, (1000, 1000))
    before = files_of(folder)
    for arguments in (["map", path, "-o", os.path.join(folder, "out.c")], ["build", path, "-o", os.path.join(folder, "out")]):
        if arguments[0] == "build" and (b"#pragma" not in before[name + ".c"] or b"meta_schedule" in before[name + ".c"]):
            continue
        done = subprocess.run([treefork, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit)
        said = done.stderr.decode(errors="replace")
        first = next((line for line in said.splitlines() if ": error: " in line), "no error")
        if done.returncode != 1:
            return f"{arguments[0]} ends with {done.returncode}: {said[:300]}"
        if f"{name}.c:{place}: error: " not in first or words not in first:
            return f"{arguments[0]} says {first[:300]}"
        if files_of(folder) != before or os.stat(path).st_mtime != 1000:
            return f"{arguments[0]} writes"
        if len(said) > 40000:
            return f"{arguments[0]} says {len(said)} bytes"
    os.remove(path)
    return None


def full():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def outputs(treefork, folder):
    """Outputs that cannot be written: what is wrong."""
    source, old, link = (os.path.join(folder, name) for name in ("good.c", "old.c", "link.c"))
    with open(source, "w") as file:
        file.write(scop(NEST))
    with open(old, "w") as file:
        file.write("what was here before\n")
    os.symlink(source, link)
    before = files_of(folder)
    for name, path, code, words, prepare in (("a full disk", old, 1, "old.c", full), ("the source itself", source, 2, "is the source", limit),
                                             ("a link to the source", link, 2, "is the source", limit),
                                             ("a folder that is not there", os.path.join(folder, "none", "out.c"), 1, "none", limit),
                                             ("a folder", folder, 1, folder, limit)):
        done = subprocess.run([treefork, "map", source, "-o", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              preexec_fn=prepare)
        if done.returncode != code or words not in done.stderr:
            return f"{name}: ends with {done.returncode}: {done.stderr}"
        if files_of(folder) != before:
            return f"{name}: writes"
    return None


def main():
    treefork = os.path.join(os.path.abspath(sys.argv[1]), "treefork")
    wrong = {}
    for name in INPUTS:
        with tempfile.TemporaryDirectory() as folder:
            problem = refused(treefork, folder, name)
            if problem:
                wrong[name] = problem
    with tempfile.TemporaryDirectory() as folder:
        problem = outputs(treefork, folder)
        if problem:
            wrong["output"] = problem
    for name, problem in wrong.items():
        print(f"{name}: {problem}")
    print(f"{len(INPUTS)} bad inputs, {len(wrong)} wrong")
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
