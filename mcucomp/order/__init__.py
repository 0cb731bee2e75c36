"""Which operator runs when? One module a way to find an order, bounds beside them."""

# What each planner may use, cheapest first; the names are those of `best_order.METHODS`.
PLANNERS: dict[str, tuple[str, ...]] = {
    "auto": (
        "step",
        "traps",
        "best trap",
        "quick search",
        "beam",
        "guided search",
        "halving search",
        "forced precedence",
        "exhaustion",
        "ilp",
    ),
    "traps": ("step", "traps", "best trap", "quick search", "beam", "forced precedence"),
    "search": ("exhaustion",),
    "ilp": ("ilp",),
    "file": ("step", "traps", "best trap"),
}  # fmt: skip
