"""A real board at a serial port. Its firmware runs already; opening resets nothing."""

from __future__ import annotations

import time
from collections.abc import Callable

import serial

from mcucomp.boards import Board
from mcucomp.device.transports import LineRenewed
from mcucomp.device.transports.serial_line import SerialLine
from mcucomp.errors import DeviceError, InvalidInput, McucompError, ToolFailed

RETURN_S = 10.0
_TRY_S = 0.1


class SerialPort(SerialLine):
    """A device path such as /dev/ttyUSB0, or a URL that pyserial knows.

    A port that goes away (a cable that was pulled, a debugger that restarts) is waited for.
    """

    name = "serial"

    def __init__(self, find: Callable[[], str], board: Board, return_s: float = RETURN_S) -> None:
        """Opens what `find` names at the board's baud rate; `find` is asked again when it went.

        Raises:
            InvalidInput: the board has no serial line.
            DeviceError: no port is found.
            ToolFailed: the port cannot be opened.
        """
        if board.serial is None:
            raise InvalidInput(
                f"the board {board.name} has no serial line", fix="leave out the port"
            )
        self._find = find
        self._baud = board.serial.baud
        self._return_s = return_s
        url = find()
        try:
            port = self._open(url)
        except (serial.SerialException, ValueError) as error:
            raise ToolFailed(
                f"the serial port cannot be opened: {error}",
                at=url,
                fix=f"connect {board.serial.uart} ({board.serial.pins}); close what else uses it",
            ) from error
        super().__init__(port)
        self.name = f"serial {url}"
        self.no_answer_fix = (
            f"check that the firmware is flashed, that {board.serial.uart} is wired"
            f" ({board.serial.pins}), and that the port is this one"
        )
        self.noise_fix = (
            f"the firmware sends {self._baud:,} baud at the clock in the board file: check the"
            f" board's crystal and that the port takes {self._baud:,} baud"
        )

    def _open(self, url: str) -> serial.SerialBase:
        return serial.serial_for_url(url, baudrate=self._baud, exclusive=True)

    def write(self, data: bytes) -> None:
        try:
            super().write(data)
        except OSError as error:
            raise self._renewed(error) from error

    def read(self, timeout_s: float) -> bytes:
        try:
            return super().read(timeout_s)
        except (OSError, EOFError) as error:
            raise self._renewed(error) from error

    def _renewed(self, error: OSError | EOFError) -> Exception:
        """LineRenewed once the port is there again; `error` where it does not come back."""
        self._port.close()
        deadline = time.monotonic() + self._return_s
        while time.monotonic() < deadline:
            try:
                port = self._open(self._find())
            except (serial.SerialException, ValueError, DeviceError):
                time.sleep(_TRY_S)
                continue
            super().__init__(port)
            return LineRenewed()
        return error

    def failure(self) -> McucompError:
        return DeviceError(
            f"the serial port went away and did not come back within {self._return_s:g} s",
            at=self.name,
            fix="check the USB cable and the board's power, and start again",
        )

    def complaint(self) -> McucompError | None:
        return None

    def instructions(self, ticks: int) -> int | None:
        return None  # a timer tells time, not instructions
