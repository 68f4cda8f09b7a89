"""The compiled arithmetic of ridge regression that learns one row at a time.

Nothing here is re-ordered by the compiler (no fast-math), so that a row gives the same bits
whether it comes alone or in a recorded stream.
"""

from __future__ import annotations

from numba import njit

from lapwing.types import Array


@njit(cache=True)
def dot(a: Array, b: Array) -> float:
    """The inner product, in eight sums that a processor can keep side by side."""
    n = a.shape[0]
    whole = n - n % 8
    s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0.0
    for i in range(0, whole, 8):
        s0 += a[i] * b[i]
        s1 += a[i + 1] * b[i + 1]
        s2 += a[i + 2] * b[i + 2]
        s3 += a[i + 3] * b[i + 3]
        s4 += a[i + 4] * b[i + 4]
        s5 += a[i + 5] * b[i + 5]
        s6 += a[i + 6] * b[i + 6]
        s7 += a[i + 7] * b[i + 7]
    for i in range(whole, n):
        s0 += a[i] * b[i]
    return ((s0 + s4) + (s1 + s5)) + ((s2 + s6) + (s3 + s7))


@njit(cache=True)
def times(inverse: Array, x: Array, v: Array) -> None:
    """Write A^-1 x into v, four rows of the symmetric A^-1 at a time."""
    d = x.shape[0]
    v[:] = 0.0
    whole = d - d % 4
    for j in range(0, whole, 4):
        a, b, c, e = x[j], x[j + 1], x[j + 2], x[j + 3]
        p, q, r, s = inverse[j], inverse[j + 1], inverse[j + 2], inverse[j + 3]
        for i in range(d):
            v[i] += (a * p[i] + b * q[i]) + (c * r[i] + e * s[i])
    for j in range(whole, d):
        a = x[j]
        p = inverse[j]
        for i in range(d):
            v[i] += a * p[i]


@njit(cache=True)
def absorb(inverse: Array, v: Array, q: float) -> None:
    """A^-1 becomes (A + x x')^-1 by Sherman and Morrison, from v = A^-1 x and q = x'v."""
    d = v.shape[0]
    scale = 1.0 / (1.0 + q)
    for j in range(d):
        a = scale * v[j]
        p = inverse[j]
        for i in range(d):
            p[i] -= a * v[i]
