"""What is known about a board?

In: `boards/NAME.toml`, or any such file by its path. Out: a `Board`, checked:
every key is known, every region that is named exists, nothing overlaps. A file
that is wrong is told with all its faults at once.
"""

from __future__ import annotations

import json
import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator, with_config
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from mcucomp.errors import InvalidBoard, nearest_first
from mcucomp.paths import boards_folder, firmware_folder, renode_folder

_NAME = r"^[a-z0-9][a-z0-9-]*$"
_REGION_NAME = r"^[A-Z][A-Z0-9_]*$"
_FLAG = r"^-[A-Za-z0-9=+.,_-]+$"
_SOURCE = r"^[a-z0-9_]+/[a-z0-9_]+\.c$"
_USB_ID = r"^[0-9a-f]{4}:[0-9a-f]{4}$"
_WORD = r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$"
_CONFIGURATION = r"^[a-z0-9_-]+/[A-Za-z0-9_.-]+\.cfg$"
_PLATFORM = r"^[a-z0-9-]+\.repl$"

# The parts of a program that are placed, and the kind of memory that each needs.
PART_KINDS = {"code": "flash", "weights": "flash", "data": "ram", "arena": "ram", "stack": "ram"}

PositiveInt = Annotated[int, Field(gt=0)]
Address = Annotated[int, Field(ge=0, lt=1 << 32)]
UsbId = Annotated[str, Field(pattern=_USB_ID)]
Word = Annotated[str, Field(pattern=_WORD)]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class MemoryRegion(_Frozen):
    """Addresses [origin, origin + bytes). `flash` keeps its contents and is only read."""

    name: Annotated[str, Field(pattern=_REGION_NAME)]
    kind: Literal["flash", "ram"]
    origin: Annotated[int, Field(ge=0, lt=1 << 32)]
    bytes: PositiveInt

    @property
    def end(self) -> int:
        """The first address behind the region."""
        return self.origin + self.bytes


class Sections(_Frozen):
    """Names of the regions that each part of a program goes to.

    `boot` is for chips whose ROM wants a piece of code of its own before the program.
    """

    code: str
    weights: str
    data: str
    arena: str
    stack: str
    boot: str | None = None


class Serial(_Frozen):
    """The line that the firmware talks over.

    `usb` are the ids (`vid:pid`) that the port may have on this computer: those of
    the debugger on the board, or of adapters where the board has no port of its own.
    """

    uart: str
    baud: PositiveInt
    pins: str
    usb: tuple[UsbId, ...] = ()


class Emulator(_Frozen):
    """How to run the board's firmware in QEMU, and what its counter means there.

    With `icount_shift` n an instruction takes 2^n ns of the machine's time, in
    which the firmware's tick counter runs at `counter_hz`.
    """

    machine: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    cpu: Annotated[str, Field(pattern=r"^[a-z0-9-]*$")] = ""
    arguments: tuple[str, ...] = ()
    serial_index: Annotated[int, Field(ge=0, le=7)]
    icount_shift: Annotated[int, Field(ge=0, le=10)]
    counter_hz: PositiveInt
    regions: tuple[str, ...] | None = None
    """The memory regions that the emulator has; None where it has them all."""

    def instructions(self, ticks: int) -> int:
        """The number of instructions, to the nearest, in which the counter moved by `ticks`."""
        unit = self.counter_hz << self.icount_shift
        return (2 * ticks * 1_000_000_000 + unit) // (2 * unit)


class RenodeEmulator(_Frozen):
    """How to run the board's firmware in Renode: a platform file of boards/renode/.

    The CPU executes `mips` million instructions in a second of the machine's time,
    in which the firmware's tick counter runs at `counter_hz`.
    """

    platform: Annotated[str, Field(pattern=_PLATFORM)]
    uart: Annotated[str, Field(pattern=r"^[a-z0-9]+$")]
    mips: PositiveInt
    counter_hz: PositiveInt

    def instructions(self, ticks: int) -> int:
        """The number of instructions, to the nearest, in which the counter moved by `ticks`."""
        return (2 * ticks * self.mips * 1_000_000 + self.counter_hz) // (2 * self.counter_hz)


@with_config(ConfigDict(extra="forbid"))
class Emulators(TypedDict, total=False):
    """The emulators that have the board, by name."""

    qemu: Emulator
    renode: RenodeEmulator


class PyOcd(_Frozen):
    """pyOCD: `target` as `pyocd list --targets` has it."""

    target: Word


class OpenOcd(_Frozen):
    """OpenOCD: configuration files of its own scripts folder, in the order of reading."""

    configuration: Annotated[
        tuple[Annotated[str, Field(pattern=_CONFIGURATION)], ...], Field(min_length=1)
    ]


class StFlash(_Frozen):
    """st-flash knows the chip by itself."""


class Stm32Flash(_Frozen):
    """stm32flash, over a serial port to the boot loader in the chip's ROM."""

    baud: PositiveInt = 115_200


class DfuUtil(_Frozen):
    """dfu-util: the USB id of the boot loader in ROM, and which of its memories is flash."""

    usb: UsbId
    alternative: Annotated[int, Field(ge=0, le=9)] = 0


class PicoTool(_Frozen):
    """picotool knows the chip by itself."""


class Uf2(_Frozen):
    """A drive that takes UF2 files: its label, and the number of the chip's family."""

    volume: Word
    family: Address


# Some names are no Python identifiers, which only this form of a TypedDict allows.
_ByTool = TypedDict(
    "_ByTool",
    {
        "openocd": OpenOcd,
        "st-flash": StFlash,
        "pyocd": PyOcd,
        "picotool": PicoTool,
        "uf2": Uf2,
        "dfu-util": DfuUtil,
        "stm32flash": Stm32Flash,
    },
    total=False,
)


@with_config(ConfigDict(extra="forbid"))
class Flashers(_ByTool, total=False):
    """The tools that can write the board, by name, in the order in which they are preferred."""


class Board(_Frozen):
    """One board. Without memory regions it is a computer with an operating system."""

    name: Annotated[str, Field(pattern=_NAME)]
    description: str
    cpu: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    architecture_flags: tuple[Annotated[str, Field(pattern=_FLAG)], ...]
    toolchain: Annotated[str, Field(pattern=r"^([A-Za-z0-9_.-]+-)?$")]
    port_sources: Annotated[tuple[Annotated[str, Field(pattern=_SOURCE)], ...], Field(min_length=1)]
    source: Annotated[tuple[str, ...], Field(min_length=1)]
    clock_hz: PositiveInt | None = None
    stack_bytes: PositiveInt | None = None
    memory: tuple[MemoryRegion, ...] = ()
    sections: Sections | None = None
    serial: Serial | None = None
    emulators: Emulators = Field(default_factory=Emulators)
    flashers: Flashers = Field(default_factory=Flashers)
    stamp: Literal["rp2040-boot"] | None = None

    @property
    def is_host(self) -> bool:
        """Whether firmware for it is a program of the operating system."""
        return not self.memory

    def region(self, name: str) -> MemoryRegion:
        """The region of that name; KeyError where there is none."""
        return {r.name: r for r in self.memory}[name]

    @property
    def flash_bytes(self) -> int | None:
        """Bytes of the regions that code and weights go to; None for the host."""
        return self._bytes_of("code", "weights")

    @property
    def ram_bytes(self) -> int | None:
        """Bytes of the regions that arena, data and stack go to; None for the host."""
        return self._bytes_of("arena", "data", "stack")

    @property
    def flash_origin(self) -> int:
        """The lowest address that is flashed; the image begins there. KeyError for the host."""
        assert self.sections is not None
        return self.region(self.sections.boot or self.sections.code).origin

    def _bytes_of(self, *parts: str) -> int | None:
        if self.sections is None:
            return None
        return sum(self.region(n).bytes for n in {getattr(self.sections, p) for p in parts})

    def port_paths(self) -> tuple[Path, ...]:
        """The C files of the port, in the order that the board names them."""
        return tuple(firmware_folder() / "port" / source for source in self.port_sources)

    @model_validator(mode="after")
    def _whole(self) -> Board:
        """What no single key can tell."""
        faults = [*_memory_faults(self), *_port_faults(self)]
        if faults:
            raise ValueError("\n".join(faults))
        return self


def _memory_faults(board: Board) -> list[str]:
    if not board.memory:
        given = [k for k in ("sections", "stack_bytes", "serial") if getattr(board, k) is not None]
        return [f"{key}: needs memory regions; there are none" for key in given]
    faults = [
        f"{key}: needed for a board with memory regions; it is missing"
        for key in ("clock_hz", "sections", "stack_bytes", "serial")
        if getattr(board, key) is None
    ]
    names = [region.name for region in board.memory]
    faults += [f"memory: two regions named {n}" for n in sorted(set(names)) if names.count(n) > 1]
    in_order = sorted(board.memory, key=lambda region: region.origin)
    faults += [
        f"memory: {a.name} [{a.origin:#010x}, {a.end:#010x}) and "
        f"{b.name} [{b.origin:#010x}, {b.end:#010x}) overlap"
        for a, b in pairwise(in_order)
        if a.end > b.origin
    ]
    emulated = board.emulators["qemu"].regions if "qemu" in board.emulators else None
    faults += [
        f"emulators.qemu.regions: no region {region}; known: "
        + ", ".join(nearest_first(region, names))
        for region in emulated or ()
        if region not in names
    ]
    if board.sections is not None:
        faults += _section_faults(board.sections, {r.name: r.kind for r in board.memory})
    return faults


def _section_faults(sections: Sections, kinds: dict[str, str]) -> list[str]:
    wanted = PART_KINDS if sections.boot is None else {**PART_KINDS, "boot": "flash"}
    faults = []
    for part, kind in wanted.items():
        name = getattr(sections, part)
        if name not in kinds:
            known = ", ".join(nearest_first(name, kinds))
            faults.append(f"sections.{part}: no region {name}; known: {known}")
        elif kinds[name] != kind:
            faults.append(f"sections.{part}: needs {kind}; {name} is {kinds[name]}")
    return faults


def _port_faults(board: Board) -> list[str]:
    faults = [
        f"port_sources: no file firmware/port/{source}"
        for source, path in zip(board.port_sources, board.port_paths(), strict=True)
        if not path.is_file()
    ]
    if "renode" in board.emulators:
        platform = board.emulators["renode"].platform
        if not (renode_folder() / platform).is_file():
            faults.append(f"emulators.renode.platform: no file boards/renode/{platform}")
    return faults


def _fault_lines(error: ValidationError) -> list[str]:
    lines: list[str] = []
    for fault in error.errors():
        key = ".".join(str(part) for part in fault["loc"])
        text = fault["msg"].removeprefix("Value error, ")
        lines += text.split("\n") if not key else [f"{key}: {text[:1].lower()}{text[1:]}"]
    return lines


def load(path: Path) -> Board:
    """The board that a file describes; InvalidBoard names the file and every fault in it."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InvalidBoard(
            f"the board file cannot be read: {reason}",
            at=str(path),
            fix="give the path of a TOML file, or one of the names that `mcucomp boards` lists",
        ) from error
    try:
        return Board.model_validate_json(_as_json(text))
    except tomllib.TOMLDecodeError as error:
        raise InvalidBoard(
            f"not a TOML file: {error}",
            at=str(path),
            fix="boards/stm32.toml is a complete example",
        ) from error
    except ValidationError as error:
        raise InvalidBoard(
            "the board file is wrong",
            at=str(path),
            details=_fault_lines(error),
            fix="correct these keys; boards/stm32.toml is a complete example",
        ) from error


def _as_json(text: str) -> str:
    """TOML as JSON, in which strict validation takes an array for a tuple."""
    return json.dumps(tomllib.loads(text), default=str)


@cache
def known() -> dict[str, Board]:
    """The boards that come with mcucomp, by name, in the order of their names."""
    boards = [load(path) for path in sorted(boards_folder().glob("*.toml"))]
    return {board.name: board for board in boards}


def file_of(name_or_path: str) -> Path:
    """The file that `find` reads for a name that it knows, or for a path."""
    if name_or_path.endswith(".toml"):
        return Path(name_or_path)
    return boards_folder() / f"{name_or_path}.toml"


def find(name_or_path: str) -> Board:
    """A known board by its name, or any board by the path of its `.toml` file."""
    if name_or_path.endswith(".toml"):
        return load(Path(name_or_path))
    boards = known()
    if name_or_path not in boards:
        raise InvalidBoard(
            f"no board named {name_or_path}",
            details=[f"known, nearest first: {', '.join(nearest_first(name_or_path, boards))}"],
            fix="use one of these names, or the path of a board file that ends in .toml",
        )
    return boards[name_or_path]
