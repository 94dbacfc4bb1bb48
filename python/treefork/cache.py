"""The compile cache: a folder per build, found by the content of everything that went into it.

An entry's key is a digest of options, versions and source files. Headers are known only once a file was
compiled: an entry lists those that it used with their digests, and serves while all are as they were; so
one key may have several entries. Entries are made in a folder of their own name and renamed, so that any number of
processes and threads may use a cache; a lock per key keeps them from compiling the same twice.
"""
import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import stat
import tempfile

ENTRIES_MOST = 256
_own_folder = None


def digest(data):
    """The digest of bytes or of a text."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def file_digest(path):
    """The digest of a file's content; None if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return digest(file.read())
    except OSError:
        return None


def _temporary():
    global _own_folder
    if _own_folder is None:
        _own_folder = tempfile.TemporaryDirectory(prefix="treefork-")
    return _own_folder.name


def folder():
    """The cache's folder: below TREEFORK_CACHE_DIR, XDG_CACHE_HOME or ~/.cache; for this process alone where
    TREEFORK_CACHE_DIR is "none", or where the folder may be written by others, since what lies there is run."""
    asked = os.environ.get("TREEFORK_CACHE_DIR")
    if asked == "none":
        return _temporary()
    base = asked or os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "treefork")
    path = os.path.join(base, "python")
    try:
        os.makedirs(base, mode=0o700, exist_ok=True)
        os.makedirs(path, mode=0o700, exist_ok=True)
        status = os.lstat(path)
    except OSError:
        return _temporary()
    safe = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & 0o077
    return path if safe and os.access(path, os.W_OK) else _temporary()


def _serves(path):
    try:
        with open(os.path.join(path, "used.json"), encoding="utf-8") as file:
            used = json.load(file)
    except (OSError, ValueError):
        return False
    return all(file_digest(name) == wanted for name, wanted in used.items())


def _find(base, key):
    for name in sorted(name for name in os.listdir(base) if name.startswith(key + ".")):
        path = os.path.join(base, name)
        if not name.endswith(".lock") and _serves(path):
            with contextlib.suppress(OSError):
                os.utime(path)
            return path
    return None


@contextlib.contextmanager
def _locked(base, key):
    with open(os.path.join(base, key + ".lock"), "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _age(path):
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0


def _bound(base):
    """Takes away what was used longest ago."""
    entries = [os.path.join(base, name) for name in os.listdir(base)
               if not name.startswith("new-") and not name.endswith(".lock")]
    for path in sorted(entries, key=_age)[:max(0, len(entries) - ENTRIES_MOST)]:
        shutil.rmtree(path, ignore_errors=True)


def entry(key, make):
    """The folder of the entry for a key. `make(folder)` fills a new one and returns the paths of the headers that
    it used; what it raises is passed on, and leaves nothing behind."""
    base = folder()
    found = _find(base, key)
    if found:
        return found
    with _locked(base, key):
        found = _find(base, key)
        if found:
            return found
        new = tempfile.mkdtemp(prefix="new-", dir=base)
        try:
            used = {path: file_digest(path) for path in make(new)}
            with open(os.path.join(new, "used.json"), "w", encoding="utf-8") as file:
                json.dump(used, file)
            path = os.path.join(base, f"{key}.{digest(json.dumps(used, sort_keys=True))[:16]}")
            shutil.rmtree(path, ignore_errors=True)
            os.rename(new, path)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
        _bound(base)
        return path
