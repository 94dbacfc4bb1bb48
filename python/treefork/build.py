"""C files to a shared library, by the tool and the C compiler, through the cache."""
import functools
import json
import os
import re
import shlex
import shutil
import subprocess

from . import cache, library
from .errors import BuildError

FLAGS = ["-O3", "-march=native", "-fopenmp", "-fPIC", "-shared", "-w"]


class Options:
    """What the user asks of a build: words for the tool, words for the C compiler."""

    def __init__(self, define=(), include=(), reassociate=False, restrict=False, contract=False, strict=False,
                 function=None, options=(), cflags=(), cc=None):
        pairs = define.items() if isinstance(define, dict) else [tuple(word.split("=", 1)) for word in _list(define)]
        names = [pair[0] if len(pair) == 1 or pair[1] is None else f"{pair[0]}={pair[1]}" for pair in pairs]
        folders = [os.path.abspath(os.fspath(path)) for path in _list(include)]
        self.preprocessor = [f"-D{name}" for name in names] + [f"-I{path}" for path in folders]
        self.tool = [word for name in names for word in ("-D", name)]
        self.tool += [word for path in folders for word in ("-I", path)]
        self.tool += ["--function", function] if function else ["--any"]
        flags = {"--reassociate": reassociate, "--restrict": restrict, "--contract": contract, "--strict": strict}
        self.tool += [flag for flag, is_set in flags.items() if is_set] + _list(options)
        self.cflags = _list(cflags)
        self.compiler = shlex.split(cc or os.environ.get("CC") or "cc")

    def texts(self):
        """Everything of the options and of the machine that decides what is built."""
        tool = os.stat(library.tool())
        return [library.tool(), str(tool.st_size), str(tool.st_mtime_ns), library.library_path(), *self.tool, "--",
                *self.preprocessor, *self.cflags, "--", *self.compiler, compiler_version(tuple(self.compiler)),
                processor()]


def _list(words):
    return [words] if isinstance(words, (str, os.PathLike)) else list(words)


@functools.lru_cache(maxsize=None)
def compiler_version(compiler):
    """What the C compiler says of itself."""
    if not shutil.which(compiler[0]):
        raise BuildError(f"there is no C compiler '{compiler[0]}': install gcc, or set CC or cc=")
    return subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=False).stdout


@functools.lru_cache(maxsize=None)
def processor():
    """What -march=native means here: a cache may be shared by machines."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            lines = re.findall(r"^(?:flags|Features|model name)\s*:.*", file.read(), re.M)
    except OSError:
        lines = []
    return "\n".join(lines[:2])


def _headers(path, folder):
    """The files that a rule of the compiler's names, without those made by us."""
    with open(path, encoding="utf-8") as file:
        text = file.read().replace("\\\n", " ").split(":", 1)[1]
    names = [os.path.abspath(name.replace("\\ ", " ")) for name in re.findall(r"(?:\\ |\S)+", text)]
    return [name for name in names if not name.startswith(folder + os.sep)]


def _run_tool(source, folder, options):
    done = library.run_tool(["build", source, "-o", folder, "--interface", *options.tool])
    if done.returncode != 0:
        raise BuildError(f"treefork does not build {source}:\n{done.stderr.strip()}")
    return done.stderr


def _compile(sources, stems, folder, options):
    """Returns the headers that were used."""
    made = []
    for source, stem in zip(sources, stems):
        output = os.path.join(folder, stem + ".o")
        words = [*options.compiler, *FLAGS, "-c", "-MMD", "-MF", output + ".d", "-iquote", os.path.dirname(source),
                 *options.preprocessor, f"-I{library.include_folder()}", *options.cflags,
                 os.path.join(folder, stem + ".tf.c"), "-o", output]
        _run_compiler(words, source)
        made.append(output)
    _run_compiler([*options.compiler, *FLAGS, *options.cflags, *made, library.library_path(), "-lm", "-o",
                   os.path.join(folder, "module.so")], sources[0])
    used = {name for output in made for name in _headers(output + ".d", folder)}
    for output in made:
        os.remove(output)
    return used - set(sources)


def _run_compiler(words, source):
    done = subprocess.run([word for word in words if word != "-shared" or "-c" not in words], capture_output=True,
                          text=True, errors="replace", check=False)
    if done.returncode != 0 and "-fopenmp" in words and "openmp" in done.stderr:
        _run_compiler([word for word in words if word != "-fopenmp"], source)
    elif done.returncode != 0:
        raise BuildError(f"the C compiler does not compile what treefork made of {source}:\n{done.stderr.strip()}")


def _make(sources, options, folder):
    stems = [os.path.splitext(os.path.basename(source))[0] for source in sources]
    if len(set(stems)) != len(stems):
        raise BuildError(f"two files have one name: {', '.join(sources)}")
    said = [_run_tool(source, folder, options) for source in sources]
    used = _compile(sources, stems, folder, options)
    functions = {}
    for source, stem in zip(sources, stems):
        with open(os.path.join(folder, stem + ".interface.json"), encoding="utf-8") as file:
            for function in json.load(file)["functions"]:
                functions[function["name"]] = dict(function, source=source)
    with open(os.path.join(folder, "module.json"), "w", encoding="utf-8") as file:
        json.dump({"functions": functions, "said": "".join(said)}, file)
    return used


def build(sources, options):
    """The folder with the library of the files: module.so, and module.json with its functions."""
    paths = [os.path.realpath(os.fspath(source)) for source in sources]
    for path in paths:
        if not os.path.isfile(path):
            raise FileNotFoundError(f"treefork.load: there is no file {path}")
    contents = [text for path in paths for text in (path, cache.file_digest(path) or "")]
    key = cache.digest("\0".join(options.texts() + contents))
    return cache.entry(key, lambda folder: _make(paths, options, folder))


def store(text, name):
    """A file with this text in the cache: source that was never in a file of the user's."""
    def write(folder):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        return []
    return os.path.join(cache.entry(cache.digest("source\0" + name + "\0" + text), write), name)
