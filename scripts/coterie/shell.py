"""Whether Python runs in a notebook."""

from __future__ import annotations

import sys


def in_a_notebook() -> bool:
    """By the shell, which has a kernel in a notebook and none at a terminal.

    >>> in_a_notebook()
    False
    """
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return hasattr(shell, "kernel")
