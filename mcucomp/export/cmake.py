"""A folder for `add_subdirectory` of CMake."""

from mcucomp.export.format import Format, render
from mcucomp.export.package import Package


def _metadata(package: Package) -> dict[str, str]:
    return {"CMakeLists.txt": render("cmake/CMakeLists.txt.j2", package=package)}


FORMAT = Format(
    name="cmake",
    summary="a static library for CMake",
    public_folder="include",
    private_folder="src",
    use="cmake/use.md.j2",
    metadata=_metadata,
)
