"""How does C become an image, and how large is it?

In: generated sources, a board. Out: an ELF file, its raw image where the board
is flashed, and what each part and each memory region takes, read from the ELF's sections.
"""

from mcucomp.build.image import Image, build_image
from mcucomp.build.regions import RegionUse
from mcucomp.build.sizes import Sizes
from mcucomp.build.toolchain import SANITIZE_FLAGS, Toolchain

__all__ = ["SANITIZE_FLAGS", "Image", "RegionUse", "Sizes", "Toolchain", "build_image"]
