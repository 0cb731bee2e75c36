"""Are the answers right, and is the peak what was planned?

In: a build directory, a session with its device, inputs. Out: a `Verdict`
against TensorFlow Lite Micro's own interpreter and against the plan.
"""

from mcucomp.check.compare import Mismatch, Verdict, compare
from mcucomp.check.judges import Judge, judge_of
from mcucomp.check.session import session

__all__ = ["Judge", "Mismatch", "Verdict", "compare", "judge_of", "session"]
