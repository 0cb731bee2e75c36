"""Which C kernels exist for a CPU, and which sources are compiled for them?

One module a backend. The portable backend is complete and is the meaning of
every operator; another one lists only what it replaces.
"""
