"""Runs a command with stderr on a terminal of its own and prints what the terminal got, and how stdout ended.

Usage: progress.py TERM COMMAND...      A return to the line's beginning is printed as <, clearing to its end as >."""
import os
import pty
import subprocess
import sys
import threading

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
result = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, stderr=slave, env={**os.environ, "TERM": sys.argv[1]})
os.close(slave)
reader.join()
text = shown.decode().replace("\r\n", "\n").replace("\x1b[K", ">").replace("\r", "<")
print(f"terminal: {text}.")
if b"\r" in result.stdout or b"\x1b" in result.stdout:
    print("stdout has a part of the line")
