"""Reading and writing a pyserial port: a device, or `socket://` to an emulator."""

from __future__ import annotations

import io
import os
import select

import serial

_READ_BYTES = 1 << 16


class SerialLine:
    """A pyserial port that loses nothing when the other end goes.

    pyserial's read(n) waits for all n bytes and drops what it has when the line
    breaks meanwhile. Where the port has a file descriptor it is read directly.
    """

    def __init__(self, port: serial.SerialBase) -> None:
        self._port = port
        try:
            self._fd: int | None = port.fileno()
        except (AttributeError, io.UnsupportedOperation):
            self._fd = None  # rfc2217:// and the like

    def write(self, data: bytes) -> None:
        self._port.write(data)

    def read(self, timeout_s: float) -> bytes:
        if self._fd is None:
            self._port.timeout = timeout_s
            return bytes(self._port.read(max(1, self._port.in_waiting)))
        ready, _, _ = select.select([self._fd], [], [], timeout_s)
        if not ready:
            return b""
        received = os.read(self._fd, _READ_BYTES)
        if not received:
            raise EOFError
        return received

    def close(self) -> None:
        self._port.close()
