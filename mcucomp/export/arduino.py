"""An Arduino library: all that is compiled lies under `src/`, which is the one include path."""

from mcucomp.export.format import Format, render
from mcucomp.export.package import Package


def _metadata(package: Package) -> dict[str, str]:
    return {
        "library.properties": render("arduino/library.properties.j2", package=package),
        # The folder of a sketch must be named like the sketch.
        "examples/RunModel/RunModel.ino": render("arduino/RunModel.ino.j2", package=package),
    }


FORMAT = Format(
    name="arduino",
    summary="a library for the Arduino IDE",
    public_folder="src",
    private_folder="src",
    use="arduino/use.md.j2",
    metadata=_metadata,
)
