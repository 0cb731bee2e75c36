"""Which serial port of this computer is the board's?

In: a board with the USB ids that its port may have. Out: the port's path. Several boards
of a kind, or none, are told with all the ports that there are.
"""

from __future__ import annotations

from dataclasses import dataclass

from serial.tools import list_ports

from mcucomp.boards import Board
from mcucomp.errors import DeviceError, InvalidInput, printable

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Port:
    """A serial port: path, USB id (`vid:pid`, or empty), and what it calls itself."""

    path: str
    usb: str
    description: str

    def __str__(self) -> str:
        usb = self.usb or "no USB"
        return f"{self.path}  {usb}  {self.description}"


def all_ports() -> list[Port]:
    """The serial ports that this computer has, by path."""
    found = []
    for port in list_ports.comports():
        usb = "" if port.vid is None else f"{port.vid:04x}:{port.pid:04x}"
        found.append(Port(port.device, usb, printable(port.description or "")))
    return sorted(found, key=lambda port: port.path)


def find_port(board: Board) -> str:
    """The path of the only port whose USB id the board's file names.

    Raises:
        InvalidInput: the board's file names no USB id.
        DeviceError: no port has one of them, or several have.
    """
    usb = () if board.serial is None else board.serial.usb
    if not usb:
        raise InvalidInput(
            f"the file of the board {board.name} names no USB ids to look for",
            at="--port auto",
            fix="name the port; 'mcucomp monitor --list' shows them",
        )
    ports = all_ports()
    matching = [port for port in ports if port.usb in usb]
    if len(matching) == 1:
        return matching[0].path
    if matching:
        raise DeviceError(
            f"{len(matching)} ports could be {board.name}",
            at="--port auto",
            details=[str(port) for port in matching],
            fix="name one of them with --port",
        )
    raise DeviceError(
        f"no port is {board.name}: none has a USB id of {', '.join(usb)}",
        at="--port auto",
        details=[f"there is {port}" for port in ports] or ["there is no serial port at all"],
        fix="check the USB cable (it must carry data); or name the port with --port",
    )
