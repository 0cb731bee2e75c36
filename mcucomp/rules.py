"""What may a plan do beyond choosing an order?

`orders` is always there: the steps may run in any order that their data allow.
`+rewrites` changes the graph without changing a result (see `rewrite/`),
`+views` lets tensors share bytes instead of copying them, `+overlap` lets a
step write over an input that it is the last to read, `+edges` quantises a float
input while it is handed over, so that the floats are not in the arena, `+values`
drops what no input can make matter (see `values/`). `+rows` runs operators one row
at a time where that takes less; it is not one of `all`, since planning takes longer
and the code runs in more, smaller steps; nor is `+integers`, which leaves conversions
at the edges of the graph to the application. `free-rows` is `+rows` for those
models alone that run as fast in rows by estimate (see `rows/worth.py`), or that a board has no
room for otherwise; a plan that comes of it names `+rows`, or neither.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mcucomp.errors import InvalidInput, nearest_first

ORDERS, FREE_ROWS = "orders", "free-rows"


@dataclass(frozen=True, slots=True)
class Rules:
    """A set of rules; floors and verdicts hold under the rules that they name."""

    views: bool = False
    rewrites: bool = False
    overlap: bool = False
    edges: bool = False
    values: bool = False
    rows: bool = False
    integers: bool = False
    free_rows: bool = False

    @property
    def name(self) -> str:
        """As documents have it, such as `orders+views+rewrites+overlap+edges+values`."""
        return "+".join([ORDERS, *(n for n in OPTIONAL if getattr(self, n))])


OPTIONAL = ("views", "rewrites", "overlap", "edges", "values", "rows", "integers")
ALL = Rules(views=True, rewrites=True, overlap=True, edges=True, values=True)
# What a build does if nothing is said.
DEFAULT = replace(ALL, free_rows=True)
# With inputs in the arena as the model has them.
SAME_INPUTS = Rules(views=True, rewrites=True, overlap=True, values=True)


def parse(text: str) -> Rules:
    """The rules that `text` lists, separated by commas or plus signs; `all` are views to values.

    Raises:
        InvalidInput: a name is not known.
    """
    names = [name.strip() for name in text.replace("+", ",").split(",") if name.strip()]
    known = ("all", ORDERS, *OPTIONAL, FREE_ROWS)
    for name in names:
        if name not in known:
            raise InvalidInput(
                f"rule {name} is not known",
                at="--rules",
                fix="known are " + ", ".join(nearest_first(name, known)),
            )
    listed = Rules(**{name: name in names for name in OPTIONAL})
    if "all" in names:
        listed = replace(ALL, rows=listed.rows, integers=listed.integers)
    return replace(listed, free_rows=FREE_ROWS in names)
