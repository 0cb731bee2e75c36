"""What do functions give in fixed-point arithmetic, bit for bit as on the device?

In and out: integers that stand for fractions, mostly Q0.31. The algorithms
are those of the gemmlowp library as TensorFlow Lite Micro uses them; here they
run when a model is compiled, to fill tables.
"""

from __future__ import annotations

from mcucomp.ops.arithmetic import quantize_multiplier

INT32_MAX = 2**31 - 1
INT32_MIN = -(2**31)


def wrapped32(x: int) -> int:
    """x modulo 2^32, as a two's complement number."""
    return (x - INT32_MIN) % 2**32 + INT32_MIN


def multiply_high(a: int, b: int) -> int:
    """a * b / 2^31, rounded half up."""
    return (a * b + (1 << 30)) >> 31


def divide_pot(x: int, n: int) -> int:
    """x / 2^n, rounded half away from zero."""
    if n == 0:
        return x
    magnitude = (abs(x) + (1 << (n - 1))) >> n
    return magnitude if x >= 0 else -magnitude


def scaled(x: int, multiplier: int, exponent: int) -> int:
    """x * multiplier * 2^(exponent - 31), rounded twice; a left shift wraps."""
    shifted = wrapped32(x << max(exponent, 0))
    return divide_pot(multiply_high(shifted, multiplier), max(-exponent, 0))


def scaled_by(x: int, real: float) -> int:
    """x * real, with `real` as a quantised multiplier."""
    return scaled(x, *quantize_multiplier(real))


def saturating_shift(x: int, n: int) -> int:
    """x * 2^n, clamped to int32."""
    return max(INT32_MIN, min(INT32_MAX, x << n))


_EXP_FACTORS = (
    (-2, 1672461947),
    (-1, 1302514674),
    (0, 790015084),
    (1, 290630308),
    (2, 39332535),
    (3, 720401),
    (4, 242),
)


def exp_of_negative(a: int, integer_bits: int) -> int:
    """exp(a) in Q0.31 for a <= 0 with `integer_bits`: a polynomial, then a factor a bit."""
    if a == 0:
        return INT32_MAX
    quarter = 1 << (29 - integer_bits)
    a_mod = (a & (quarter - 1)) - quarter
    x = saturating_shift(a_mod, integer_bits) + (1 << 28)
    x2 = multiply_high(x, x)
    x3 = multiply_high(x2, x)
    x4 = multiply_high(x2, x2)
    tail = divide_pot(multiply_high(divide_pot(x4, 2) + x3, 715827883) + x2, 1)
    result = 1895147668 + multiply_high(1895147668, x + tail)
    for exponent, factor in _EXP_FACTORS:
        if exponent < integer_bits and (a_mod - a) & (1 << (31 - integer_bits + exponent)):
            result = multiply_high(result, factor)
    return result


def _reciprocal_steps(a: int) -> int:
    """2 / (1 + a) in Q2.29 by three of Newton's steps, for 0 <= a < 1 in Q0.31."""
    half = (a + INT32_MAX + 1) >> 1
    x = 1515870810 + multiply_high(half, -1010580540)
    for _ in range(3):
        error = (1 << 29) - multiply_high(half, x)
        x += saturating_shift(multiply_high(x, error), 2)
    return x


def logistic(a: int) -> int:
    """1 / (1 + exp(-a)) in Q0.31 for a in Q4.27."""
    if a == 0:
        return 1 << 30
    result = saturating_shift(_reciprocal_steps(exp_of_negative(-abs(a), 4)), 1)
    return result if a > 0 else INT32_MAX - result


def tanh(a: int) -> int:
    """tanh(a) in Q0.31 for a in Q4.27: (1 - e) / (1 + e) for e = exp(-2a)."""
    if a == 0:
        return 0
    steps = _reciprocal_steps(exp_of_negative(-abs(a), 5))
    result = saturating_shift(steps - (1 << 29), 2)
    return result if a > 0 else -result


def inverse_square_root(x: int) -> tuple[int, int]:
    """(multiplier, exponent) with 1 / sqrt(x) ~ multiplier * 2^(exponent - 31)."""
    if x <= 1:
        return INT32_MAX, 0
    right = 11
    while x >= 1 << 29:
        x //= 4
        right += 1
    spare = (32 - x.bit_length() - 1) // 2 - 1
    right -= spare
    x <<= 2 * spare
    y, half = 1 << 28, divide_pot(x >> 1, 1)
    for _ in range(5):
        y3 = saturating_shift(multiply_high(multiply_high(y, y), y), 6)
        y = saturating_shift(multiply_high(402653184, y) - multiply_high(half, y3), 3)
    y = multiply_high(y, 1518500250)
    if right < 0:
        return y << -right, 0
    return y, -right
