"""Row streaming: operators in steps of one row, scheduled and placed as one finer graph."""
