"""Is every text of a table of modules, read as OpenCL C and as CUDA C, the kernel of that name in NAME.cl and NAME.cu, but for
white space and blocks that no statement governs? "Read" is what the C preprocessor makes of it, with the parameters given bound and as a plane.

Usage: texts.py CC TEXTS NAME [-D...]     TEXTS: what texts.c printed of TABLE; NAME: NAME.cl and NAME.cu"""
import re
import subprocess
import sys

cc, texts, name, *options = sys.argv[1:]
LANGUAGES = ((".cl", ["-D__OPENCL_VERSION__=120"]), (".cu", ["-UTREEFORK_ROWS"]))    # only OpenCL devices have rows


def blocks_dropped(tokens):
    """Without the braces of blocks that stand behind a statement or a brace."""
    kept, open_braces = [], []
    for i, token in enumerate(tokens):
        if token == "{":
            open_braces.append(tokens[i - 1] not in (";", "{", "}"))
        if token not in "{}" or open_braces[-1]:
            kept.append(token)
        if token == "}":
            open_braces.pop()
    return kept


def read(text, language):
    command = [*cc.split(), "-E", "-P", "-x", "c", "-DTREEFORK_PLANE", *options, *language, "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return " ".join(blocks_dropped(re.findall(r"\w+|\S", done.stdout)))


modules = re.split(r"^//// (\w+)\n", open(texts, encoding="utf-8").read(), flags=re.M)[1:]
for suffix, language in LANGUAGES:
    file = read(open(name + suffix, encoding="utf-8").read(), language)
    for entry, text in zip(modules[::2], modules[1::2]):
        whole = read(text, language)
        start = re.search(r"(__attribute__ \( \( reqd\w+ \( 1 , 1 , 1 \) \) \) )?(__kernel|extern \" C \" __global__) void " + entry, whole)
        if not start or whole[start.start() :] not in file:
            sys.exit(f"{entry} is not in {name}{suffix}:\n{whole}")
        for pragma in whole[: start.start()].split("# "):
            if pragma not in file:
                sys.exit(f"what stands above {entry} is not in {name}{suffix}: {pragma}")
print(len(set(modules[::2])), "kernels are the same")
