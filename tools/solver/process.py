"""One process under limits. In: a command, its standard input, limits. Out: what it printed, how it ended, its CPU time (user and
system, itself and the children it waited for, from wait4) and wall time. The limit of CPU time is the kernel's
(RLIMIT_CPU), that of wall time a timer that kills the process's own group; output goes to files, so that no pipe can block."""
import os
import resource
import signal
import subprocess
import tempfile
import threading
import time


class Limits:
    def __init__(self, seconds, megabytes=4096):
        self.seconds, self.megabytes = seconds, megabytes


class Result:
    def __init__(self, out, error, status, cpu, wall, over):
        self.out, self.error, self.status, self.cpu, self.wall, self.over = out, error, status, cpu, wall, over


def run(command, limits, text=""):
    def child():
        cpu = int(limits.seconds + 1)
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
        resource.setrlimit(resource.RLIMIT_AS, (limits.megabytes << 20, limits.megabytes << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error:
        source.write(text.encode())
        source.seek(0)
        start = time.monotonic()
        process = subprocess.Popen(command, stdin=source, stdout=out, stderr=error, preexec_fn=child, start_new_session=True)
        timer = threading.Timer(limits.seconds, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        wall, cpu = time.monotonic() - start, usage.ru_utime + usage.ru_stime
        process.returncode = os.waitstatus_to_exitcode(status)
        over = process.returncode in (-signal.SIGKILL, -signal.SIGXCPU) and max(wall, cpu) >= 0.95 * limits.seconds
        texts = []
        for f in (out, error):
            f.seek(0)
            texts.append(f.read(8 << 20).decode(errors="replace"))
        return Result(texts[0], texts[1], process.returncode, cpu, wall, over)
