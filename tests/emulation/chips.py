"""How do ports behave on chips that no emulator here has? Models of the few registers they use.

Unicorn (the CPU of QEMU as a library) executes the firmware; memories are mapped as the
board file says and nothing else is, so that any access beside them ends the test. Clocks,
pins and UART are modelled here from the reference manuals, independently of the port: the
model computes the clock of the UART from what the port wrote to dividers and PLL, and the
baud rate from that. Whether the manuals were read rightly, twice, only a board can tell.

A `Chip` is a transport: sessions of mcucomp.device talk to the firmware over it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import unicorn
from elftools.elf.elffile import ELFFile
from unicorn import arm_const

from mcucomp.boards import Board
from mcucomp.errors import McucompError

PAGE_BYTES = 0x1000
PERIPHERALS = (0x4000_0000, 0x2000_0000)
OTHER_PERIPHERALS = ((0x1800_0000, 0x1000), (0xE000_0000, 0x10_0000))
SLICE_INSTRUCTIONS = 2_000_000
CPUS = {
    "cortex-m0": arm_const.UC_CPU_ARM_CORTEX_M0,
    "cortex-m0plus": arm_const.UC_CPU_ARM_CORTEX_M0,
    "cortex-m4": arm_const.UC_CPU_ARM_CORTEX_M4,
    "cortex-m7": arm_const.UC_CPU_ARM_CORTEX_M7,
}
BAUD = 115_200


class Registers:
    """Words at addresses. Reading gives what was written, changed by `reading`, if it is there."""

    def __init__(self, reset: dict[int, int]) -> None:
        self.words = dict(reset)
        self.reading: dict[int, Callable[[int], int]] = {}
        self.writing: dict[int, Callable[[int], None]] = {}

    def __getitem__(self, address: int) -> int:
        return self.words.get(address, 0)

    def read(self, address: int) -> int:
        value = self[address]
        return self.reading[address](value) if address in self.reading else value

    def write(self, address: int, value: int) -> None:
        self.words[address] = value
        if address in self.writing:
            self.writing[address](value)

    def follows(self, address: int, on: int, ready: int) -> None:
        """A bit that says ready once its neighbour that turns it on is set."""
        before = self.reading.get(address, lambda value: value)
        self.reading[address] = lambda v: before(v) | (ready if v & on else 0)


def field(word: int, low: int, bits: int) -> int:
    return word >> low & ((1 << bits) - 1)


class Chip:
    """A transport with CPU, memories and the peripherals of a subclass inside."""

    name = "chip"
    no_answer_fix = "the model of the chip or the port is wrong"
    noise_fix = "the model of the chip or the port is wrong"
    reset: ClassVar[dict[int, int]] = {}

    def __init__(self, board: Board, elf: Path, *, clocks_work: bool = True) -> None:
        self.registers = Registers(self.reset)
        self.clocks_work = clocks_work
        self.to_cpu: deque[int] = deque()
        self.from_cpu = bytearray()
        self.ticks = 0
        self.machine: unicorn.Uc = None
        self.engine = unicorn.Uc(
            unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS
        )
        self.engine.ctl_set_cpu_model(CPUS[board.cpu])
        self._map(board)
        self.set_up()
        self._load(elf)
        self._start(board)

    # ---- the machine --------------------------------------------------------------------

    def _map(self, board: Board) -> None:
        pages: set[int] = set()
        for region in board.memory:
            pages |= set(range(region.origin // PAGE_BYTES, -(-region.end // PAGE_BYTES)))
        for page in sorted(pages):
            self.engine.mem_map(page * PAGE_BYTES, PAGE_BYTES)
        for origin, size_bytes in OTHER_PERIPHERALS:
            self.engine.mem_map(origin, size_bytes)
        origin, size_bytes = PERIPHERALS
        self.engine.mmio_map(
            origin,
            size_bytes,
            lambda _uc, offset, _size, _data: self.registers.read(origin + offset),
            None,
            lambda _uc, offset, _size, value, _data: self.registers.write(origin + offset, value),
            None,
        )

    def _load(self, elf: Path) -> None:
        with elf.open("rb") as file:
            for segment in ELFFile(file).iter_segments("PT_LOAD"):
                if segment["p_filesz"]:
                    self.engine.mem_write(segment["p_paddr"], segment.data())

    def _start(self, board: Board) -> None:
        assert board.sections is not None
        vectors = board.region(board.sections.code).origin
        stack, reset = (
            int.from_bytes(self.engine.mem_read(vectors + at, 4), "little") for at in (0, 4)
        )
        self.engine.reg_write(arm_const.UC_ARM_REG_SP, stack)
        self._at = reset

    def run(self) -> None:
        """Execute until the CPU sleeps with nothing to receive, or a slice is over."""
        self.engine.emu_start(self._at | 1, 0xFFFF_FFFE, count=SLICE_INSTRUCTIONS)
        self._at = self.engine.reg_read(arm_const.UC_ARM_REG_PC)

    def call(self, function: int) -> int:
        """What a function of the firmware without arguments returns; the CPU must be asleep."""
        back = self._at
        self.engine.reg_write(arm_const.UC_ARM_REG_LR, back | 1)
        self.engine.emu_start(function | 1, back & ~1, count=SLICE_INSTRUCTIONS)
        return int(self.engine.reg_read(arm_const.UC_ARM_REG_R0))

    # ---- transport ----------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        self.to_cpu += data

    def read(self, timeout_s: float) -> bytes:
        self.run()
        said = bytes(self.from_cpu)
        self.from_cpu.clear()
        return said

    def failure(self) -> McucompError | None:
        return None

    def complaint(self) -> McucompError | None:
        return None

    def instructions(self, ticks: int) -> int | None:
        return None

    def close(self) -> None:
        pass

    # ---- what a family adds ---------------------------------------------------------------

    def set_up(self) -> None:
        """Connects registers with what they do."""
        raise NotImplementedError

    def cpu_hz(self) -> float:
        """The CPU clock, from what the port wrote."""
        raise NotImplementedError

    def baud(self) -> float:
        """The baud rate of the UART, from what the port wrote."""
        raise NotImplementedError

    def next_byte(self, _: int = 0) -> int:
        return self.to_cpu.popleft() if self.to_cpu else 0

    def tick(self, _: int = 0) -> int:
        self.ticks += 16
        return self.ticks

    def ready(self, address: int, on: int, ready: int) -> None:
        if self.clocks_work:
            self.registers.follows(address, on, ready)


class Stm32(Chip):
    """What the families share: TIM2, and a USART at `usart` with status bits 5 and 7."""

    usart = 0
    status, receive, send, divider = 0x1C, 0x24, 0x28, 0x0C
    gpio: tuple[tuple[int, int], ...] = ()  # port and pin, of both pins
    clock_enable: tuple[tuple[int, int], ...] = ()  # bus clock register and bits

    def set_up(self) -> None:
        r = self.registers
        r.reading[0x4000_0024] = self.tick
        r.reading[self.usart + self.status] = lambda _: 0x80 | (0x20 if self.to_cpu else 0)
        r.reading[self.usart + self.receive] = self.next_byte
        r.writing[self.usart + self.send] = lambda value: self.from_cpu.append(value & 0xFF)

    def pins_are_given(self) -> bool:
        """Both pins are in alternate function 7."""
        r = self.registers
        return all(
            field(r[port], 2 * pin, 2) == 2
            and field(r[port + 0x20 + 4 * (pin // 8)], 4 * (pin % 8), 4) == 7
            for port, pin in self.gpio
        )

    def usart_is_clocked(self) -> bool:
        return all(self.registers[address] & bits == bits for address, bits in self.clock_enable)

    def uart_hz(self) -> float:
        raise NotImplementedError

    def baud(self) -> float:
        assert self.pins_are_given()
        assert self.usart_is_clocked()
        return self.uart_hz() / self.registers[self.usart + self.divider]


def apb_divider(bits: int) -> int:
    return 1 if bits < 4 else 1 << (bits - 3)


class Stm32F4(Stm32):
    """RM0090, 7: also the F7's clock tree but for its over-drive."""

    usart = 0x4000_4400
    status, receive, send, divider = 0x00, 0x04, 0x04, 0x08
    gpio = ((0x4002_0000, 2), (0x4002_0000, 3))
    clock_enable = ((0x4002_3830, 1 << 0), (0x4002_3840, 1 << 17 | 1 << 0))
    reset: ClassVar[dict[int, int]] = {
        0x4002_3800: 0x83,
        0x4002_3804: 0x2400_3010,
        0x4000_7000: 0x4000,
    }
    crystal_hz = 8e6
    wait_states, most_hz = 5, 168e6

    def set_up(self) -> None:
        super().set_up()
        self.ready(0x4002_3800, 1 << 16, 1 << 17)
        self.ready(0x4002_3800, 1 << 24, 1 << 25)
        self.registers.reading[0x4002_3808] = lambda v: (v & ~0xC) | (v & 3) << 2

    def cpu_hz(self) -> float:
        r = self.registers
        if r[0x4002_3808] & 3 == 0:
            return 16e6
        assert r[0x4002_3808] & 3 == 2, "system clock from the PLL"
        pll = r[0x4002_3804]
        assert field(pll, 22, 1) == 1, "PLL from the external clock"
        assert field(pll, 28, 4) == 2, "as after reset"
        vco_in = self.crystal_hz / field(pll, 0, 6)
        vco = vco_in * field(pll, 6, 9)
        assert 0.95e6 <= vco_in <= 2.1e6
        assert 100e6 <= vco <= 432e6
        hz = vco / (2 * field(pll, 16, 2) + 2)
        assert hz <= self.most_hz
        assert vco / field(pll, 24, 4) == 48e6
        assert field(r[0x4002_3C00], 0, 4) >= self.wait_states
        return hz

    def apb_hz(self, low: int, most_hz: float) -> float:
        hz = self.cpu_hz() / apb_divider(field(self.registers[0x4002_3808], low, 3))
        assert hz <= most_hz
        return hz

    def uart_hz(self) -> float:
        self.apb_hz(13, 84e6)
        return self.apb_hz(10, 42e6)


class Stm32F7(Stm32F4):
    """RM0385, 5 and 4.1.4."""

    usart = 0x4001_1000
    status, receive, send, divider = 0x1C, 0x24, 0x28, 0x0C
    gpio = ((0x4002_0000, 9), (0x4002_0400, 7))
    clock_enable = ((0x4002_3830, 3), (0x4002_3844, 1 << 4), (0x4002_3840, 1 << 0))
    reset: ClassVar[dict[int, int]] = {
        0x4002_3800: 0x83,
        0x4002_3804: 0x2400_3010,
        0x4000_7000: 0xC000,
    }
    crystal_hz = 25e6
    wait_states, most_hz = 7, 216e6

    def set_up(self) -> None:
        super().set_up()
        r = self.registers
        if self.clocks_work:
            r.reading[0x4000_7004] = lambda _: r[0x4000_7000] & (3 << 16)

    def cpu_hz(self) -> float:
        hz = super().cpu_hz()
        assert hz <= 180e6 or self.registers[0x4000_7000] >> 16 & 3 == 3, "over-drive"
        return hz

    def uart_hz(self) -> float:
        self.apb_hz(10, 54e6)
        return self.apb_hz(13, 108e6)


class Stm32H7(Stm32):
    """RM0433, 6.8 and 8.7."""

    usart = 0x4000_4800
    gpio = ((0x5802_0C00, 8), (0x5802_0C00, 9))
    clock_enable = ((0x5802_44E0, 1 << 3), (0x5802_44E8, 1 << 18 | 1 << 0))
    reset: ClassVar[dict[int, int]] = {
        0x5802_4400: 0x83,
        0x5802_480C: 6,
        0x5802_4818: 0x4000,
        0x5802_4428: 0x0202_0200,
    }

    def set_up(self) -> None:
        super().set_up()
        r = self.registers
        self.ready(0x5802_4400, 1 << 16, 1 << 17)
        self.ready(0x5802_4400, 1 << 24, 1 << 25)
        r.reading[0x5802_4410] = lambda v: (v & ~0x38) | (v & 7) << 3
        if self.clocks_work:
            r.reading[0x5802_4804] = lambda _: 1 << 13
            self.ready(0x5802_4818, 3 << 14, 1 << 13)

    def cpu_hz(self) -> float:
        r = self.registers
        if r[0x5802_4410] & 7 == 0:
            return 64e6
        assert r[0x5802_4410] & 7 == 3, "system clock from PLL1"
        assert r[0x5802_4400] >> 18 & 1, "the external clock is a signal"
        assert r[0x5802_480C] & 7 == 2, "supplied by the LDO"
        assert field(r[0x5802_4818], 14, 2) == 3, "voltage scale 1"
        assert r[0x5802_4428] & 3 == 2, "PLL from the external clock"
        vco_in = 8e6 / field(r[0x5802_4428], 4, 6)
        low, high = ((1e6, 2e6), (2e6, 4e6), (4e6, 8e6), (8e6, 16e6))[field(r[0x5802_442C], 2, 2)]
        assert low <= vco_in <= high
        factors = r[0x5802_4430]
        vco = vco_in * (field(factors, 0, 9) + 1)
        assert 192e6 <= vco <= 836e6
        assert field(r[0x5802_442C], 1, 1) == 0, "wide range of the VCO"
        assert field(r[0x5802_442C], 16, 1) == 1, "output P is on"
        hz = vco / (field(factors, 9, 7) + 1)
        assert hz <= 400e6
        assert (field(r[0x5200_2000], 0, 4), field(r[0x5200_2000], 4, 2)) == (2, 2)
        assert self.axi_hz(hz) <= 200e6
        return hz

    def axi_hz(self, cpu_hz: float) -> float:
        bits = field(self.registers[0x5802_4418], 0, 4)
        return cpu_hz / (1 if bits < 8 else 1 << (bits - 7))

    def uart_hz(self) -> float:
        axi_hz = self.axi_hz(self.cpu_hz())
        r = self.registers
        for address, low in ((0x5802_4418, 4), (0x5802_441C, 8), (0x5802_4420, 4)):
            assert axi_hz / apb_divider(field(r[address], low, 3)) <= 100e6
        return axi_hz / apb_divider(field(r[0x5802_441C], 4, 3))


class Stm32L4(Stm32):
    """RM0351, 6.4."""

    usart = 0x4001_3800
    gpio = ((0x4800_0400, 6), (0x4800_0400, 7))
    clock_enable = ((0x4002_104C, 1 << 1), (0x4002_1058, 1), (0x4002_1060, 1 << 14))
    reset: ClassVar[dict[int, int]] = {
        0x4002_1000: 0x63,
        0x4002_100C: 0x1000,
        0x4800_0400: 0xFFFF_FEBF,
    }

    def set_up(self) -> None:
        super().set_up()
        self.ready(0x4002_1000, 1 << 8, 1 << 10)
        self.ready(0x4002_1000, 1 << 24, 1 << 25)
        self.registers.reading[0x4002_1008] = lambda v: (v & ~0xC) | (v & 3) << 2

    def cpu_hz(self) -> float:
        r = self.registers
        if r[0x4002_1008] & 3 == 0:
            return 4e6
        assert r[0x4002_1008] & 3 == 3, "system clock from the PLL"
        pll = r[0x4002_100C]
        assert pll & 3 == 2, "PLL from HSI16"
        vco_in = 16e6 / (field(pll, 4, 3) + 1)
        vco = vco_in * field(pll, 8, 7)
        assert 4e6 <= vco_in <= 16e6
        assert 64e6 <= vco <= 344e6
        assert field(pll, 24, 1) == 1, "output R is on"
        hz = vco / (2 * field(pll, 25, 2) + 2)
        assert hz <= 80e6
        assert field(r[0x4002_2000], 0, 3) >= 4
        return hz

    def uart_hz(self) -> float:
        return self.cpu_hz() / apb_divider(field(self.registers[0x4002_1008], 11, 3))


class Nrf52(Chip):
    """nRF52840 Product Specification, 5.4, 6.30 and 6.34: EasyDMA reads and writes RAM alone."""

    uarte = 0x4000_2000

    def set_up(self) -> None:
        r = self.registers
        if self.clocks_work:
            r.writing[0x4000_0000] = lambda _: r.words.update({0x4000_0100: 1})
        r.writing[0x4000_8040] = lambda _: r.words.update({0x4000_8540: self.tick()})
        r.writing[self.uarte + 0x08] = lambda _: self._send()
        r.writing[self.uarte + 0x00] = lambda _: r.words.update({self.uarte + 0x14C: 1})
        r.reading[self.uarte + 0x110] = lambda _: self._end_of_reception()

    def _send(self) -> None:
        r = self.registers
        pointer, count = r[self.uarte + 0x544], r[self.uarte + 0x548]
        assert 0x2000_0000 <= pointer < 0x2004_0000, "EasyDMA reads RAM alone"
        self.from_cpu += self.engine.mem_read(pointer, count)
        r.words[self.uarte + 0x120] = 1

    def _end_of_reception(self) -> int:
        """ENDRX: a transfer that was started gets the next byte, if there is one."""
        r = self.registers
        if r[self.uarte + 0x110] == 0 and r[self.uarte + 0x14C] and self.to_cpu:
            pointer = r[self.uarte + 0x534]
            assert 0x2000_0000 <= pointer < 0x2004_0000, "EasyDMA writes RAM alone"
            assert r[self.uarte + 0x538] == 1
            self.engine.mem_write(pointer, bytes([self.next_byte()]))
            r.words.update({self.uarte + 0x110: 1, self.uarte + 0x14C: 0})
        return r[self.uarte + 0x110]

    def cpu_hz(self) -> float:
        return 64e6

    def baud(self) -> float:
        """Table of BAUDRATE; pins as on the DK; switched on; the transmit pin is an output."""
        r = self.registers
        assert (r[self.uarte + 0x50C], r[self.uarte + 0x514]) == (6, 8)
        assert r[self.uarte + 0x500] == 8
        assert r[0x5000_0518] & 1 << 6
        return {0x01D6_0000: 115_200}[r[self.uarte + 0x524]]


class Rp2040(Chip):
    """RP2040 data sheet, 2.14 to 2.18 and 4.2; it starts as the ROM leaves it (2.8.1.3)."""

    uart = 0x4003_4000
    ssi = 0x1800_0000

    def _start(self, board: Board) -> None:
        """The second boot stage runs where the ROM copies it to."""
        where = 0x2004_1F00
        self.engine.mem_write(where, bytes(self.engine.mem_read(0x1000_0000, 256)))
        self._at = where

    now: list[int] | None = None

    def counts_from(self, now: list[int]) -> None:
        """Let SysTick and the timer follow `now[0]` cycles from here on, and so each other."""
        started_us = self.ticks
        self.now = now
        self.registers.reading[0x4005_4028] = lambda _: (started_us + now[0] // 125) % (1 << 32)

    def _systick(
        self, _uc: object, _how: int, address: int, _size: int, _value: int, _data: object
    ) -> None:
        if address == 0xE000_E018 and self.now is not None:
            counted = 0xFF_FFFF - self.now[0] % (1 << 24)
            self.engine.mem_write(address, counted.to_bytes(4, "little"))

    def flash_is_readable(self) -> bool:
        """4.10.13: the flash interface is on and reads with 03h and 24 bits of address."""

        def word(offset: int) -> int:
            return int.from_bytes(self.engine.mem_read(self.ssi + offset, 4), "little")

        control, command = word(0x00), word(0xF4)
        return (
            word(0x08) == 1
            and word(0x14) >= 2
            and (field(control, 16, 5), field(control, 8, 2)) == (31, 3)
            and (field(command, 24, 8), field(command, 8, 2), field(command, 2, 4)) == (3, 2, 6)
        )

    def set_up(self) -> None:
        r = self.registers
        # Before anything is executed: code that was translated already is not hooked any more.
        self.engine.hook_add(
            unicorn.UC_HOOK_MEM_READ, self._systick, None, 0xE000_E010, 0xE000_E01F
        )
        held = 0x01FF_FFFF
        r.words[0x4000_C000] = held
        for base in (0x4000_C000, 0x4002_8004):  # the aliases that clear bits
            r.writing[base + 0x3000] = lambda v, b=base: r.words.update({b: r[b] & ~v})
        r.words[0x4002_8004] = 0x2D
        r.reading[0x4000_C008] = lambda _: ~r[0x4000_C000] & held
        if self.clocks_work:
            on = 0xFAB << 12
            r.reading[0x4002_4004] = lambda _: 1 << 31 if r[0x4002_4000] & on == on else 0
            r.reading[0x4002_8000] = lambda v: v | (0 if r[0x4002_8004] & 0x21 else 1 << 31)
        r.reading[0x4000_8038] = lambda _: 1 << (r[0x4000_8030] & 3)
        r.reading[0x4000_8044] = lambda _: 1 << (r[0x4000_803C] & 1)
        r.reading[0x4005_4028] = self.tick
        r.reading[self.uart] = self.next_byte
        r.writing[self.uart] = lambda value: self.from_cpu.append(value & 0xFF)
        r.reading[self.uart + 0x18] = lambda _: 0 if self.to_cpu else 1 << 4

    def cpu_hz(self) -> float:
        r = self.registers
        assert (r[0x4000_8030] & 3, r[0x4000_803C] & 1) == (2, 1), "crystal, PLL"
        assert field(r[0x4000_803C], 5, 3) == 0, "of the two PLLs that of the system"
        vco = 12e6 / field(r[0x4002_8000], 0, 6) * r[0x4002_8008]
        assert 750e6 <= vco <= 1600e6
        assert r[0x4002_8004] & 0x29 == 0, "PLL, VCO and dividers are on"
        return vco / field(r[0x4002_800C], 16, 3) / field(r[0x4002_800C], 12, 3)

    def baud(self) -> float:
        r = self.registers
        assert self.flash_is_readable()
        assert (r[0x4001_4004], r[0x4001_400C]) == (2, 2), "both pins belong to the UART"
        assert r[0x4000_8048] >> 11 & 1, "the peripheral clock is on"
        assert r[0x4000_C000] & (1 << 5 | 1 << 8 | 1 << 22 | 1 << 21) == 0, "out of reset"
        assert r[self.uart + 0x30] & 0x301 == 0x301
        assert field(r[self.uart + 0x2C], 5, 2) == 3, "eight bits"
        return self.cpu_hz() / (16 * (r[self.uart + 0x24] + r[self.uart + 0x28] / 64))


CHIPS: dict[str, type[Chip]] = {
    "stm32": Stm32F4,
    "nucleo-f446re": Stm32F4,
    "stm32f746g-disco": Stm32F7,
    "nucleo-h753zi": Stm32H7,
    "b-l475e-iot01a": Stm32L4,
    "nrf52840-dk": Nrf52,
    "rpi-pico": Rp2040,
}
