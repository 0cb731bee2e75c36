"""TFLite_Detection_PostProcess: boxes of objects, of which the best that do not overlap remain."""

from __future__ import annotations

import math

from mcucomp.ir import DType
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.conditions import OUTPUT, Role, dims, has_elements, has_rank, has_type, takes
from mcucomp.ops.custom import options_of

ENCODINGS = Role("encodings", 0)
SCORES = Role("scores", 1)
ANCHORS = Role("anchors", 2)
KINDS = Role("classes", 1, is_output=True)
LIKELIHOODS = Role("likelihoods", 2, is_output=True)
COUNT = Role("count", 3, is_output=True)
_INPUTS = (ENCODINGS, SCORES, ANCHORS)
_OUTPUTS = (OUTPUT, KINDS, LIKELIHOODS, COUNT)

_COUNTS = ("max_detections", "max_classes_per_detection", "num_classes")
_REALS = ("nms_score_threshold", "nms_iou_threshold", "y_scale", "x_scale", "h_scale", "w_scale")
_DEFAULT_CLASS_DETECTIONS = 100
_COUNT_MAX = 2**20
# A box, and whether it is a candidate.
_SCRATCH_BYTES = 17


def _options_found(node: Node) -> str | None:
    options = options_of(node)
    for name in (*_COUNTS, *_REALS):
        if name not in options:
            return f"no {name}"
    for name in _COUNTS:
        if not 1 <= options[name] <= _COUNT_MAX:
            return f"{name} of {options[name]}"
    for name in _REALS:
        if not math.isfinite(options[name]) or (name.endswith("scale") and options[name] == 0):
            return f"{name} of {options[name]}"
    overlap = options["nms_iou_threshold"]
    return None if 0 < overlap <= 1 else f"nms_iou_threshold of {overlap}"


def _count(node: Node, name: str) -> int:
    return int(options_of(node)[name])


def _is_regular(node: Node) -> bool:
    return bool(options_of(node).get("use_regular_nms", False))


def _class_detections(node: Node) -> int:
    """How many of each class; 0 where it is the best class of each box that counts."""
    if not _is_regular(node):
        return 0
    return int(options_of(node).get("detections_per_class", _DEFAULT_CLASS_DETECTIONS))


def _several_classes_found(node: Node) -> str | None:
    counts = (_count(node, "max_classes_per_detection"), _count(node, "num_classes"))
    return None if _is_regular(node) or min(counts) == 1 else f"{min(counts)}"


def _class_detections_found(node: Node) -> str | None:
    fits = not _is_regular(node) or 1 <= _class_detections(node) <= _COUNT_MAX
    return None if fits else f"{_class_detections(node)}"


def _shapes_found(node: Node) -> str | None:
    codes, scores, anchors = (node.input(k).shape for k in range(3))
    columns = scores[2] - _count(node, "num_classes")
    boxes = codes[1]
    if (codes[0], scores[:2], anchors) == (1, (1, boxes), (boxes, 4)) and codes[2] >= 4:
        return None if columns in (0, 1) else f"{scores[2]} columns"
    return f"{dims(codes)}, {dims(scores)} and {dims(anchors)}"


def _results_found(node: Node) -> str | None:
    most = _count(node, "max_detections")
    wanted = (4 * most, most, most, 1)
    given = tuple(node.output(k).elements for k in range(4))
    return None if given == wanted else " and ".join(map(str, given))


def _lower(node: Node) -> KernelCall:
    codes, scores, anchors = (node.input(k) for k in range(3))
    options = options_of(node)
    boxes = codes.shape[1]
    return KernelCall(
        "mcuc_detection_post_process",
        {
            "boxes": boxes,
            "encoding_size": codes.shape[2],
            "columns": scores.shape[2],
            "classes": _count(node, "num_classes"),
            "detections": _count(node, "max_detections"),
            "class_detections": _class_detections(node),
            "score_threshold": float(options["nms_score_threshold"]),
            "overlap_threshold": float(options["nms_iou_threshold"]),
            **{f"{axis}_scale": float(options[f"{axis}_scale"]) for axis in "yxhw"},
        },
        reads=(codes.index, scores.index, anchors.index),
        writes=tuple(node.output(k).index for k in range(4)),
        scratch_bytes=_SCRATCH_BYTES * boxes,
    )


DETECTION_POST_PROCESS = register(
    OperatorDef(
        kind="TFLite_Detection_PostProcess",
        summary="boxes of objects, of which the best that do not overlap remain; zeros behind "
        "them, which TFLM leaves as they were",
        constraints=(
            takes(*_INPUTS, results=4),
            *(has_type(role, DType.FLOAT32) for role in (*_INPUTS, *_OUTPUTS)),
            has_rank(ENCODINGS, 3),
            has_rank(SCORES, 3),
            has_rank(ANCHORS, 2),
            *(has_elements(role) for role in (*_INPUTS, *_OUTPUTS)),
            Constraint(
                "custom options have counts from 1, finite thresholds and scales that are not 0, "
                "and nms_iou_threshold above 0 and at most 1",
                _options_found,
            ),
            Constraint(
                "max_classes_per_detection or num_classes is 1 unless use_regular_nms is set, "
                "since TFLM writes beyond its outputs otherwise",
                _several_classes_found,
            ),
            Constraint("detections_per_class is at least 1", _class_detections_found),
            Constraint(
                "encodings are 1 x boxes x 4 or more, scores 1 x boxes x classes (and one more), "
                "anchors boxes x 4",
                _shapes_found,
            ),
            Constraint(
                "outputs have 4 * max_detections, max_detections, max_detections and 1 elements",
                _results_found,
            ),
        ),
        lower=_lower,
        is_custom=True,
    )
)
