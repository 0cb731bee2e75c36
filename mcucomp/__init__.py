"""mcucomp: a deployment compiler for microcontrollers.

Takes a TensorFlow Lite model and a board, gives back plain C, a plan of the
arena whose peak is stated before anything is flashed, and a firmware image that
measures that peak on the device.
"""

__version__ = "0.1.0"
