"""Which byte does each buffer start at? One module a placer."""
