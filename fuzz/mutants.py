"""A mutation engine: damaged copies of good files, the same for the same seed."""

import random
import re

NUMBERS = (
    b"0", b"-1", b"1", b"2", b"007", b"1.5", b"-0", b"1e308", b"1e309", b"1e-320", b"nan", b"inf",
    b"2147483647", b"2147483648", b"-2147483649", b"4294967296", b"9223372036854775807",
    b"9223372036854775808", b"99999999999999999999999", b"1_0", b"0x10", b"",
)  # fmt: skip
WORDS = (
    b"source", b"target", b"weight", b"node", b"label", b"id", b"class", b"author", b"#", b"%",
    b'"', b"''", b",", b";", b"\t", b" ", b"\r", b"\n", b"\r\n", b"\0", b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xc3\xa9", b"\xe9", b"[", b"]", b"<", b">", b"&#0;", b"&#99999999999;", b"&lt;", b"]]>",
    b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"general", b"symmetric", b"array", b"pattern", b"complex",
)  # fmt: skip
WIDE = (0, 1, -1, 127, 128, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1, 10**6, 10**9)


def mutant(good: list[bytes], rng: random.Random) -> bytes:
    """One good file with one to four things done to it."""
    data = bytearray(rng.choice(good))
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        rng.choice(STEPS)(data, rng, good)
    return bytes(data)


def flip_bit(data, rng, _):
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def set_byte(data, rng, _):
    if data:
        data[rng.randrange(len(data))] = rng.choice(
            (0, 255, 128, 10, 13, 34, 44, rng.randrange(256))
        )


def cut(data, rng, _):
    start, stop = _span(data, rng)
    del data[start:stop]


def repeat(data, rng, _):
    start, stop = _span(data, rng)
    data[stop:stop] = data[start:stop] * rng.choice((1, 1, 2, 30))


def insert(data, rng, _):
    at = rng.randrange(len(data) + 1)
    data[at:at] = bytes(rng.randrange(256) for _ in range(rng.choice((1, 2, 8, 40))))


def insert_word(data, rng, _):
    at = rng.randrange(len(data) + 1)
    data[at:at] = rng.choice(WORDS)


def splice(data, rng, good):
    other = rng.choice(good)
    start, stop = _span(other, rng)
    at, end = _span(data, rng)
    data[at:end] = other[start:stop]


def truncate(data, rng, _):
    del data[rng.randrange(len(data) + 1) :]


def swap_number(data, rng, _):
    found = list(re.finditer(rb"-?[0-9]+(\.[0-9]+)?", bytes(data[:20000])))
    if found:
        number = rng.choice(found)
        data[number.start() : number.end()] = rng.choice(NUMBERS)


def set_wide(data, rng, _):
    size = rng.choice((2, 4, 4, 8))
    if len(data) >= size:
        at = rng.randrange(len(data) - size + 1) & ~(rng.choice((0, 3)))
        value = rng.choice(WIDE) & ((1 << 8 * size) - 1)
        data[at : at + size] = value.to_bytes(size, rng.choice(("little", "big")))


def repeat_line(data, rng, _):
    lines, at = _lines(data, rng)
    lines.insert(rng.randrange(len(lines) + 1), lines[at])
    data[:] = b"".join(lines)


def delete_line(data, rng, _):
    lines, at = _lines(data, rng)
    del lines[at]
    data[:] = b"".join(lines)


def swap_lines(data, rng, _):
    lines, at = _lines(data, rng)
    other = rng.randrange(len(lines))
    lines[at], lines[other] = lines[other], lines[at]
    data[:] = b"".join(lines)


def edit_header(data, rng, _):
    end = data.find(b"\n") + 1 or len(data)
    head = bytearray(data[:end])
    words = list(re.finditer(rb"[A-Za-z_]+", bytes(head)))
    if words and rng.random() < 0.7:
        word = rng.choice(words)
        head[word.start() : word.end()] = rng.choice(WORDS)
    else:
        rng.choice((cut, repeat, set_byte, swap_number))(head, rng, [bytes(head)])
    data[:end] = head


def _span(data, rng):
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + rng.choice((1, 2, 4, 8, 32, 200)))


def _lines(data, rng):
    lines = bytes(data).splitlines(keepends=True) or [b""]
    return lines, rng.randrange(len(lines))


STEPS = (
    flip_bit, set_byte, set_byte, cut, repeat, insert, insert_word, insert_word, splice, truncate,
    swap_number, swap_number, set_wide, repeat_line, delete_line, swap_lines, edit_header,
)  # fmt: skip
