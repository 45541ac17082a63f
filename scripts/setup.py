"""Brings the program along: into bin/ of the environment, beside the package (all else is in pyproject.toml).

The program is what $COTERIE names, else what cmake builds in the tree around this folder, by the same rules as always; a
copy of this folder alone installs the package alone. scikit-build-core would do the same, but Debian 12 has none.
"""

import os
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
            raise SystemExit("there is no cmake, which builds the program: scripts/setup installs what that needs, or name a "
                             "program that is built already: COTERIE=/path/to/coterie pip install ...") from None
        if not built:
            raise SystemExit(f"{' '.join(command)} failed: scripts/setup installs what building coterie needs")
    return ROOT / "build" / "release" / "coterie"


class OfThisMachine(Distribution):
    """The wheel holds a program, so that it is for machines like this one."""

    def has_ext_modules(self) -> bool:
        return bool(self.data_files)


found = program()
scratch = tempfile.mkdtemp(prefix="coterie-wheel-")  # nothing is written into the tree
setup(distclass=OfThisMachine, data_files=[("bin", [os.path.relpath(found.resolve(), Path(__file__).parent)])] if found else [],
      options={"build": {"build_base": scratch}, "egg_info": {"egg_base": scratch}})
