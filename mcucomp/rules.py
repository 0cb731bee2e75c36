"""What may a plan do beyond choosing an order?

`orders` is always there: the steps may run in any order that their data allow.
`+rewrites` changes the graph without changing a result (see `rewrite/`),
`+views` lets tensors share bytes instead of copying them, `+overlap` lets a
step write over an input that it is the last to read, `+edges` quantises a float
input while it is handed over, so that the floats are not in the arena, `+values`
drops what no input can make matter (see `values/`).
"""

from __future__ import annotations

from dataclasses import dataclass

from mcucomp.errors import InvalidInput, nearest_first

ORDERS = "orders"


@dataclass(frozen=True, slots=True)
class Rules:
    """A set of rules; floors and verdicts hold under the rules that they name."""

    views: bool = False
    rewrites: bool = False
    overlap: bool = False
    edges: bool = False
    values: bool = False

    @property
    def name(self) -> str:
        """As documents have it, such as `orders+views+rewrites+overlap+edges+values`."""
        return "+".join([ORDERS, *(n for n in OPTIONAL if getattr(self, n))])


OPTIONAL = ("views", "rewrites", "overlap", "edges", "values")
ALL = Rules(views=True, rewrites=True, overlap=True, edges=True, values=True)
# With inputs in the arena as the model has them.
SAME_INPUTS = Rules(views=True, rewrites=True, overlap=True, values=True)


def parse(text: str) -> Rules:
    """The rules that `text` lists, separated by commas or plus signs; `all` are all of them.

    Raises:
        InvalidInput: a name is not known.
    """
    names = [name.strip() for name in text.replace("+", ",").split(",") if name.strip()]
    known = ("all", ORDERS, *OPTIONAL)
    for name in names:
        if name not in known:
            raise InvalidInput(
                f"rule {name} is not known",
                at="--rules",
                fix="known are " + ", ".join(nearest_first(name, known)),
            )
    if "all" in names:
        return ALL
    return Rules(**{name: name in names for name in OPTIONAL})
