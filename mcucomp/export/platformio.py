"""A PlatformIO library, described by `library.json`."""

import json

from mcucomp.export.format import Format
from mcucomp.export.package import Package


def _metadata(package: Package) -> dict[str, str]:
    manifest = {
        "name": package.name,
        "version": package.version,
        "description": package.title,
        "keywords": ["machine-learning", "neural-network", "tflite"],
        "license": "Apache-2.0",
        "frameworks": "*",
        "platforms": "*",
        "headers": [model.header for model in package.models],
        "build": {
            "includeDir": "include",
            "srcDir": "src",
            # An archive: kernels that two libraries bring are linked once.
            "libArchive": True,
            "flags": ["-ffp-contract=off"],
        },
    }
    return {"library.json": json.dumps(manifest, indent=2) + "\n"}


FORMAT = Format(
    name="platformio",
    summary="a library for PlatformIO",
    public_folder="include",
    private_folder="src",
    use="platformio/use.md.j2",
    metadata=_metadata,
)
