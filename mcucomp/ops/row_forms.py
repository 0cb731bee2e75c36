"""How does a kernel call run one row at a time?

In: a kernel call, and its tensors as they are seen in rows. Out: its `RowForm`,
or None where the call has to run whole. One row a kernel in `ROW_FORMS`, by the
kernel's name, like `contracts.py`: `row_geometry.py` knows the windows,
`row_kernels.py` what carries them out; `row_resizing.py` both of what it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcucomp.ops.base import KernelCall
from mcucomp.ops.clearance import WalkTooLong
from mcucomp.ops.row_geometry import GEOMETRY
from mcucomp.ops.row_kernels import CARRIED
from mcucomp.ops.row_resizing import bilinear
from mcucomp.ops.row_types import Carrier, RowForm, RowFormOf, RowMode, Rows, RowWindow


def _carried(geometry: RowFormOf, carry: Carrier) -> RowFormOf:
    def form_of(call: KernelCall, reads: Sequence[Rows | None], out: Rows) -> RowForm | None:
        form = geometry(call, reads, out)
        return None if form is None else carry(call, form)

    return form_of


ROW_FORMS: dict[str, RowFormOf] = {
    **{kernel: _carried(geometry, CARRIED[kernel]) for kernel, geometry in GEOMETRY.items()},
    "mcuc_resize_bilinear_s8": bilinear,
}


def register_row_forms(forms: Mapping[str, RowFormOf]) -> None:
    """Make known how a backend's kernels run in rows."""
    ROW_FORMS.update(forms)


# A microcontroller's rows are far shorter; each pixel of one is looked at.
_LONGEST_ROW_BYTES = 1 << 20


def row_form(call: KernelCall, reads: Sequence[Rows | None], out: Rows) -> RowForm | None:
    """How `call` runs in rows; None where it has to run whole.

    Rows so long that nobody would walk over them, as damaged files have, run whole.
    """
    found = ROW_FORMS.get(call.kernel)
    if found is None or len(call.writes) != 1:
        return None
    if max(rows.row_bytes for rows in (*reads, out) if rows is not None) > _LONGEST_ROW_BYTES:
        return None
    try:
        return found(call, reads, out)
    except WalkTooLong:
        return None


__all__ = [
    "ROW_FORMS",
    "RowForm",
    "RowFormOf",
    "RowMode",
    "RowWindow",
    "Rows",
    "register_row_forms",
    "row_form",
]
