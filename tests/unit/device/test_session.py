"""Sessions over a line that loses, repeats and damages; whole messages of what can go wrong."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcucomp.device import Limits, Progress, Session, StepCount, start_session
from mcucomp.device.protocol import Line, decode
from mcucomp.device.recorder import load
from mcucomp.device.transports.replay import Replay
from mcucomp.errors import CheckFailed, DeviceError

sys.path.insert(0, str(Path(__file__).parent))
from fake_device import FakeDevice, line

FAST = Limits(answer_s=0.3, run_s=0.3, go_s=0.05, again_s=0.05, attempts=3)
INPUT = b"abcde"
VERSIONS = "  fix: firmware and mcucomp are of different versions: build again and flash it"


@pytest.fixture(autouse=True)
def _short_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """After damage, wait shortly: nothing is in flight here."""
    monkeypatch.setattr("mcucomp.device.conversation._QUIET_S", 0.01)
    monkeypatch.setattr("mcucomp.device.conversation._POLL_S", 0.001)


def begin(device: FakeDevice, recording: Path | None = None) -> Session:
    return start_session(device, "board", recording, limits=FAST)


def once(match: bytes, change: Callable[[bytes], bytes], times: int = 1) -> Callable[..., bytes]:
    """Changes the first `times` lines that contain `match`."""
    left = [times]

    def spoil(raw: bytes) -> bytes:
        if match in raw and left[0] > 0:
            left[0] -= 1
            return change(raw)
        return raw

    return spoil


def flip(raw: bytes) -> bytes:
    return raw[:12] + bytes([raw[12] ^ 1]) + raw[13:]


def test_a_run_is_what_the_device_measured_less_what_measuring_costs() -> None:
    run = begin(FakeDevice()).infer([INPUT])
    assert run.arena_peak_bytes == 405
    assert run.outputs == (INPUT * 80,)
    assert run.stack_bytes == 40
    assert run.instructions == 2 * (110 - 10)
    assert run.cycles == 205 - 5
    assert run.steps == (StepCount(0, 2 * (60 - 10), 70 - 20),)
    assert run.guards_ok
    assert (run.board, run.transport) == ("board", "fake")


@pytest.mark.parametrize(
    "change",
    [flip, lambda raw: b"", lambda raw: raw + raw, lambda raw: raw[:20], lambda raw: raw[20:]],
    ids=["flipped", "lost", "twice", "cut", "beheaded"],
)
@pytest.mark.parametrize(
    "match", [b"hello", b"input", b"running", b"1 step id", b"result", b"bytes", b"end id=4"]
)
def test_one_damaged_line_costs_an_attempt_and_nothing_else(
    match: bytes, change: Callable[[bytes], bytes]
) -> None:
    run = begin(FakeDevice(once(match, change))).infer([INPUT])
    assert run == begin(FakeDevice()).infer([INPUT])


def test_a_line_that_comes_twice_does_not_make_up_for_a_lost_one() -> None:
    """The number of lines is right, and yet it is not the answer."""
    twice = once(b"1 hello id", lambda raw: raw + raw)
    lost = once(b"1 input id", lambda raw: b"")
    session = begin(FakeDevice(lambda raw: lost(twice(raw))))
    assert session.firmware.input_bytes == (5,)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False), st.sampled_from([0.01, 0.03, 0.2]))
def test_a_noisy_line_never_gives_a_wrong_run(random: object, share: float) -> None:
    expected = begin(FakeDevice()).infer([INPUT])

    def spoil(raw: bytes) -> bytes:
        if random.random() > share:  # type: ignore[attr-defined]
            return raw
        at = random.randrange(len(raw))  # type: ignore[attr-defined]
        return random.choice(  # type: ignore[attr-defined]
            [raw[:at], raw[at:], raw + raw, b"", raw[:at] + b"\xff" + raw[at + 1 :]]
        )

    try:
        run = begin(FakeDevice(spoil)).infer([INPUT])
    except DeviceError:
        return  # giving up is allowed, a wrong answer is not
    assert run == expected


def test_a_line_that_stays_damaged_is_told() -> None:
    session = begin(FakeDevice())
    session._transport.spoil = once(b"result", flip, times=99)  # type: ignore[attr-defined]
    with pytest.raises(DeviceError) as caught:
        session.infer([INPUT])
    first, second, third = str(caught.value).splitlines()
    assert first == (
        "board on fake: the answer to 'run' was damaged 3 times in a row: a damaged line"
    )
    assert second.startswith("  the line: mcuc 1 resumt id=4 code=0 ")
    assert third == (
        "  fix: check the wiring and the baud rate; the whole conversation is in log/serial.txt"
    )


def test_steps_that_stay_damaged_are_told() -> None:
    with pytest.raises(DeviceError) as caught:
        begin(FakeDevice(once(b"1 step id", flip, times=99))).infer([INPUT])
    assert str(caught.value) == (
        "board on fake: what the steps reported was damaged 3 times in a row\n"
        "  fix: check the wiring and the baud rate; the whole conversation is in log/serial.txt"
    )


def test_a_silent_device_is_told_and_the_line_closed() -> None:
    device = FakeDevice(lambda raw: b"")
    with pytest.raises(DeviceError) as caught:
        begin(device)
    assert str(caught.value) == (
        "board on fake: no answer from the device within 0.3 s\n"
        "  heard nothing at all\n"
        "  fix: mend the fake"
    )
    assert device.closed


def test_what_was_heard_instead_is_told() -> None:
    with pytest.raises(DeviceError) as caught:
        begin(FakeDevice(lambda raw: b"\x1b[31mboot\xff>"))
    assert caught.value.details[0].startswith("heard last: \\x1b[31mboot\\xff>")


def test_a_device_that_falls_silent_is_told() -> None:
    device = FakeDevice()
    session = begin(device)
    device.spoil = lambda raw: b""
    with pytest.raises(DeviceError) as caught:
        session.infer([INPUT])
    assert caught.value.what == "no answer to 'paint' from the device within 0.3 s"


def test_a_refusal_is_told() -> None:
    device = FakeDevice()
    session = begin(device)
    device.obey_data = lambda said, number: device.report(  # type: ignore[method-assign]
        "error", f"id={number} what=range"
    )
    with pytest.raises(DeviceError) as caught:
        session.infer([INPUT])
    assert str(caught.value) == (
        "board on fake: the device refuses 'data':"
        " the bytes do not lie in one of the model's inputs\n" + VERSIONS
    )


def test_a_fault_of_the_firmware_is_told() -> None:
    device = FakeDevice()
    session = begin(device)
    device.obey_run = lambda said, number: device.report(  # type: ignore[method-assign]
        "fault", "id=0 exception=3 address=08001234 status=00008200"
    )
    with pytest.raises(DeviceError) as caught:
        session.infer([INPUT])
    assert str(caught.value) == (
        "board on fake: the firmware stopped: HardFault at 0x08001234\n"
        "  fault status (CFSR) 0x00008200\n"
        "  fix: this is a bug of mcucomp or of the port: please report it with the model"
    )


def test_an_incomplete_output_is_told() -> None:
    device = FakeDevice()
    session = begin(device)
    device.output = lambda: INPUT * 2  # type: ignore[method-assign]
    with pytest.raises(DeviceError) as caught:
        session.infer([INPUT])
    assert str(caught.value) == (
        "board on fake: output 0 is incomplete: 10 of 400 B arrived\n" + VERSIONS
    )


def test_outputs_that_depend_on_the_paint_are_told() -> None:
    device = FakeDevice()
    session = begin(device)
    outputs = [bytes(400), b"\0\x07" + bytes(398)]
    device.output = lambda: outputs.pop(0)  # type: ignore[method-assign]
    with pytest.raises(CheckFailed) as caught:
        session.infer([INPUT])
    assert caught.value.details == ("byte 1 is 0 over paint 0x55 and 7 over 0xaa",)


def test_a_broken_line_is_told() -> None:
    device = FakeDevice()
    session = begin(device)

    def gone(timeout_s: float) -> bytes:
        raise EOFError

    device.read = gone  # type: ignore[method-assign]
    with pytest.raises(DeviceError) as caught:
        session.infer([INPUT])
    assert caught.value.what == "the line to the device broke"
    assert caught.value.fix == "check the connection and start again"


def test_the_line_is_closed_after_an_error_and_after_ctrl_c() -> None:
    for error in (DeviceError("x"), KeyboardInterrupt()):
        device = FakeDevice()
        with pytest.raises(type(error)), begin(device):
            raise error
        assert device.closed


def test_other_text_is_passed_through_escaped() -> None:
    heard: list[str] = []
    device = FakeDevice(lambda raw: b"\x1b[2Jdebug\n" + raw)
    start_session(device, "board", None, limits=FAST, other=heard.append)
    assert heard[0] == "\\x1b[2Jdebug"


def test_progress_is_told() -> None:
    told: list[Progress] = []
    start_session(FakeDevice(), "board", None, limits=FAST, progress=told.append).infer([INPUT])
    sent = [p for p in told if p.stage == "send inputs"]
    assert [(p.done, p.total) for p in sent] == [(5, 5), (5, 5)]


def test_a_recorded_conversation_plays_back(tmp_path: Path) -> None:
    recording = tmp_path / "serial.txt"
    with begin(FakeDevice(once(b"bytes", flip)), recording) as session:
        recorded = session.infer([INPUT])
    assert {mark for mark, _ in load(recording)} == {"#", "<", ">"}
    played = start_session(Replay(recording), "board", None, limits=FAST).infer([INPUT])
    without = {"transport": "", "instructions": None, "steps": None}
    assert dataclasses.replace(played, **without) == dataclasses.replace(recorded, **without)


def test_a_playback_that_goes_another_way_is_told(tmp_path: Path) -> None:
    recording = tmp_path / "serial.txt"
    with begin(FakeDevice(), recording) as session:
        session.infer([INPUT])
    with pytest.raises(DeviceError) as caught:
        start_session(Replay(recording), "board", None, limits=FAST).infer([b"other"])
    assert caught.value.what == "the host says something else than when this was recorded"
    assert caught.value.at.startswith(f"{recording}, line ")


def test_commands_of_a_run_come_in_order() -> None:
    device = FakeDevice()
    begin(device).infer([INPUT])
    half = ["paint", "data", "run", "outputs"]
    assert device.received == ["hello", *half, *half]


def test_the_fake_speaks_as_the_protocol_wants() -> None:
    assert isinstance(decode(line("end", "id=1 lines=0").strip(b"\n")), Line)


class Counting(FakeDevice):
    """Its model has state: it adds the number of the run to each byte of its answer."""

    def output(self) -> bytes:
        return bytes((byte + self.runs) & 0xFF for byte in super().output())


ROWS = [[INPUT], [b"fghij"], [INPUT]]


def test_inferences_of_a_sequence_follow_each_other() -> None:
    device = Counting()
    runs = begin(device).infer_sequence(ROWS)
    assert [run.outputs[0][:5] for run in runs] == [b"bcdef", b"hijkl", b"defgh"]
    assert [word for word in device.received if word.endswith("paint")] == [
        *("paint", "repaint", "repaint"),
        *("paint", "repaint", "repaint"),
    ]
    assert [run.steps is not None for run in runs] == [True, False, False]


@pytest.mark.parametrize("match", [b"1 step id", b"result", b"bytes"])
def test_a_damaged_line_never_makes_a_run_of_a_sequence_count_twice(match: bytes) -> None:
    runs = begin(Counting(once(match, flip, times=2))).infer_sequence(ROWS)
    assert runs == begin(Counting()).infer_sequence(ROWS)


def test_a_sequence_begins_anew_where_the_device_restarts() -> None:
    class Restarting(Counting):
        """It does so at the fifth run, once, and forgets its state."""

        left = 1
        seen = 0

        def obey_run(self, said: Line, number: int) -> None:
            self.seen += 1
            if self.seen == 5 and self.left:
                self.left, self.runs = 0, 0
                self.report("start", "id=0 build=00000001")
            else:
                super().obey_run(said, number)

    device = Restarting()
    assert begin(device).infer_sequence(ROWS) == begin(Counting()).infer_sequence(ROWS)
    assert device.received.count("paint") == 3
