"""A real board at a serial port. Its firmware runs already; opening resets nothing."""

from __future__ import annotations

import serial

from mcucomp.boards import Board
from mcucomp.device.transports.serial_line import SerialLine
from mcucomp.errors import InvalidInput, McucompError, ToolFailed


class SerialPort(SerialLine):
    """A device path such as /dev/ttyUSB0, or a URL that pyserial knows."""

    name = "serial"
    no_answer_fix = "check that the firmware is flashed, the wiring, and that the port is this one"

    def __init__(self, url: str, board: Board) -> None:
        """Opens it at the board's baud rate.

        Raises:
            InvalidInput: the board has no serial line.
            ToolFailed: the port cannot be opened.
        """
        if board.serial is None:
            raise InvalidInput(
                f"the board {board.name} has no serial line", fix="leave out the port"
            )
        try:
            port = serial.serial_for_url(url, baudrate=board.serial.baud, exclusive=True)
        except (serial.SerialException, ValueError) as error:
            raise ToolFailed(
                f"the serial port cannot be opened: {error}",
                at=url,
                fix=f"connect {board.serial.uart} ({board.serial.pins}); close what else uses it",
            ) from error
        super().__init__(port)
        self.name = f"serial {url}"

    def failure(self) -> McucompError | None:
        return None

    def complaint(self) -> McucompError | None:
        return None

    def instructions(self, ticks: int) -> int | None:
        return None  # a timer tells time, not instructions
