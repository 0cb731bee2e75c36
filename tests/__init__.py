"""The tests of mcucomp; `support` is what they share."""
