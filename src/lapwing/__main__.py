"""The command line's door: ``lapwing`` and ``python -m lapwing``."""

import sys

from lapwing.errors import MissingExtraError
from lapwing.optional import need


def main() -> None:
    """Run the command line, or say which extra brings it."""
    try:
        need("typer", extra="cli")
        need("rich", extra="cli")
    except MissingExtraError as missing:
        sys.exit(f"lapwing: the command line {missing}")
    need("lapwing.cli", extra="cli").main()


if __name__ == "__main__":
    main()
