#!/usr/bin/env python3
"""Makes the images of this folder again. Needs nothing but Python: `python3 examples/data/generate.py`."""

import math
import pathlib
import struct
import zlib

HERE = pathlib.Path(__file__).parent
FREE = 0


def draw(cols, rows, level):
    """An image as rows of levels, from `level(x, y)` with the pixel's centre in -1..1 along the shorter side."""
    short = min(cols, rows)
    return [
        [level((2 * col + 1 - cols) / short, (2 * row + 1 - rows) / short) for col in range(cols)]
        for row in range(rows)
    ]


def write_png(name, image, depth=8):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    pack = ">%dB" if depth == 8 else ">%dH"
    lines = b"".join(b"\0" + struct.pack(pack % len(line), *line) for line in image)
    header = struct.pack(">IIBBBBB", len(image[0]), len(image), depth, 0, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b"")
    (HERE / name).write_bytes(b"\x89PNG\r\n\x1a\n" + body)


def write_pgm(name, image, white):
    lines = [" ".join(str(level) for level in line) for line in image]
    head = f"P2\n# a wedge: hot at its tip\n{len(image[0])} {len(image)}\n{white}\n"
    (HERE / name).write_text(head + "\n".join(lines) + "\n")


def plate(x, y):
    """A hot gear on a cold axle, in a ring of cold bolts and warm ones, over a bar that is hotter to the right."""
    radius, angle = math.hypot(x, y + 0.1), math.atan2(y + 0.1, x)
    if radius < 0.12:
        return 1
    if 0.36 < radius < 0.44 + 0.08 * (math.cos(12 * angle) > 0):
        return 255
    for bolt in range(8):
        turn = math.tau * (bolt + 0.5) / 8
        if math.hypot(x - 1.0 * math.cos(turn), y + 0.1 - 0.68 * math.sin(turn)) < 0.07:
            return 1 if bolt % 2 else 170
    if 0.8 < y < 0.88 and abs(x) < 1.15:
        return round(128 + 100 * x)
    return FREE


def rings(x, y):
    """Rings with a gap each: cold ones, and warm ones that are cooler the further out."""
    radius, angle = math.hypot(x, y), math.degrees(math.atan2(y, x)) % 360
    for number in range(6):
        gap = abs((angle - 137.5 * number) % 360 - 180) > 160
        if abs(radius - (0.1 + 0.16 * number)) < 0.02 and not gap:
            return round(65535 * (1 - number / 6)) if number % 2 else 1
    return FREE


def small(x, y):
    """Few cells, uneven for every number of ranks, with 16 bits each."""
    return 65535 if abs(x) < 0.2 and abs(y) < 0.3 else 20000 if x > 0.9 else FREE


def wedge(x, y):
    return round(500 * (1 - x)) + 1 if abs(y) < 0.25 * (x + 1) and abs(x) < 1 else FREE


write_png("plate.png", draw(256, 192, plate))
write_png("rings.png", draw(200, 200, rings), depth=16)
write_png("small.png", draw(17, 13, small), depth=16)
write_pgm("wedge.pgm", draw(60, 40, wedge), 1001)
