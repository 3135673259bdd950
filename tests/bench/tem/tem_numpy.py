#!/usr/bin/python3
"""Rows per second of processor time of TEM's exact sums by numpy, for one epsilon.

usage: tem_numpy.py EMBEDDING.txt.gz EPSILON BETA [ROWS [WORDS]]

Distances of blocks of words to the whole vocabulary are one matrix product in float32; weights
exp(-epsilon min(d, gamma) / 2); N_w, S_w, Shannon entropy, E[d] and E[cos] as sums of them, all in
float32 arrays with numpy's pairwise sums. Prints rows per second, the mean N_w and the mean S_w. Needs
Debian's python3-numpy; set OPENBLAS_NUM_THREADS before the start.
"""

import gzip
import sys
import time

import numpy as np

DRAWS = 100
BLOCK = 128


def load(path, rows):
    vectors = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            vectors.append(np.array(line.split(" ")[1:], dtype=np.float32))
            if len(vectors) == rows:
                break
    return np.stack(vectors)


def sums(vectors, transposed, norms, first, epsilon, gamma):
    words = slice(first, min(first + BLOCK, len(vectors)))
    products = vectors[words] @ transposed
    squared = norms[words, None] + norms - 2.0 * products
    distances = np.sqrt(np.maximum(squared, 0.0))
    index = np.arange(distances.shape[0])
    distances[index, index + first] = 0.0
    cosines = products / np.sqrt(norms[words, None] * norms)
    exponents = (0.5 * epsilon) * np.minimum(distances, np.float32(gamma))
    weights = np.exp(-exponents)
    total = weights.sum(axis=1)
    shares = weights / total[:, None]
    kept = DRAWS / total
    distinct = -np.expm1(DRAWS * np.log1p(-np.minimum(shares, np.float32(1 - 6e-8)))).sum(axis=1)
    shannon = (np.log(total) + (shares * exponents).sum(axis=1)) / np.log(2.0)
    return kept, distinct, shannon, (shares * distances).sum(axis=1), (shares * cosines).sum(axis=1)


def main():
    path, epsilon, beta = sys.argv[1], np.float32(sys.argv[2]), float(sys.argv[3])
    rows = int(sys.argv[4]) if len(sys.argv) > 4 else 28596
    words = int(sys.argv[5]) if len(sys.argv) > 5 else 8192
    vectors = load(path, rows)
    transposed = np.ascontiguousarray(vectors.T)
    norms = np.einsum("ij,ij->i", vectors, vectors)
    gamma = 2.0 / float(epsilon) * np.log((1.0 - beta) * (len(vectors) - 1) / beta)
    sums(vectors, transposed, norms, 0, epsilon, gamma)
    start = time.process_time()
    results = [sums(vectors, transposed, norms, first, epsilon, gamma)
               for first in range(0, min(words, len(vectors)), BLOCK)]
    seconds = time.process_time() - start
    kept = np.concatenate([result[0] for result in results])
    distinct = np.concatenate([result[1] for result in results])
    print(f"{len(kept) / seconds:.1f} {kept.mean():.4f} {distinct.mean():.4f}")


main()
