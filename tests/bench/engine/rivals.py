#!/usr/bin/python3
"""Substitutions per second of processor time of exact search by numpy and by faiss.

usage: rivals.py numpy|faiss EMBEDDING.txt.gz [ROWS [SUBSTITUTIONS]]

Both answer the same question as the calibration: which word is nearest to phi(w) + Z / epsilon. numpy
does it in batches as one matrix product and an argmax, faiss with IndexFlatL2. Needs Debian's
python3-numpy and python3-faiss; set OPENBLAS_NUM_THREADS and OMP_NUM_THREADS before the start.
"""

import gzip
import sys
import time

import numpy as np


def load(path, rows):
    vectors = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            vectors.append(np.array(line.split(" ")[1:], dtype=np.float32))
            if len(vectors) == rows:
                break
    return np.stack(vectors)


def noisy_points(vectors, count, epsilon, generator):
    dimensions = vectors.shape[1]
    words = generator.integers(0, len(vectors), count)
    directions = generator.standard_normal((count, dimensions)).astype(np.float32)
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    radii = generator.gamma(dimensions, 1.0 / epsilon, (count, 1)).astype(np.float32)
    return vectors[words] + radii * directions


def numpy_search(vectors):
    half_norms = 0.5 * np.einsum("ij,ij->i", vectors, vectors)
    transposed = np.ascontiguousarray(vectors.T)

    def nearest(points):
        return np.argmax(points @ transposed - half_norms, axis=1)

    return nearest


def faiss_search(vectors):
    import faiss

    faiss.omp_set_num_threads(1)
    index = faiss.IndexFlatL2(vectors.shape[1])
    index.add(vectors)
    return lambda points: index.search(points, 1)[1][:, 0]


def main():
    method, path = sys.argv[1], sys.argv[2]
    rows = int(sys.argv[3]) if len(sys.argv) > 3 else 28596
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 8192
    vectors = load(path, rows)
    nearest = {"numpy": numpy_search, "faiss": faiss_search}[method](vectors)
    generator = np.random.default_rng(1)
    batches = [noisy_points(vectors, 1024, epsilon, generator)
               for epsilon in (6, 30, 60, 120, 240) for _ in range(max(1, count // 5120))]
    nearest(batches[0])
    start = time.process_time()
    for points in batches:
        nearest(points)
    seconds = time.process_time() - start
    print(f"{1024 * len(batches) / seconds:.1f}")


main()
