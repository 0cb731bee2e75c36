"""A Makefile that builds a static library with any GCC or Clang."""

from mcucomp.export.format import Format, render
from mcucomp.export.package import Package


def _metadata(package: Package) -> dict[str, str]:
    return {"Makefile": render("make/Makefile.j2", package=package)}


FORMAT = Format(
    name="make",
    summary="a static library for GNU make",
    public_folder="include",
    private_folder="src",
    use="make/use.md.j2",
    metadata=_metadata,
)
