"""Installs the program, too, into bin/ of the environment, beside the package (the rest is in pyproject.toml).

The program is the one that $COTERIE names, or is built with cmake in the tree around this folder as usual; a copy of
this folder alone installs only the package. scikit-build-core would do the same, but Debian 12 has none.
"""

import atexit
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from setuptools import Distribution, setup

ROOT = Path(__file__).resolve().parents[1]


def program() -> "Path | None":
    if named := os.environ.get("COTERIE"):
        return Path(named)
    if not (ROOT / "CMakePresets.json").is_file():
        return None
    for command in (["cmake", "--preset", "release"], ["cmake", "--build", "--preset", "release", "--target", "coterie"]):
        try:
            built = subprocess.run(command, cwd=ROOT, check=False).returncode == 0
        except FileNotFoundError:
            raise SystemExit("cmake, which builds the program, is missing: run scripts/setup to install it, or name a "
                             "program that is built already: COTERIE=/path/to/coterie pip install ...") from None
        if not built:
            raise SystemExit(f"{' '.join(command)} failed: run scripts/setup to install what the build needs")
    return ROOT / "build" / "release" / "coterie"


class OfThisMachine(Distribution):
    """The wheel contains a program, so it works only on machines like this one."""

    def has_ext_modules(self) -> bool:
        return bool(self.data_files)


found = program()
scratch = tempfile.mkdtemp(prefix="coterie-wheel-")  # nothing is written into the tree
atexit.register(shutil.rmtree, scratch, ignore_errors=True)
if found:  # under the name by which the package finds it, whatever $COTERIE is called
    found = Path(shutil.copy(found, Path(scratch) / "coterie"))
setup(distclass=OfThisMachine, data_files=[("bin", [os.path.relpath(found, Path(__file__).parent)])] if found else [],
      options={"build": {"build_base": scratch}, "egg_info": {"egg_base": scratch}})
