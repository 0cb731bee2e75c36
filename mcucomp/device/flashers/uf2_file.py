"""What is a UF2 file? An image in blocks that each say where they go.

As in Microsoft's specification (github.com/microsoft/uf2): blocks of 512 bytes, little
endian, of which 256 are the image's; a boot loader takes them in any order and
leaves those of other families alone.
"""

from __future__ import annotations

import struct

PAYLOAD_BYTES = 256

_MAGIC_START_0, _MAGIC_START_1, _MAGIC_END = 0x0A32_4655, 0x9E5D_5157, 0x0AB1_6F30
_FAMILY_PRESENT = 0x0000_2000
# Magic twice, flags, address, payload bytes, number of the block, of how many, family; the
# payload with its padding; magic.
_BLOCK = struct.Struct("<8I476sI")


def encode(image: bytes, origin: int, family: int) -> bytes:
    """The UF2 file of an image that begins at the address `origin`.

    The last block is filled with zeros: flash is written in whole pages.
    """
    parts = [image[at : at + PAYLOAD_BYTES] for at in range(0, len(image), PAYLOAD_BYTES)]
    return b"".join(
        _BLOCK.pack(
            _MAGIC_START_0,
            _MAGIC_START_1,
            _FAMILY_PRESENT,
            origin + number * PAYLOAD_BYTES,
            PAYLOAD_BYTES,
            number,
            len(parts),
            family,
            part,
            _MAGIC_END,
        )
        for number, part in enumerate(parts)
    )
