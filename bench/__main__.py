"""Run every measurement, or those named: ``python -m bench [NAME ...]``."""

import pkgutil
import subprocess
import sys

import bench


def main() -> int:
    known = sorted(m.name for m in pkgutil.iter_modules(bench.__path__) if m.name != "__main__")
    wanted = sys.argv[1:] or known
    unknown = [name for name in wanted if name not in known]
    if unknown:
        print(f"no measurement named {', '.join(unknown)}; there are {', '.join(known)}")
        return 2
    failed = []
    for name in wanted:
        print(f"\n== {name}", flush=True)
        if subprocess.run([sys.executable, "-m", f"bench.{name}"], check=False).returncode:
            failed.append(name)
    if failed:
        print(f"\nfailed: {', '.join(failed)}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
