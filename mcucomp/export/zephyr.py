"""A module of the Zephyr RTOS: `zephyr/module.yml` with its CMake and Kconfig files."""

from mcucomp.export.format import Format, render
from mcucomp.export.package import Package

_FILES = ("zephyr/module.yml", "zephyr/CMakeLists.txt", "zephyr/Kconfig")


def _metadata(package: Package) -> dict[str, str]:
    return {path: render(f"{path}.j2", package=package) for path in _FILES}


FORMAT = Format(
    name="zephyr",
    summary="a module for Zephyr",
    public_folder="include",
    private_folder="src",
    use="zephyr/use.md.j2",
    metadata=_metadata,
)
