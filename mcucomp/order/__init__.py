"""Which operator runs when? One module a way to find an order."""
