"""What tools/try-suite does with one program of a suite: the C compiler's program, the mapped text
as serial C, the program of `treefork build` on the device, and how their outputs compare.

A suite is a file of this folder (README.md) that makes a Case of each program, dataset and form. A
Trial takes a Case to a Result: one stage after the other adds what it found, and the first that
goes wrong is the last."""

import collections
import dataclasses
import filecmp
import os
import re
import resource
import signal
import subprocess
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CFLAGS = ["-O2", "-ffp-contract=off", "-w", "-Wl,--wrap=fprintf"]
LIBRARIES = ["-lm", "-ldl", "-lpthread"]
# What mapped text is told when it runs: the threads of the device (verify takes 262144), and blocks
# that divide nothing.
RUNS = (
    {"SUITE_THREADS": "1"},
    {"SUITE_THREADS": "262144"},
    {"SUITE_THREADS": "262144", "SUITE_BLOCK": "7"},
)
# What PoCL's compiler writes to standard error when a kernel is compiled.
COMPILER_SAYS = re.compile(r"\d+ warnings? generated\.\n")
PROBE = os.path.join(HERE, "probe.c")

# flags: -I and -D for both compilers; others: C files that are compiled as they are; choice: options
# of `treefork` (["--all"]); arguments: the program's; place: where it runs, a path below the trial's
# folder ("": in the folder that try-suite runs in); only_cc: options for the C compiler alone;
# settings: of the environment when it runs.
Case = collections.namedtuple(
    "Case",
    "name dataset form source flags others choice arguments place only_cc settings",
    defaults=((), (), "", (), {}),
)
# status: None if it took too long; seconds: of processor time; log: what it said
Run = collections.namedtuple("Run", "status seconds log")


class Wrong(Exception):
    """What the user gave is wrong; the text says how."""


@dataclasses.dataclass
class Result:
    """What is known of a Case. `map` and `device`: "equal", what is wrong, or "" if not tried."""

    case: Case
    statements: int = 0  # of the fragments that were read
    mapped: int = 0  # of those, how many stand in regions
    regions: int = 0  # in the mapped text
    seconds: float = 0.0  # of processor time for `treefork map`
    map: str = ""
    device: str = ""
    entered: int = 0  # how often serial C entered a region of the mapped text
    launches: int = 0
    details: list = dataclasses.field(default_factory=list)  # lines of the suite's own

    def is_hollow(self):
        """Nothing of it ran in a region, however equal it is."""
        return (self.map == "equal" and not self.entered) or (
            self.device == "equal" and not self.launches
        )

    def is_good(self, stages):
        return all(getattr(self, stage) == "equal" for stage in stages) and not self.is_hollow()


class Stop(Exception):
    """A stage ended before its output could be compared; the text says why."""


class Processes:
    """The processes that run, each in a group of its own with all that it starts, so that a limit
    or an interrupt ends all."""

    def __init__(self):
        self.running, self.lock = set(), threading.Lock()

    def kill_all(self):
        with self.lock:
            for pid in self.running:
                os.killpg(pid, signal.SIGKILL)

    def run(self, command, out, err, limit, settings, place=None):
        environment = dict(os.environ, **settings)
        try:
            with open(out, "w") as output, open(err, "w") as errors:
                process = subprocess.Popen(
                    command,
                    stdout=output,
                    stderr=errors,
                    stdin=subprocess.DEVNULL,
                    env=environment,
                    cwd=place,
                    start_new_session=True,
                )
        except OSError as error:
            raise Wrong(f"{command[0]}: {error.strerror}")
        with self.lock:
            self.running.add(process.pid)
        late = threading.Event()
        timer = threading.Timer(limit, lambda: (late.set(), os.killpg(process.pid, signal.SIGKILL)))
        timer.start()
        os.waitid(
            os.P_PID, process.pid, os.WEXITED | os.WNOWAIT
        )  # its number stays its own until wait4
        timer.cancel()
        with self.lock:
            self.running.discard(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return None if late.is_set() else process.returncode, usage.ru_utime + usage.ru_stime


PROCESSES = Processes()


def read(path):
    with open(path, errors="replace") as file:
        return file.read()


def lines_keep(path, is_kept):
    """The file with those lines alone."""
    lines = [line for line in read(path).splitlines(True) if is_kept(line)]
    with open(path, "w") as file:
        file.writelines(lines)


def lines_difference(want, got):
    """The first line in which two files differ."""
    pairs = zip(read(want).splitlines(), read(got).splitlines())
    for number, (line, other) in enumerate(pairs, 1):
        if line != other:
            return f"line {number}: {other.strip()[:60]!r}, not {line.strip()[:60]!r}"
    return "one output is longer"


def first_complaint(text):
    """The line that says what went wrong: the first error, else the last line, if there is one."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"\berror\b|Assertion|treefork: ", line)]
    line = (errors or lines[-1:] or [""])[0]
    return re.sub(r"^\S*/", "", line)


def end_in_words(status):
    if status is None:
        return "took too long"
    if status < 0:
        return f"ended by {signal.Signals(-status).name}"
    return f"ended with {status}"


class Trial:
    """A Case in a folder of its own."""

    def __init__(self, suite, case, build, folder, limit):
        self.suite, self.build, self.folder, self.limit = suite, build, folder, limit
        self.result = Result(case)
        self.case = suite.prepare(case, folder) if hasattr(suite, "prepare") else case
        self.choice = list(self.case.choice)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run(self, name, command, place=None, **settings):
        """The output is left in NAME.out and NAME.err."""
        out, err = self.path(name + ".out"), self.path(name + ".err")
        status, seconds = PROCESSES.run(command, out, err, self.limit, settings, place)
        return Run(status, seconds, read(err) if status else "")

    def must(self, what, name, command, place=None, **settings):
        """Stops the stage where the command fails."""
        done = self.run(name, command, place, **settings)
        if done.status != 0:
            said = first_complaint(done.log)
            raise Stop(f"{what} {end_in_words(done.status)}" + (f": {said}" if said else ""))
        return done

    def treefork(self, *words):
        return [os.path.join(self.build, "treefork"), *words, *self.case.flags]

    def compile(self, name, source, flags, libraries=()):
        self.must(
            "cc",
            "cc-" + name,
            [
                "cc",
                *CFLAGS,
                *self.case.only_cc,
                *flags,
                *self.case.flags,
                "-o",
                self.path(name),
                source,
                *self.case.others,
                PROBE,
                *libraries,
                *LIBRARIES,
            ],
        )

    def execute(self, name, program, **settings):
        """Runs a program; how often it entered a region, and its launches."""
        counts = self.path(name + ".counts")
        place = self.path(self.case.place) if self.case.place else None
        command = [self.path(program), *self.case.arguments]
        settings = {"SUITE_COUNTS": counts, **self.case.settings, **settings}
        self.must("it", name, command, place, **settings)
        if hasattr(self.suite, "collect"):
            self.suite.collect(self, name)
        return map(int, re.findall(r"\d+", read(counts)))

    def compare(self, name):
        want, got = self.path("gcc." + self.suite.OUTPUT[3:]), self.path(
            name + "." + self.suite.OUTPUT[3:]
        )
        return (
            "equal" if filecmp.cmp(want, got, shallow=False) else self.suite.difference(want, got)
        )

    # --- stages ---------------------------------------------------------------------------------

    def reference(self):
        self.compile("gcc", self.case.source, [])
        self.execute("gcc", "gcc")
        if not os.path.getsize(self.path("gcc." + self.suite.OUTPUT[3:])):
            raise Stop("the C compiler's program printed nothing")

    def schedule_read(self):
        """Statements, and which of them stand in regions, by -d schedule."""
        self.must("-d schedule", "schedule", self.treefork("dump", "schedule", *self.choice, self.case.source))
        for part in read(self.path("schedule.out")).split("fragment of ")[1:]:
            self.result.statements += int(re.search(r": (\d+) statements", part).group(1))
            places = re.findall(r"^ *region .*", part, re.M)
            self.result.mapped += len(
                {name for place in places for name in re.findall(r"\bS\d+\b", place)}
            )

    def map(self):
        result, text = self.result, self.path(self.case.name + ".mapped.c")
        result.seconds = self.must(
            "map", "map", self.treefork("map", *self.choice, self.case.source, "-o", text)
        ).seconds
        result.regions = len(re.findall(r"\bmeta_schedule\b", read(text)))
        self.schedule_read()
        self.compile("mapped", text, ["-I", HERE])
        for number, settings in enumerate(RUNS):
            name = f"mapped-{number}"
            result.entered, _ = self.execute(name, "mapped", **settings)
            verdict = self.compare(name)
            if verdict != "equal":
                return verdict + "".join(f" {key}={value}" for key, value in settings.items())
        return "equal"

    def device(self):
        out, runtime = self.path("out"), os.path.join(ROOT, "runtime")
        stem = os.path.splitext(os.path.basename(self.case.source))[0]
        self.must("build", "build", self.treefork("build", *self.choice, self.case.source, "-o", out))
        self.compile(
            "device",
            os.path.join(out, stem + ".tf.c"),
            ["-DSUITE_DEVICE", "-I", out, "-I", runtime],
            [os.path.join(self.build, "libtreefork.a")],
        )
        settings = getattr(self.suite, "DEVICE", {"TREEFORK_ON_ERROR": "abort"})
        _, self.result.launches = self.execute(
            "device", "device", TREEFORK_QUIET="1", TREEFORK_HOST="never", **settings
        )
        lines_keep(self.path("device.err"), lambda line: not COMPILER_SAYS.fullmatch(line))
        return self.compare("device")

    def stage(self, name):
        try:
            verdict = getattr(self, name)()
        except Stop as stop:
            verdict = str(stop)
        setattr(self.result, name, verdict)
        return verdict == "equal"

    def all(self, stages):
        """Goes through the stages as long as they compute what the C compiler's program does."""
        try:
            self.reference()
        except Stop as stop:
            setattr(self.result, stages[0], f"no reference: {stop}")
            return self.result
        for name in stages:
            if not self.stage(name):
                break
        if hasattr(self.suite, "details"):
            self.result.details = self.suite.details(self)
        return self.result


def limits_set():
    """Programs that crash leave no core."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
