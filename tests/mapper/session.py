"""The commands of a Markdown page, run, and their answers beside those that the page shows.

    python3 session.py TREEFORK ROOT PAGE [--write] [--keep FOLDER]

A block of code whose paragraph before it ends in "`NAME`:", or has "as `NAME`" in it and ends in a colon, is that file. In a
block that begins with "$ ", each such line is a command; the lines below it are its answer (output and errors), in which a
line of "…" stands for any lines and "…" in a line for any characters. The commands run in a folder of their own with samples/
and machines/. --write puts the answers into the page where they have no "…". --keep leaves in FOLDER what the commands wrote.
Ends with 1 if an answer differs."""
import argparse
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

ELLIPSIS = "…"


def blocks(text):
    """Pairs of the paragraph before and the lines of a block, without their indentation, with the number of the first line."""
    lines, before, is_new, i = text.splitlines(), "", True, 0
    while i < len(lines):
        if lines[i].startswith("    "):
            begin = i
            while i < len(lines) and (lines[i].startswith("    ") or not lines[i].strip()):
                i += 1
            end = i
            while not lines[end - 1].strip():
                end -= 1
            yield before, begin, [line[4:] for line in lines[begin:end]]
            before = ""
        else:
            if lines[i].strip():
                before = lines[i] if is_new else before + " " + lines[i]
            is_new = not lines[i].strip()
            i += 1


def commands(block):
    """Pairs of a command and the lines of its answer."""
    found = []
    for line in block:
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def pattern_of(answer):
    parts = ["(?:.*\n)*" if line.strip() == ELLIPSIS else ".*".join(map(re.escape, line.split(ELLIPSIS))) + "\n"
             for line in answer]
    return re.compile("".join(parts))


def run(command, folder, treefork):
    environment = dict(os.environ, PATH=os.path.dirname(treefork) + os.pathsep + os.environ["PATH"])
    done = subprocess.run(command, shell=True, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=environment)
    return [line.rstrip() for line in done.stdout.splitlines()]


def block_run(block, folder, treefork):
    """The block with the answers of now, and how many differ."""
    lines, wrong = [], 0
    for command, answer in commands(block):
        n_blank = 0
        while answer and not answer[-1].strip():
            answer.pop()
            n_blank += 1
        said = run(command, folder, treefork)
        lines.append("$ " + command)
        is_pattern = any(ELLIPSIS in line for line in answer)
        if is_pattern and not pattern_of(answer).fullmatch("".join(line + "\n" for line in said)) or \
                not is_pattern and said != answer:
            print(f"$ {command}\n" + "\n".join(said) + "\n--- instead of\n" + "\n".join(answer))
            wrong += 1
        lines += (answer if is_pattern else said) + [""] * n_blank
    return lines, wrong


def folder_made(kept):
    """A folder for the commands: `kept`, or one that goes away."""
    if not kept:
        return tempfile.TemporaryDirectory()
    os.makedirs(kept)
    return contextlib.nullcontext(os.path.abspath(kept))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    for name in ("treefork", "root", "page"):
        parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--keep", metavar="FOLDER")
    return parser.parse_args()


def main():
    asked = arguments()
    with open(asked.page, encoding="utf-8") as file:
        text = file.read()
    out, end, wrong, count = [], 0, 0, 0
    with folder_made(asked.keep) as folder:
        for name in ("samples", "machines"):
            shutil.copytree(os.path.join(asked.root, name), os.path.join(folder, name))
        for before, begin, block in blocks(text):
            name = re.search(r"as `([\w.]+)`(?: instead)?:\s*$", before)
            out += text.splitlines()[end:begin]
            end = begin + len(block)
            if block[0].startswith("$ "):
                block, differing = block_run(block, folder, asked.treefork)
                wrong += differing
                count += sum(line.startswith("$ ") for line in block)
            elif name:
                with open(os.path.join(folder, name.group(1)), "w") as file:
                    file.write("\n".join(block) + "\n")
            out += ["    " + line if line else "" for line in block]
    out += text.splitlines()[end:]
    if asked.write:
        with open(asked.page, "w", encoding="utf-8") as file:
            file.write("\n".join(out) + "\n")
    print(f"{count} commands, {wrong} answers {'written' if asked.write else 'differ'}")
    return wrong > 0 and not asked.write


if __name__ == "__main__":
    sys.exit(main())
