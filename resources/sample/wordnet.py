"""Reads WordNet 3.0 as Debian's package wordnet-base installs it. Used by the makers of the samples."""

import collections
import pathlib
import re

WORDNET = pathlib.Path("/usr/share/wordnet")

# Always kept: words of everyday messages that dictionary prose uses seldom, and words of the examples
# in the window, the help and the README.
EVERYDAY = """
the quick brown fox jumps over lazy dog paris london salmon cancer car doctor hospital
hello hi ok okay oh wow yes no thanks thank please sorry bye goodbye welcome cheers congratulations
maybe anyway tonight tomorrow yesterday today weekend monday tuesday wednesday thursday friday
saturday sunday christmas easter birthday party
mom mum mummy mommy dad daddy grandma grandmother grandfather granny uncle aunt cousin brother
sister son daughter husband wife boyfriend girlfriend kid kids guy guys baby darling sweetheart
phone telephone call message messages text email internet website online photo photos picture
computer television video camera battery charger password update
flight airport train bus taxi ticket tickets hotel trip holiday vacation passport luggage suitcase
driver traffic station street weather rain snow sunny storm
pay paid salary wage rent loan bank cash money price cheap expensive invoice bill debt
doctors nurse nurses dentist ambulance appointment medicine pill fever cough flu headache pregnant
surgery diabetes accident emergency police
lunch dinner breakfast pizza coffee tea beer wine cake chocolate sandwich
boss office meeting interview job school teacher exam homework
love hate happy sad angry tired sleepy lonely beautiful lovely funny crazy awesome horrible
don't can't won't didn't doesn't isn't i'm i'll i've i'd you're it's that's let's
""".split()

TOKEN = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
# A word with 's is a possessive, and the 's is dropped, unless it stands for "is", "has" or "us".
KEPT_S = frozenset("it's that's he's she's what's there's here's who's let's where's how's".split())
# Lexicographer files of animals, body parts, plants and substances. They and the named persons,
# places and works are a quarter of WordNet; at full weight their terms and years of birth would
# crowd out words of every day when the vocabulary is chosen.
TECHNICAL_FILES = frozenset(["05", "08", "20", "27"])
TECHNICAL_WEIGHT = 0.2
TAGS_COUNTED = 20  # tags of one sense that count for the choice; "be" has over ten thousand

Synset = collections.namedtuple("Synset", "kind lemmas pointers gloss tags technical")


def tokens(text):
    for word in TOKEN.findall(text.lower()):
        if word.endswith("'s") and word not in KEPT_S:
            word = word[:-2]
        yield word


# ---------------------------------------------------------------- reading WordNet

def read_tag_counts():
    """Sense key -> how often the concordance has this sense."""
    counts = {}
    for line in (WORDNET / "cntlist.rev").read_text("ascii").splitlines():
        key, _, count = line.split()
        counts[key] = int(count)
    return counts


def parse_line(line):
    """Fields of a line of a data file: (offset, lexicographer file, type, words, pointers, gloss)."""
    head, gloss = line.split(" | ", 1)
    fields = head.split()
    count = int(fields[3], 16)
    words = []
    for i in range(count):
        lemma = re.sub(r"\((a|p|ip)\)$", "", fields[4 + 2 * i]).lower()
        words.append((lemma, int(fields[5 + 2 * i], 16)))
    at = 4 + 2 * count
    pointers = []
    for i in range(int(fields[at])):
        symbol, offset, part = fields[at + 1 + 4 * i: at + 4 + 4 * i]
        pointers.append((symbol, (part, offset)))
    return fields[0], fields[1], fields[2], words, pointers, gloss.strip()


def sense_key(word, lexicographer_file, kind, head):
    number = "nvars".index(kind) + 1
    lemma, lex_id = word
    tail = f"{head[0]}:{head[1]:02d}" if head else ":"
    return f"{lemma}%{number}:{lexicographer_file}:{lex_id:02d}:{tail}"


def read_synsets():
    """All synsets in the order of the files: (part of speech, offset) -> Synset."""
    counts = read_tag_counts()
    parsed = {}
    for name, part in (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")):
        for line in (WORDNET / f"data.{name}").read_text("ascii").splitlines():
            if not line.startswith("  "):
                row = parse_line(line)
                parsed[part, row[0]] = row
    synsets = {}
    for key, (_, lexfile, kind, words, pointers, gloss) in parsed.items():
        head = None
        if kind == "s":
            head = next(parsed[target][3][0] for symbol, target in pointers if symbol == "&")
        tags = [counts.get(sense_key(word, lexfile, kind, head), 0) for word in words]
        technical = lexfile in TECHNICAL_FILES or any(symbol == "@i" for symbol, _ in pointers)
        synsets[key] = Synset(key[0], [lemma for lemma, _ in words], pointers, gloss, tags,
                              technical)
    return synsets


def single(lemmas):
    return [lemma for lemma in lemmas if TOKEN.fullmatch(lemma)]


def add_uses(scores, synset):
    """Counts the words of a synset's gloss and headwords, those of technical synsets with less weight."""
    weight = TECHNICAL_WEIGHT if synset.technical else 1.0
    for word in tokens(" ".join([synset.gloss, *synset.lemmas]).replace("_", " ")):
        scores[word] += weight
