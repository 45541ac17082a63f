"""Answers of the program as objects: frozen, typed, and shown as tables in a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, NoReturn, TypeVar

from .html import table
from .program import ProgramError

T = TypeVar("T", bound="Answer")


class Fixed(dict[str, Any]):
    """A dictionary that cannot be written to; unlike a MappingProxyType it can be copied and pickled."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("an answer of the program cannot be changed")

    __setitem__ = __delitem__ = update = pop = popitem = clear = setdefault = __ior__ = _refuse  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Fixed], tuple[dict[str, Any]]]:
        return Fixed, (dict(self),)


def frozen(value: Any) -> Any:
    """Lists as tuples, all the way down; mappings cannot be written to.

    >>> frozen([1, [2, 3]])
    (1, (2, 3))
    """
    if isinstance(value, list):
        return tuple(map(frozen, value))
    if isinstance(value, dict):
        return Fixed({name: frozen(one) for name, one in value.items()})
    return value


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer of the program: fields hold the most common values, `answer` holds everything."""

    answer: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def read(cls: type[T], answer: Mapping[str, Any], **others: Any) -> T:
        """The object of an answer in JSON: a field is the key of its name (without a last _); `others` are given as such."""
        values: dict[str, Any] = {"answer": frozen(dict(answer)), **others}
        for one in fields(cls):
            key = one.name.rstrip("_")
            if one.name in values or key not in answer and one.default is not MISSING:
                continue
            if key not in answer:
                raise ProgramError(f'the answer lacks "{key}": the program has another version than this package', 1)
            values[one.name] = frozen(answer[key])
        return cls(**values)

    def facts(self) -> list[tuple[str, object]]:
        """Names and values of the fields that are neither empty nor objects."""
        held = [(one.name.rstrip("_").replace("_", " "), getattr(self, one.name)) for one in fields(self) if one.repr]
        return [(name, value) for name, value in held if value is not None and value != ()
                and not isinstance(value, Answer) and not (isinstance(value, tuple) and isinstance(value[0], Answer))]

    def _repr_html_(self) -> str:
        return table(type(self).__name__, self.facts())
