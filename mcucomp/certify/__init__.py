"""Is a plan what it says it is? Writes the proof into a document, and checks documents.

The checker shares nothing with what it checks: it imports no planner, no placer
and no lifetime code, only the types of steps and buffers.
"""

from mcucomp.certify.checker import check
from mcucomp.certify.document import certificate, memory_members

__all__ = ["certificate", "check", "memory_members"]
