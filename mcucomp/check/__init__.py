"""Are the answers right, and is the peak what was planned?

In: a build directory, a session with its device, inputs. Out: a `Verdict`
against TensorFlow Lite Micro's own interpreter and against the plan, and a `Trace`
of what each operator touches.
"""

from mcucomp.check.compare import Mismatch, Verdict, compare
from mcucomp.check.judges import Judge, judge_of
from mcucomp.check.session import session
from mcucomp.check.trace import Trace, Violation, require_traceable, trace

__all__ = [
    "Judge",
    "Mismatch",
    "Trace",
    "Verdict",
    "Violation",
    "compare",
    "judge_of",
    "require_traceable",
    "session",
    "trace",
]
