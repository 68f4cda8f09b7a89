"""Run code as a user who may not write everywhere: root may, so root becomes nobody for a while."""

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534


def as_ordinary_user(function, *arguments):
    """What a function returns, or the exception it raises, when it is run without privileges.

    No child is forked: one made while other threads run can wait for their locks for ever.
    """
    group = os.getegid()
    root = os.geteuid() == 0
    if root:
        os.setresgid(NOBODY, NOBODY, group)
        os.setresuid(NOBODY, NOBODY, 0)
    try:
        return function(*arguments)
    except Exception as problem:
        return problem
    finally:
        if root:
            os.setresuid(0, 0, 0)
            os.setresgid(group, group, group)


@contextmanager
def locked_folder():
    """A folder that an ordinary user may read but not write."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o555)
        yield Path(name)
        Path(name).chmod(0o755)
