"""Writes seed files for the fuzz programs.

Usage: python3 seeds.py FOLDER

FOLDER/fuzz_options, fuzz_png and fuzz_cache get a few small files each.
"""

import os
import struct
import sys
import zlib

OPTIONS = [
    "--headless\n--frames\n5\n--size=64x64\n--grid\n16x16",
    "--semaphore\nbinary\n--compute=cuda\n--device\nGPU-00112233445566778899aabbccddeeff",
    "--compare\na.png\n--with\nb.png\n--threshold\n3\n--max-diff-ratio\n0.25\n--diff\nd.png",
    "--headless\n--output\nframe-%05d.png\n--frames\n3\n--first-frame\n7\n--time-step\n1e-3\n--start-time=-2.5",
    "--headless\n--output\n-\n--frames\n18446744073709551616\n--stats\n-",
    "--grid\n65537x1\n--size\n0x9\n--style\npoints\n--samples\n4\n--present-mode\nmailbox",
    "--memory\nsuballocated\n--heightmap\nimage\n--renderer\ncompute\n--batch\n1024",
    "--time-step\n0,5\n--start-time\nnan\n--threshold\n-1\n--device\n\xff\xfe",
    "--help\n--version\n--list-devices\n--help-tests\n--quiet\n--verbose\n--validation\n--bless",
    "--screenshot\na.png\n--screenshot=a.png\n--heights\na.npy\n--",
]


def png(width, height, depth, color, rows, interlace=0, extra=b""):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlace)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))


def pictures():
    palette = struct.pack(">I", 6) + b"PLTE" + b"\0\1\2\3\4\5"
    palette += struct.pack(">I", zlib.crc32(palette[4:]))
    yield png(2, 2, 8, 6, b"\0" + bytes(range(8)) + b"\0" + bytes(range(8)))  # RGBA
    yield png(3, 1, 8, 2, b"\1" + bytes(range(9)))  # RGB
    yield png(8, 2, 1, 0, b"\0\xa5\0\x5a")  # grey of one bit
    yield png(8, 1, 1, 3, b"\0\xa5", extra=palette)
    yield png(1, 1, 16, 2, b"\0" + bytes(6))
    yield png(2, 2, 8, 4, b"\0" + bytes(4) + b"\2" + bytes(4))  # grey and alpha
    yield png(1, 1, 8, 2, b"\0" + bytes(3), interlace=1)
    yield png(16384, 16384, 8, 2, bytes(100))
    yield png(1, 1, 8, 2, b"\0" + bytes(3))[:-20]


def caches():
    body = struct.pack("<IIII", 32, 1, 0x10DE, 0x2330) + b"0123456789abcde\0" + bytes(40)
    header = b"sinepipe" + struct.pack("<IIQQ", 1, 0, len(body), 0)
    yield b"\1" + header + body
    yield b"\0" + header + body
    yield b"\1" + header + body[:32]
    yield b"\1" + header + struct.pack("<I", 0xFFFFFFFF) + body[4:]
    yield b"\0" + header[:20]


def main():
    for name, seeds in (
        ("fuzz_options", [text.encode("latin-1") for text in OPTIONS]),
        ("fuzz_png", pictures()),
        ("fuzz_cache", caches()),
    ):
        folder = os.path.join(sys.argv[1], name)
        os.makedirs(folder, exist_ok=True)
        for number, seed in enumerate(seeds):
            with open(os.path.join(folder, f"seed-{number}"), "wb") as file:
                file.write(seed)


if __name__ == "__main__":
    main()
