"""Run code as a user who may not write everywhere: root may, so root becomes nobody in a child."""

import os
import pickle
import tempfile
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534


def as_ordinary_user(function, *arguments):
    """What a function returns, or the exception it raises, when it is run without privileges."""
    if os.geteuid() != 0:
        return _outcome(function, arguments)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(_outcome(function, arguments), pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        outcome = pickle.load(pipe)
    os.waitpid(child, 0)
    return outcome


@contextmanager
def locked_folder():
    """A folder that an ordinary user may read but not write."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o555)
        yield Path(name)
        Path(name).chmod(0o755)


def _outcome(function, arguments):
    try:
        return function(*arguments)
    except BaseException as problem:
        return problem
