"""The binary interface of libtreefork as a table: versions, exported symbols with their prototypes, layouts of structures and values
of constants of treefork.h and treefork-tables.h. Usage: abi.py BUILD ROOT WORKDIR TABLE [--write]

Without --write it compares with the committed table. What may change without a new TREEFORK_ABI is what only adds: symbols, constants,
structures that no function took before. A member that moves or a prototype that changes breaks programs that were compiled before:
raise TREEFORK_ABI (TREEFORK_TABLES for the tables of generated programs), which the soname has, and write the table anew."""
import os
import re
import subprocess
import sys

build, root, work, table = sys.argv[1:5]
HEADERS = ("treefork.h", "treefork-tables.h")
INCLUDE = "-I" + os.path.join(root, "runtime")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def symbols():
    library = os.path.join(build, "libtreefork.so")
    names = sorted(line.split()[-1] for line in output("nm", "-D", "--defined-only", library).splitlines())
    foreign = [name for name in names if not name.startswith("treefork_")]
    if foreign:
        sys.exit("exported, but not treefork_*: " + " ".join(foreign))
    return names


def prototypes(path):
    """By name, as the compiler reads them."""
    info = os.path.join(work, "prototypes")
    subprocess.run(["gcc", "-std=c11", INCLUDE, "-aux-info", info, "-fsyntax-only", path], check=True)
    found = {}
    for line in open(info):
        match = re.match(r"/\* (\S+):\d+:\w+ \*/ extern (.*?\b(treefork_\w+) \(.*\));", line)
        if match and os.path.basename(match.group(1)) in HEADERS:
            found[match.group(3)] = match.group(2)
    return found


def members(body):
    """Names of the members at the outer level."""
    while re.search(r"\{[^{}]*\}", body):
        body = re.sub(r"\{[^{}]*\}", "", body)
    names = []
    for statement in body.split(";"):
        statement = re.sub(r"\(\*(\w+)\)\s*\(.*\)", r" \1", statement, flags=re.S)
        for part in statement.split(","):
            match = re.search(r"(\w+)\s*(\[[^]]*\]\s*)*$", part.strip())
            if match and part.strip():
                names.append(match.group(1))
    return names


def structures(text):
    found = []
    for match in re.finditer(r"struct (treefork_\w+)\s*\{", text):
        at, deep = match.end(), 1
        while deep:
            deep += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        found.append((match.group(1), members(text[match.end():at - 1])))
    return found


def constants(text):
    names = re.findall(r"\b(TREEFORK_\w+)\b(?=\s*(?:=[^,}]*)?[,}])", "".join(re.findall(r"enum[^{;]*(\{[^}]*\})", text)))
    return sorted(set(names)) + ["TREEFORK_ABI", "TREEFORK_TABLES", "TREEFORK_UNLIMITED"]


def made():
    source = os.path.join(work, "abi.c")
    open(source, "w").write("".join('#include "%s"\n' % header for header in HEADERS))
    text = output("gcc", "-std=c11", INCLUDE, "-E", "-P", source)
    with open(source, "a") as file:
        file.write("int main(void)\n{\n")
        for name in constants(text):
            file.write('    printf("constant %s %%lld\\n", (long long)%s);\n' % (name, name))
        for struct, names in structures(text):
            file.write('    printf("struct %s %%zu bytes\\n", sizeof(struct %s));\n' % (struct, struct))
            for name in names:
                file.write('    printf("    %s at %%zu, %%zu bytes\\n", offsetof(struct %s, %s), sizeof ((struct %s *)0)->%s);\n'
                           % (name, struct, name, struct, name))
        file.write("    return 0;\n}\n")
    program = os.path.join(work, "abi")
    subprocess.run(["gcc", "-std=c11", "-w", INCLUDE, source, "-o", program], check=True)
    known = prototypes(source)
    exported = symbols()
    lines = ["soname " + re.search(r"SONAME.*\[(.*)\]", output("readelf", "-d", os.path.join(build, "libtreefork.so"))).group(1)]
    lines += ["function " + known.get(name, name + " without a prototype in a header") for name in exported]
    lines += ["declared, but not exported: " + name for name in sorted(known) if name not in exported]
    return lines + output(program).splitlines()


lines = made()
if "--write" in sys.argv:
    open(table, "w").write("\n".join(lines) + "\n")
    sys.exit()
committed = open(table).read().splitlines()
gone, new = [line for line in committed if line not in lines], [line for line in lines if line not in committed]
for line in gone:
    print("- " + line)
for line in new:
    print("+ " + line)
if lines == committed:
    print(f"the interface is as in the table: {sum(line.startswith('function') for line in lines)} functions, "
          f"{sum(line.startswith('struct') for line in lines)} structures")
elif gone:
    print("the interface differs from tests/install/abi.table: raise TREEFORK_ABI or TREEFORK_TABLES, then abi.py --write")
else:
    print("the interface has more than tests/install/abi.table: abi.py --write")
sys.exit(lines != committed)
