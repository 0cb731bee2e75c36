"""Which operators can be compiled, and into which kernel calls?

One module an operator; importing this package finds them all.
"""

import importlib
import pkgutil

from mcucomp.ops.base import (
    Clearance,
    ConstantArray,
    Constraint,
    Control,
    ControlForm,
    KernelCall,
    Node,
    OperatorDef,
    ParamValue,
    Slot,
    View,
    definition_of,
    registered,
    registering,
)
from mcucomp.ops.contracts import clearances_by, with_contract
from mcucomp.ops.lowering import lower, verify

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

__all__ = [
    "Clearance",
    "ConstantArray",
    "Constraint",
    "Control",
    "ControlForm",
    "KernelCall",
    "Node",
    "OperatorDef",
    "ParamValue",
    "Slot",
    "View",
    "clearances_by",
    "definition_of",
    "lower",
    "registered",
    "registering",
    "verify",
    "with_contract",
]
