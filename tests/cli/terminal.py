"""Runs a command with stdout on a terminal of its own and prints what the terminal got, escapes as \\e.

Usage: terminal.py NAME=VALUE... COMMAND..."""
import os
import pty
import subprocess
import sys
import threading

arguments = sys.argv[1:]
environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "PAGER", "LESS")}
environment["TERM"] = "xterm"
while "=" in arguments[0]:
    name, value = arguments.pop(0).split("=", 1)
    environment[name] = value
master, slave = pty.openpty()
shown = bytearray()


def collect():
    while True:
        try:
            data = os.read(master, 4096)
        except OSError:
            return
        if not data:
            return
        shown.extend(data)


reader = threading.Thread(target=collect)
reader.start()
result = subprocess.run(arguments, stdout=slave, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=environment)
os.close(slave)
reader.join()
print(shown.decode().replace("\r\n", "\n").replace("\x1b", "\\e"), end="")
print(f"status {result.returncode}")
