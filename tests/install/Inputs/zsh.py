"""What zsh shows when the tab key is pressed behind some words, on a terminal of its own.

    python3 zsh.py FOLDER LINE…      FOLDER has _treefork; each LINE is typed, and what appears is printed"""
import os
import pty
import re
import select
import sys
import time

MARK = "ready-for-the-next"


def read_until(terminal, done, seconds):
    text, end = "", time.monotonic() + seconds
    while not done(text) and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            text += os.read(terminal, 65536).decode(errors="replace")
    return text


def command(terminal, line):
    os.write(terminal, f"{line}; print {MARK[:5]}''{MARK[5:]}\n".encode())
    read_until(terminal, lambda text: MARK in text, 60)


def plain(text):
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|[\x07\r]", "", text)


def main():
    folder, lines = sys.argv[1], sys.argv[2:]
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe("zsh", ["zsh", "-f", "-i"], dict(os.environ, TERM="dumb", PS1="> ", COLUMNS="200", LINES="100"))
    command(terminal, "stty cols 200 rows 100; setopt no_beep; unsetopt menu_complete auto_menu; setopt list_ambiguous")
    command(terminal, f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -D -u")
    for line in lines:
        os.write(terminal, line.encode() + b"\t")
        shown = read_until(terminal, lambda text: False, 3)
        os.write(terminal, b"\x03")
        read_until(terminal, lambda text: "> " in text, 5)
        print(f"== {line}\n{plain(shown)}")
    os.write(terminal, b"exit\n")
    os.close(terminal)
    os.waitpid(pid, 0)


main()
