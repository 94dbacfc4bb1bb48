"""Runs a command with stderr on a terminal of its own and prints what the terminal got, and how stdout ended.

Usage: progress.py TERM COMMAND...      A return to the line's beginning is printed as <, clearing to its end as >. The command finds
in SHOWN the path of a file that has what the terminal got so far."""
import os
import sys
import tempfile

import on_terminal

with tempfile.NamedTemporaryFile() as copy:
    environment = {**os.environ, "TERM": sys.argv[1], "SHOWN": copy.name}
    shown, result = on_terminal.run(sys.argv[2:], "stderr", environment, copy.name)
text = shown.replace("\r\n", "\n").replace("\x1b[K", ">").replace("\r", "<")
print(f"terminal: {text}.")
if b"\r" in result.stdout or b"\x1b" in result.stdout:
    print("stdout has a part of the line")
