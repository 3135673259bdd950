#!/usr/bin/python3
"""Makes the built-in sample: 12,000 English words x 100 dimensions, from WordNet 3.0 alone.

    /usr/bin/python3 make_sample.py [--output FILE]

Needs the Debian packages wordnet-base, python3 and python3-numpy, 2.5 GB of memory and no network.
Call it with the system's Python: another one in the PATH may lack numpy. The result is the same in
every run: seeds are fixed, no step depends on the order of a hash table, and the decomposition is
done in float64 on one thread, far finer than the 16 bits stored.

The text has four kinds of line, repeated up to four times if the sense is often tagged in WordNet's
own concordance (cntlist.rev):
  gloss      definition and examples of a synset with a headword put in after every fourth word
  related    the headwords of a synset followed by those of directly related synsets
  inflected  related lines of nouns in the plural and of verbs in -s, -ed and -ing; only forms that
             the glosses use themselves, so that no form is invented
  contracted examples in which "do not", "I am", ... can be drawn together: "don't", "I'm"
The words kept are those that WordNet uses most (usage_scores), and a short list of everyday ones.

The vectors are a truncated singular value decomposition of the association of words and contexts:
  A(w, c) = log(1 + n(w, c) / (n(w) q(c))),  q(c) = n(c)^0.75 / sum of all n(c)^0.75
where n(w, c) counts the words c up to five places from w, the nearest with weight 5, the farthest
with weight 1. It is a smooth form of positive pointwise mutual information; the usual one, cut off
at zero, leaves little of words that stand everywhere, such as "the". A row is that of U S^1.25
without the first axis, on which all words have the same sign: it tells little more than how many
contexts a word has. The rows keep their different lengths and the axes their different variances, as
those of trained embeddings do; one factor for all brings the mean length to 6. (Skip-gram was tried
once on the same text, with six epochs; its neighbours by Euclidean distance read worse.)

Layout of the file, all numbers little-endian:
  bytes 0..7    "EPSEMB1\\n"
  bytes 8..11   V, number of words, uint32
  bytes 12..15  m, number of dimensions, uint32
  bytes 16..19  T, length of the word text in bytes, uint32
  then          T bytes: the words in UTF-8, most used first, each followed by "\\n"
  then          V x m binary16 numbers (IEEE 754), row by row in the order of the words
"""

import argparse
import collections
import hashlib
import pathlib
import os
import re

from wordnet import EVERYDAY, TAGS_COUNTED, TOKEN, WORDNET, add_uses, read_synsets, single, tokens

# Read by numpy's matrix library when it is loaded: sums of one thread do not depend on the machine's
# number of processors.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402

WORDS = 12000
DIMENSIONS = 100
MIN_COUNT = 8          # occurrences in the text below which a vector means little
WINDOW = 5             # words to each side that count as context
CONTEXT_POWER = 0.75   # flattens the frequencies of contexts
SINGULAR_POWER = 1.25  # the higher it is, the more the variances of the axes differ
AXES_LEFT_OUT = 1      # the first one
MEAN_LENGTH = 6.0      # of the vectors; that of GloVe's 300-dimensional ones is 6.4
CONTRACTIONS = [(re.compile(rf"\b{long}\b"), short) for long, short in (
    ("do not", "don't"), ("does not", "doesn't"), ("did not", "didn't"), ("is not", "isn't"),
    ("are not", "aren't"), ("was not", "wasn't"), ("were not", "weren't"), ("has not", "hasn't"),
    ("have not", "haven't"), ("had not", "hadn't"), ("will not", "won't"), ("would not", "wouldn't"),
    ("could not", "couldn't"), ("should not", "shouldn't"), ("can ?not", "can't"),
    ("i am", "i'm"), ("i have", "i've"), ("i will", "i'll"), ("i would", "i'd"), ("i had", "i'd"),
    ("you are", "you're"), ("you have", "you've"), ("you will", "you'll"), ("you would", "you'd"),
    ("we are", "we're"), ("we have", "we've"), ("we will", "we'll"), ("they are", "they're"),
    ("they have", "they've"), ("they will", "they'll"), ("he is", "he's"), ("she is", "she's"),
    ("he will", "he'll"), ("she will", "she'll"), ("it is", "it's"), ("that is", "that's"),
    ("there is", "there's"), ("what is", "what's"), ("who is", "who's"), ("where is", "where's"),
    ("here is", "here's"), ("let us", "let's"))]
# Pointers followed for related lines: hypernym, instance hypernym, hyponyms, member/substance/part of,
# has part, antonym, similar, see also, derivationally related form, verb group, cause, entailment.
POINTERS = frozenset(["@", "@i", "~", "~i", "#m", "#s", "#p", "%m", "%s", "%p", "!", "&", "^", "+", "$",
                      ">", "*"])
MAX_RELATED = 12  # per kind of line; a genus or "person" has hundreds of hyponyms

FORM_SHARE = 0.3  # part of the tags of a lemma that its inflected forms get

# ---------------------------------------------------------------- inflection

def read_exceptions():
    """(part of speech, lemma) -> irregular forms, in the order of the files."""
    forms = collections.defaultdict(list)
    for name, part in (("noun", "n"), ("verb", "v")):
        for line in (WORDNET / f"{name}.exc").read_text("ascii").splitlines():
            form, *lemmas = line.split()
            for lemma in lemmas:
                forms[part, lemma].append(form)
    return forms


def with_s(lemma):
    if re.search(r"(s|x|z|ch|sh)$", lemma):
        return lemma + "es"
    return lemma[:-1] + "ies" if re.search(r"[^aeiou]y$", lemma) else lemma + "s"


def with_ending(lemma, ending):
    """Regular -ed or -ing, without doubled consonants: those stand in the exception lists."""
    if lemma.endswith("ie") and ending == "ing":
        return lemma[:-2] + "ying"
    if lemma.endswith("e") and not (lemma.endswith("ee") and ending == "ing"):
        return lemma[:-1] + ending
    if re.search(r"[^aeiou]y$", lemma) and ending == "ed":
        return lemma[:-1] + "ied"
    return lemma + ending


class Inflector:
    """Forms of a lemma that occur in the glosses at least twice."""

    def __init__(self, counts):
        self.counts = counts
        self.exceptions = read_exceptions()

    def attested(self, candidates):
        return next((form for form in candidates if self.counts[form] >= 2), None)

    def plural(self, lemma):
        return self.attested(self.exceptions.get(("n", lemma), []) + [with_s(lemma)])

    def third_person(self, lemma):
        return self.attested([with_s(lemma)])

    def participle(self, lemma):
        irregular = [f for f in self.exceptions.get(("v", lemma), []) if f.endswith("ing")]
        return self.attested(irregular + [with_ending(lemma, "ing")])

    def past(self, lemma):
        irregular = [f for f in self.exceptions.get(("v", lemma), [])
                     if not f.endswith("ing") and not f.endswith("s")]
        return self.attested(irregular + [with_ending(lemma, "ed")])

    def past_participle(self, lemma):
        irregular = [f for f in self.exceptions.get(("v", lemma), [])
                     if not f.endswith("ing") and not f.endswith("s")]
        return self.attested(irregular[::-1])

    def rules(self, kind):
        if kind == "n":
            return [self.plural]
        if kind == "v":
            return [self.third_person, self.past, self.past_participle, self.participle]
        return []


# ---------------------------------------------------------------- text

def repeats(synset):
    """How often the lines of a synset are written: 1 if never tagged, 4 from 64 tags on."""
    total = sum(synset.tags)
    return 1 + sum(total >= bound for bound in (1, 8, 64))


def gloss_line(synset, lemma):
    inserted = list(tokens(lemma.replace("_", " ")))
    line = []
    for i, word in enumerate(tokens(synset.gloss), 1):
        line.append(word)
        if i % 4 == 0:
            line += inserted
    return line if len(line) > 4 else line + inserted


def related_words(synset, synsets):
    """Headwords without spaces: of the synset, and of its neighbours, most often tagged first."""
    own = single(synset.lemmas)
    ranked = {}
    for place, (symbol, target) in enumerate(synset.pointers):
        if symbol not in POINTERS:
            continue
        other = synsets[target]
        for lemma, tags in zip(other.lemmas, other.tags):
            if TOKEN.fullmatch(lemma) and lemma not in own and lemma not in ranked:
                ranked[lemma] = (-tags, place)
    near = sorted(ranked, key=ranked.get)[:MAX_RELATED]
    return own, sorted(near, key=lambda lemma: ranked[lemma][1])


def inflected(rules, words):
    return [form for rule in rules for form in map(rule, words) if form]


def contracted_line(gloss):
    text = gloss.lower()
    shorter = text
    for pattern, short in CONTRACTIONS:
        shorter = pattern.sub(short, shorter)
    return list(tokens(shorter)) if shorter != text else []


def text_lines(synsets, inflector):
    for synset in synsets.values():
        times = repeats(synset)
        own, near = related_words(synset, synsets)
        lines = [gloss_line(synset, lemma) for lemma in synset.lemmas]
        if own and own + near != own[:1]:
            lines.append(own + near)
        for rule in inflector.rules(synset.kind):
            forms = inflected([rule], own)
            if forms:
                lines.append(own + forms)
                lines.append(forms + inflected([rule], near))
        lines.append(contracted_line(synset.gloss))
        for line in lines:
            if len(line) > 1:
                for _ in range(times):
                    yield line


def gloss_counts(synsets):
    counts = collections.Counter()
    for synset in synsets.values():
        counts.update(tokens(synset.gloss))
    return counts


# ---------------------------------------------------------------- choice of words

def usage_scores(synsets, inflector):
    """How much each word is used: occurrences in glosses and headwords, plus tags of its senses."""
    scores = collections.Counter()
    for synset in synsets.values():
        add_uses(scores, synset)
        for lemma, tags in zip(synset.lemmas, synset.tags):
            bonus = min(tags, TAGS_COUNTED)
            if not bonus or not TOKEN.fullmatch(lemma):
                continue
            scores[lemma] += bonus
            for form in sorted(set(inflected(inflector.rules(synset.kind), [lemma]))):
                scores[form] += FORM_SHARE * bonus
    return scores


def choose_words(scores, counts):
    """Rows of the sample: most used first, equally used ones in alphabetical order."""
    usable = sorted((word for word in scores if counts[word] >= MIN_COUNT),
                    key=lambda word: (-scores[word], word))
    wanted = set(EVERYDAY)
    missing = sorted(wanted.difference(usable))
    if missing:
        raise SystemExit(f"too rare in the text: {' '.join(missing)}")
    others = [word for word in usable if word not in wanted]
    chosen = wanted.union(others[:WORDS - len(wanted)])
    return [word for word in usable if word in chosen]


# ---------------------------------------------------------------- vectors

def word_numbers(lines, words):
    """The text as row numbers, -1 for other words and at least WINDOW of them between lines."""
    rows = {word: row for row, word in enumerate(words)}
    numbers = []
    for line in lines:
        numbers += [rows.get(word, -1) for word in line]
        numbers += [-1] * WINDOW
    return np.array(numbers, dtype=np.int64)


def context_counts(numbers, size):
    """Weighted number of times that two words stand near each other: size x size, symmetric."""
    counts = np.zeros((size, size))
    for step in range(1, WINDOW + 1):
        left, right = numbers[:-step], numbers[step:]
        both = (left >= 0) & (right >= 0) & (left != right)
        pairs, times = np.unique(left[both] * size + right[both], return_counts=True)
        weighted = (WINDOW + 1 - step) * times
        counts[pairs // size, pairs % size] += weighted
        counts[pairs % size, pairs // size] += weighted
    return counts


def to_association(counts):
    """A(w, c) of the heading, in the place of the counts."""
    totals = counts.sum(axis=1)
    contexts = totals ** CONTEXT_POWER
    counts /= totals[:, None]
    counts /= contexts / contexts.sum()
    return np.log1p(counts, out=counts)


def leading_singular_vectors(matrix, count, extra=60, rounds=6):
    """U and S of the largest singular values, by randomised subspace iteration."""
    basis = np.random.default_rng(1).standard_normal((matrix.shape[1], count + extra))
    for _ in range(rounds):
        basis, _ = np.linalg.qr(matrix @ basis)
        basis, _ = np.linalg.qr(matrix.T @ basis)
    u, s, _ = np.linalg.svd(matrix @ basis, full_matrices=False)
    u, s = u[:, :count], s[:count]
    peaks = u[np.abs(u).argmax(axis=0), np.arange(count)]
    return u * np.sign(peaks), s  # the sign of a singular vector is free: its largest entry is positive


def make_vectors(lines, words):
    association = to_association(context_counts(word_numbers(lines, words), len(words)))
    u, s = leading_singular_vectors(association, AXES_LEFT_OUT + DIMENSIONS)
    vectors = (u * s ** SINGULAR_POWER)[:, AXES_LEFT_OUT:]
    return MEAN_LENGTH * vectors / np.linalg.norm(vectors, axis=1).mean()


# ---------------------------------------------------------------- the file

def write_sample(path, words, vectors):
    table = vectors.astype("<f2")
    if table.shape != (WORDS, DIMENSIONS) or not np.isfinite(table).all():
        raise SystemExit(f"table of shape {table.shape} is not usable")
    text = "".join(word + "\n" for word in words).encode("ascii")
    header = b"EPSEMB1\n" + np.array([WORDS, DIMENSIONS, len(text)], dtype="<u4").tobytes()
    data = header + text + table.tobytes()
    path.write_bytes(data)
    print(f"{path}: {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=pathlib.Path,
                        default=pathlib.Path(__file__).with_name("sample.embedding"))
    output = parser.parse_args().output
    synsets = read_synsets()
    inflector = Inflector(gloss_counts(synsets))
    lines = list(text_lines(synsets, inflector))
    counts = collections.Counter(word for line in lines for word in line)
    print(f"text: {sum(counts.values())} words, {len(counts)} different ones", flush=True)
    words = choose_words(usage_scores(synsets, inflector), counts)
    write_sample(output, words, make_vectors(lines, words))


if __name__ == "__main__":
    main()
