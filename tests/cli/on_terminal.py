"""What a command shows on a terminal of its own."""
import os
import pty
import subprocess
import threading


def run(arguments, stream, environment, copy=None):
    """`stream`, stdout or stderr, is the terminal. The text that it got, and the finished process; what else it wrote to stdout is
    in that, stderr is dropped. `copy` is the path of a file that has what the terminal got so far."""
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
            if copy:
                with open(copy, "ab") as file:
                    file.write(data)

    reader = threading.Thread(target=collect)
    reader.start()
    others = {"stdout": {"stderr": subprocess.DEVNULL}, "stderr": {"stdout": subprocess.PIPE}}[stream]
    result = subprocess.run(arguments, stdin=subprocess.DEVNULL, env=environment, **{stream: slave}, **others)
    os.close(slave)
    reader.join()
    return shown.decode(), result
