"""Where does each file of a package go?"""

from __future__ import annotations

from mcucomp.export.format import Format, render
from mcucomp.export.package import Package
from mcucomp.paths import license_file

README, LICENSE = "README.md", "LICENSE"


def package_files(package: Package, form: Format) -> dict[str, str]:
    """The text of each file by its path in the exported folder, in the order of the paths.

    The same package and format give the same bytes anywhere.
    """
    files = {f"{form.public_folder}/{f}": text for f, text in package.public_headers.items()}
    private = package.private_headers | package.sources
    private |= {kernel.file: kernel.text for kernel in package.kernels}
    files |= {f"{form.private_folder}/{f}": text for f, text in private.items()}
    files |= form.metadata(package)
    for model in package.models:
        files |= model.documents
    files[LICENSE] = license_file().read_text(encoding="utf-8")
    files[README] = render("README.md.j2", package=package, format=form)
    return dict(sorted(files.items()))
