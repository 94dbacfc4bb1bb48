"""treefork.tune: the tool measures a function's choices, and programs take the best one from then on."""
import json
import os
import tempfile

from . import library
from .errors import TreeforkError


class Tuned:
    """What tuning found: `text` is what the tool printed, `trials` the results of the T4 document."""

    def __init__(self, text, document):
        self.text, self.document = text, document
        self.trials = document.get("results", [])

    @property
    def best(self):
        """The tool's lines about the choices that it kept."""
        return [line for line in self.text.splitlines() if line.startswith("best:")]

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"<tuned: {len(self.trials)} trials; {'; '.join(self.best) or 'nothing kept'}>"


def tune(function, *, strategy="model", trials=None, runs=None, patience=None, generic=False, fresh=False,
         options=(), **parameters):
    """Measures choices of `function` (k.smooth) at these parameters on the device that is here, and keeps the best in
    the folder of the cache: functions of this process take it from their next run on, and so do processes that start
    afterwards (docs/tuning.md). Returns Tuned. The keywords are the options of `treefork tune`."""
    from .explanation import words_of, words_of_parameters
    if not function.regions:
        raise TreeforkError(f"{function.name} has no region: there is nothing to tune")
    sets = words_of_parameters(function, parameters)
    numbers = {"--trials": trials, "--runs": runs, "--patience": patience}
    with tempfile.TemporaryDirectory(prefix="treefork-") as folder:
        output = os.path.join(folder, "trials.json")
        words = ["tune", function.source, *function.module.options.tool, *words_of(function), "--strategy", strategy,
                 "--output", output, *options]
        words += [word for name, value in numbers.items() if value is not None for word in (name, str(value))]
        words += ["--generic"] * generic + ["--fresh"] * fresh + (["--set", sets] if sets else [])
        done = library.run_tool(words)
        if done.returncode != 0:
            raise TreeforkError(f"treefork tune: {(done.stderr or done.stdout).strip()}")
        library.library().treefork_tune_forget()
        with open(output, encoding="utf-8") as file:
            return Tuned(done.stdout, json.load(file))
