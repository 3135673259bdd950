#!/usr/bin/env python3
"""Writes made-up vectors as GloVe text, for timing the loader.

usage: make_glove.py FILE [ROWS [DIMENSIONS]]

400,000 rows of 300 dimensions (the defaults) make about 1.0 GB. Values have up to five decimals and the
spread of real GloVe files; words are "w0", "w1" and so on. The same arguments give the same file.
"""

import random
import sys


def main():
    path = sys.argv[1]
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 400_000
    dimensions = int(sys.argv[3]) if len(sys.argv) > 3 else 300
    numbers = random.Random(1)
    # Drawing from ready texts is many times faster than formatting each number.
    texts = [f" {numbers.gauss(0.0, 0.4):.5g}" for _ in range(200_000)]
    with open(path, "w", encoding="ascii", buffering=1 << 20) as out:
        for row in range(rows):
            out.write(f"w{row}" + "".join(numbers.choices(texts, k=dimensions)) + "\n")


if __name__ == "__main__":
    main()
