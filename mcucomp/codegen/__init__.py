"""What C does a plan become?

In: a graph, its kernel calls, its plan. Out: the text of `model.h`, `model.c`,
`weights.h` and `weights.c`. All arithmetic is done before: templates hold text.
"""

from mcucomp.codegen.emit import emit
from mcucomp.codegen.names import comment, identifier
from mcucomp.codegen.row_program import RowProgram
from mcucomp.codegen.rows import emit_rows
from mcucomp.codegen.sources import ApiTensor, Sources

__all__ = ["ApiTensor", "RowProgram", "Sources", "comment", "emit", "emit_rows", "identifier"]
