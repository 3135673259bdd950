#!/usr/bin/python3
"""Makes the built-in Poincaré sample: nouns of WordNet 3.0 x 10 dimensions, trained by epsilens-cli.

    /usr/bin/python3 make_poincare_sample.py [--cli PROGRAM] [--output FILE] [--pairs FILE]

Needs the Debian packages wordnet-base and python3, the built command line (packaging/run.sh cli
--version builds it) and no network. The result is the same in every run and on every processor of
the kind: the choice has no random part, and training depends on the list and the seed alone.

The nouns are the 12,000 single words that are used most as nouns: a word's occurrences in glosses and
headwords, times the share of nouns among the tags of its senses, plus how often WordNet's concordance
tags it as a noun. Function words that happen to be nouns too ("will", "who") are left out, words of
everyday messages are always in.

A word stands for its first sense. What it is, it is by the hypernyms of that sense and theirs in turn,
instances included (paris is a capital). Each of these synsets is named by a word or phrase whose own
first sense it is ("canine" is a tooth first, so its other synset is "canid"): the most tagged of the
nouns chosen or, without one, the first in WordNet. A synset without such a name is passed over, not
its hypernyms. A word whose synset is named by another ("auto" by "car") is one more of its kind: auto
is a car.

The list has a line for each word or name and each name above it. Training drives most words to the
edge of the ball, where nearest neighbours are about 8 apart and no noise of the mechanism leaves a
word. So each word is then moved towards the middle, to a quarter of its distance from it, which keeps
the order from general to special, and brings words of one kind nearer than the names above them.
Layout of the file, all numbers little-endian:
  bytes 0..7    "EPSEMB2\\n"
  bytes 8..11   V, number of words, uint32
  bytes 12..15  m, number of dimensions, uint32
  bytes 16..19  T, length of the word text in bytes, uint32
  then          T bytes: the words in UTF-8, each followed by "\\n"
  then          V x m binary32 numbers (IEEE 754), row by row in the order of the words
"""

import argparse
import array
import collections
import hashlib
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

from wordnet import EVERYDAY, TAGS_COUNTED, TOKEN, WORDNET, add_uses, read_synsets

NOUNS = 12000
TRAINING = {"--dimensions": 10, "--epochs": 600, "--negatives": 10, "--rate": 0.1, "--burn-in": 20,
            "--seed": 1}
HALVINGS = 2  # of the distance from the middle, after training
TAG_WEIGHT = 3  # uses that a tag as a noun counts for
# Two letters are mostly symbols and abbreviations; these are words.
SHORT_NOUNS = frozenset("ad ax cd dj id ox pc pi tv".split())
# Nouns too (WHO is an organisation, the are is 100 square metres), but hardly ever meant so.
FUNCTION_WORDS = frozenset("""
about above after all and any are being but can could did does down each every few for from had has
have her here him his how its may might more most must near nor not now off once other our out over
own she should some such than that the their them then there these they this those through too under
until very was were what when where which while who whom why will with would yes yet you your
""".split())


def read_first_senses():
    """Noun -> the key of its most frequent synset, in the order of the index."""
    senses = {}
    for line in (WORDNET / "index.noun").read_text("ascii").splitlines():
        if not line.startswith("  "):
            fields = line.split()
            senses[fields[0]] = ("n", fields[4 + int(fields[3]) + 2])
    return senses


def count_tags(synsets):
    """How often each lemma is tagged as a noun, and as another part of speech."""
    nouns, others = collections.Counter(), collections.Counter()
    for (part, _), synset in synsets.items():
        for lemma, tags in zip(synset.lemmas, synset.tags):
            (nouns if part == "n" else others)[lemma] += tags
    return nouns, others


def is_candidate(word):
    return (TOKEN.fullmatch(word) and not word[0].isdigit() and word not in FUNCTION_WORDS
            and (len(word) > 2 or word in SHORT_NOUNS))


def choose_nouns(synsets, senses):
    """The nouns of the sample, most used first."""
    uses = collections.Counter()
    for synset in synsets.values():
        add_uses(uses, synset)
    nouns, others = count_tags(synsets)

    def score(word):
        share = (nouns[word] + 1) / (nouns[word] + others[word] + 1)
        return uses[word] * share + TAG_WEIGHT * min(nouns[word], TAGS_COUNTED)

    ranked = sorted(filter(is_candidate, senses), key=lambda word: (-score(word), word))
    wanted = set(EVERYDAY).intersection(ranked)
    rest = [word for word in ranked if word not in wanted]
    chosen = wanted.union(rest[:NOUNS - len(wanted)])
    return [word for word in ranked if word in chosen]


class Hierarchy:
    """Names of synsets and what is above them."""

    def __init__(self, synsets, senses, words):
        self.synsets = synsets
        self.senses = senses
        self.words = frozenset(words)
        self.names = {}
        self.above = {}

    def name(self, key):
        """The name of a synset; nothing if all its lemmas mean something else first."""
        if key not in self.names:
            synset = self.synsets[key]
            own = [(-tags if lemma in self.words else 1, place, lemma)
                   for place, (lemma, tags) in enumerate(zip(synset.lemmas, synset.tags))
                   if self.senses.get(lemma) == key]
            self.names[key] = min(own)[-1] if own else None
        return self.names[key]

    def names_above(self, key):
        """Names of all synsets above one, nearest first."""
        if key not in self.above:
            found = {}
            parents = [target for symbol, target in self.synsets[key].pointers
                       if symbol in ("@", "@i")]
            for parent in parents:
                if self.name(parent):
                    found[self.name(parent)] = None
            for parent in parents:
                found.update(dict.fromkeys(self.names_above(parent)))
            self.above[key] = list(found)
        return self.above[key]


def make_pairs(words, hierarchy):
    """(word, name above it) for the words and all names above them; most used words first."""
    pairs = []
    queue = list(words)
    seen = set(queue)
    for word in queue:
        key = hierarchy.senses[word]
        above = hierarchy.names_above(key)
        if hierarchy.name(key) != word:
            above = [hierarchy.name(key), *above]
        pairs += [(word, name) for name in above]
        new = [name for name in above if name not in seen]
        seen.update(new)
        queue += new
    return pairs


def train(cli, pairs, folder):
    """Words and rows that the command line gives for the pairs."""
    source, target = folder / "pairs.tsv", folder / "vectors.vec"
    source.write_text("".join(f"{child}\t{parent}\n" for child, parent in pairs), "ascii")
    options = [str(part) for option in TRAINING.items() for part in option]
    subprocess.run([cli, "train-poincare", source, *options, "-o", target], check=True)
    lines = target.read_text("ascii").splitlines()[1:]
    words = [line.split(" ")[0] for line in lines]
    return words, [[float(number) for number in line.split(" ")[1:]] for line in lines]


def half_way(row):
    """The middle of the hyperbolic line from the middle of the ball to a point."""
    divisor = 1 + math.sqrt(1 - math.fsum(number * number for number in row))
    return [number / divisor for number in row]


def write_sample(path, words, rows):
    text = "".join(word + "\n" for word in words).encode("ascii")
    header = b"EPSEMB2\n" + struct.pack("<3I", len(words), len(rows[0]), len(text))
    numbers = array.array("f", [number for row in rows for number in row])
    if sys.byteorder == "big":
        numbers.byteswap()
    data = header + text + numbers.tobytes()
    path.write_bytes(data)
    print(f"{path}: {len(words)} words, {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", type=pathlib.Path, default=here.parents[1] / "build/bin/epsilens-cli")
    parser.add_argument("--output", type=pathlib.Path, default=here / "poincare.embedding")
    parser.add_argument("--pairs", type=pathlib.Path, help="only write the pairs to this file")
    arguments = parser.parse_args()
    senses = read_first_senses()
    synsets = read_synsets()
    words = choose_nouns(synsets, senses)
    pairs = make_pairs(words, Hierarchy(synsets, senses, words))
    if arguments.pairs:
        arguments.pairs.write_text("".join(f"{child}\t{parent}\n" for child, parent in pairs), "ascii")
        return
    with tempfile.TemporaryDirectory() as folder:
        words, rows = train(arguments.cli, pairs, pathlib.Path(folder))
    for _ in range(HALVINGS):
        rows = [half_way(row) for row in rows]
    write_sample(arguments.output, words, rows)


if __name__ == "__main__":
    main()
