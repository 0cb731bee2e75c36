"""Recorded conversations, played back: what a device once said means the same today.

The recording is of the stm32 firmware with the fake model of tests/emulation, in
QEMU; the emulation tests make the like of it, in `log/serial.txt`, when they run.
"""

from __future__ import annotations

from pathlib import Path

from mcucomp.device import Limits, StepCount, start_session
from mcucomp.device.transports.replay import Replay

RECORDING = Path(__file__).parent / "stm32_qemu_fake_model.txt"
VALUES = bytes((7 * i + 3) & 0xFF for i in range(700))
USE_STACK, LAST, HUNDRED_ROUNDS = 4, 77, 10
ORDERS = bytes([USE_STACK, LAST, HUNDRED_ROUNDS, 0, 0, 0, 0, 0])


class TickIsAnInstruction(Replay):
    """As on the board that was recorded."""

    def instructions(self, ticks: int) -> int | None:
        return ticks


def test_a_recorded_run_means_what_it_meant() -> None:
    transport = TickIsAnInstruction(RECORDING)
    with start_session(transport, "stm32", None, limits=Limits(answer_s=1)) as session:
        session.expect("fake", 1024, build_id=7)
        assert session.firmware.clock_hz == 16_000_000
        run = session.infer([VALUES, ORDERS], trace=True)
    assert run.arena_peak_bytes == 900
    assert run.guards_ok
    assert run.stack_bytes == 1028
    assert run.instructions == 10_111
    assert run.cycles is None
    assert run.steps == (
        StepCount(0, 74, None),
        StepCount(1, 10_019, None),
        StepCount(2, 19, None),
    )
    # The first byte of the result is the low byte of the sum that the stack test computes.
    result = run.outputs[0]
    assert result[1:] == bytes((v + 1) & 0xFF for v in VALUES[1:10])
    assert run.outputs[1] == VALUES
    assert run.traced == (bytes([VALUES[0] + 1]) + result[1:], VALUES[:200], bytes([LAST]))
