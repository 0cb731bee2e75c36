"""How many bytes of flash and RAM does each part of an image take?

Read from the ELF's sections: the linker script keeps weights, model, kernels
and arena in sections of their own, so no map file has to be interpreted.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

WEIGHTS, MODEL, KERNELS = ".mcuc_weights", ".mcuc_model", ".mcuc_kernels"
HARNESS = ".mcuc_harness"
ARENA, STATE, STACK = ".mcuc_arena", ".mcuc_state", ".mcuc_stack"


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes by part.

    Flash: `weights` holds constants (weights, biases, multipliers), `model`
    the generated calls and their parameters, `kernels` the operators' code,
    `rest` start-up, serial line, report and C library, with the initial
    values of variables; of that `harness` serves the serial line and
    measures, which no product needs. RAM: `arena` with guard bytes, `state` of the model with
    guard bytes, `data` variables, `stack` what is reserved for it.
    """

    flash_weights_bytes: int
    flash_model_bytes: int
    flash_kernels_bytes: int
    flash_rest_bytes: int
    flash_harness_bytes: int
    ram_arena_bytes: int
    ram_state_bytes: int
    ram_data_bytes: int
    ram_stack_bytes: int

    @property
    def flash_bytes(self) -> int:
        return (
            self.flash_weights_bytes
            + self.flash_model_bytes
            + self.flash_kernels_bytes
            + self.flash_rest_bytes
        )

    @property
    def code_bytes(self) -> int:
        """Flash without the model and its weights."""
        return self.flash_kernels_bytes + self.flash_rest_bytes

    @property
    def ram_bytes(self) -> int:
        return (
            self.ram_arena_bytes + self.ram_state_bytes + self.ram_data_bytes + self.ram_stack_bytes
        )


def measure(elf: Path) -> Sizes:
    """The sizes of a linked image for a board."""
    flash: dict[str, int] = {}
    ram: dict[str, int] = {}
    with elf.open("rb") as file:
        for section in ELFFile(file).iter_sections():
            flags, size_bytes = section["sh_flags"], section["sh_size"]
            if not flags & SH_FLAGS.SHF_ALLOC or size_bytes == 0:
                continue
            if section["sh_type"] != "SHT_NOBITS":
                flash[section.name] = size_bytes
            if flags & SH_FLAGS.SHF_WRITE:
                ram[section.name] = size_bytes
    return Sizes(
        flash_weights_bytes=flash.pop(WEIGHTS, 0),
        flash_model_bytes=flash.pop(MODEL, 0),
        flash_kernels_bytes=flash.pop(KERNELS, 0),
        flash_rest_bytes=sum(flash.values()),
        flash_harness_bytes=flash.get(HARNESS, 0),
        ram_arena_bytes=ram.pop(ARENA, 0),
        ram_state_bytes=ram.pop(STATE, 0),
        ram_stack_bytes=ram.pop(STACK, 0),
        ram_data_bytes=sum(ram.values()),
    )
