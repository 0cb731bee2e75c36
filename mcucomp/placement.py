"""Which memory region does each part of an image go to, when the user says so?

In: text such as `arena=dtcm,weights=qspi`, and a board. Out: the board with other
`sections`. Parts are those of the board file; `state` is another word for `data`,
where the model's instance lies. Regions are named as the board file does, in any case.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from mcucomp.boards import PART_KINDS, Board
from mcucomp.errors import InvalidInput, nearest_first

OPTION = "--place"
_OTHER_WORDS = {"state": "data"}


def parse(text: str) -> dict[str, str]:
    """Part -> region, as written; InvalidInput where the form is another or a part comes twice."""
    found: dict[str, str] = {}
    for entry in (entry.strip() for entry in text.split(",") if entry.strip()):
        word, equals, region = (piece.strip() for piece in entry.partition("="))
        if not (word and equals and region):
            raise InvalidInput(
                f"{entry} is not of the form PART=REGION",
                at=OPTION,
                fix="such as --place arena=sram,weights=flash",
            )
        part = _OTHER_WORDS.get(word.lower(), word.lower())
        if part in found:
            raise InvalidInput(
                f"{part} is placed twice, in {found[part]} and in {region}",
                at=OPTION,
                fix="name each part once",
            )
        found[part] = region
    return found


def place(board: Board, regions: Mapping[str, str], at: str = OPTION) -> Board:
    """`board` with the parts in `regions` (part -> region) where they say.

    Raises:
        InvalidInput: the board has no regions, a part or region is unknown, or a region
            is of the wrong kind. `at` says where that was asked for.
    """
    if not regions:
        return board
    if board.sections is None:
        raise InvalidInput(
            f"the board {board.name} has no memory regions", at=at, fix="leave the option out"
        )
    names = {part: _region_name(board, part, region, at) for part, region in regions.items()}
    return board.model_copy(update={"sections": board.sections.model_copy(update=names)})


def _region_name(board: Board, part: str, region: str, at: str) -> str:
    if part not in PART_KINDS:
        raise InvalidInput(
            f"no part named {part}",
            at=at,
            details=[f"known, nearest first: {', '.join(nearest_first(part, PART_KINDS))}"],
            fix="use one of these names",
        )
    known = {r.name: r.kind for r in board.memory}
    name = region.upper()
    if name not in known:
        described = [f"{n} ({known[n]})" for n in nearest_first(name, known)]
        raise InvalidInput(
            f"{board.name} has no memory region {region}",
            at=at,
            details=[f"known, nearest first: {', '.join(described)}"],
            fix=f"{part} goes to a region of kind {PART_KINDS[part]}",
        )
    if known[name] != PART_KINDS[part]:
        fitting = [r.name for r in board.memory if r.kind == PART_KINDS[part]]
        raise InvalidInput(
            f"{part} needs a region of kind {PART_KINDS[part]}; {name} is {known[name]}",
            at=at,
            fix=f"regions of {board.name} that are {PART_KINDS[part]}: {', '.join(fitting)}",
        )
    return name


def as_dict(board: Board) -> dict[str, str] | None:
    """Part -> region of a board, in the order of the parts; None for the host."""
    if board.sections is None:
        return None
    return {part: getattr(board.sections, part) for part in PART_KINDS}


def require_emulated(board: Board, machine: str, regions: Collection[str] | None) -> None:
    """Raise InvalidInput unless an emulator's machine has memory at all that the image uses.

    `regions` are those that it has; None means all.
    """
    absent: dict[str, list[str]] = {}
    for part, region in (as_dict(board) or {}).items():
        if regions is not None and region not in regions:
            absent.setdefault(region, []).append(part)
    if absent:
        where = ", ".join(f"{r} (which holds {', '.join(parts)})" for r, parts in absent.items())
        raise InvalidInput(
            f"{machine} has no memory at {where}",
            at=board.name,
            fix="run it on the board (--port), or build it without --place for this emulator",
        )
