"""Runs a command with stdout on a terminal of its own and prints what the terminal got, escapes as \\e.

Usage: terminal.py NAME=VALUE... COMMAND..."""
import os
import sys

import on_terminal

arguments = sys.argv[1:]
environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "PAGER", "LESS")}
environment["TERM"] = "xterm"
while "=" in arguments[0]:
    name, value = arguments.pop(0).split("=", 1)
    environment[name] = value
shown, result = on_terminal.run(arguments, "stdout", environment)
print(shown.replace("\r\n", "\n").replace("\x1b", "\\e"), end="")
print(f"status {result.returncode}")
