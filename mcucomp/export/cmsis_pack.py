"""A CMSIS-Pack, described by its `.pdsc`: for Keil MDK, CMSIS-Toolbox and other tools.

The elements are those of the schema PACK.xsd of Open-CMSIS-Pack, version 1.7.
"""

import xml.etree.ElementTree as ET

from mcucomp.export.format import Format
from mcucomp.export.package import Package

VENDOR = "mcucomp"
_SCHEMA_LOCATION = (
    "https://raw.githubusercontent.com/Open-CMSIS-Pack/Open-CMSIS-Pack-Spec/v1.7.2/schema/PACK.xsd"
)
_XSI = "http://www.w3.org/2001/XMLSchema-instance"


def _metadata(package: Package) -> dict[str, str]:
    root = ET.Element(
        "package",
        {
            "schemaVersion": "1.7.2",
            "xmlns:xs": _XSI,
            "xs:noNamespaceSchemaLocation": _SCHEMA_LOCATION,
        },
    )
    _add(root, "vendor", VENDOR)
    _add(root, "name", package.name)
    _add(root, "description", package.title)
    _add(root, "url", "")  # where packs are published; this one is used from its folder
    _add(root, "license", "LICENSE")
    _add(
        _add(root, "releases"), "release", f"Compiled by mcucomp {package.version}",
        version=package.version,
    )  # fmt: skip
    component = _add(
        _add(root, "components"),
        "component",
        Cclass="Machine Learning",
        Cgroup="mcucomp",
        Csub=package.name,
        Cversion=package.version,
    )
    _add(component, "description", package.title)
    _add_files(_add(component, "files"), package)
    ET.indent(root, "  ")
    text = ET.tostring(root, encoding="unicode")
    header = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return {f"{VENDOR}.{package.name}.pdsc": f"{header}{text}\n"}


def _add_files(files: ET.Element, package: Package) -> None:
    _add(files, "file", category="doc", name="README.md")
    _add(files, "file", category="include", name="include/")
    for header in package.public_headers:
        _add(files, "file", category="header", name=f"include/{header}")
    for source in package.compiled:
        _add(files, "file", category="sourceC", name=f"src/{source}")


def _add(parent: ET.Element, tag: str, text: str = "", **attributes: str) -> ET.Element:
    element = ET.SubElement(parent, tag, attributes)
    element.text = text or None
    return element


FORMAT = Format(
    name="cmsis-pack",
    summary="a CMSIS-Pack",
    public_folder="include",
    private_folder="src",
    use="cmsis_pack/use.md.j2",
    metadata=_metadata,
)
