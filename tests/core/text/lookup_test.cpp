#include "core/text/lookup.h"

#include <string>

#include <catch2/catch.hpp>

#include "core/text/letter_case.h"
#include "tests/core/text/vocabulary_of.h"

using namespace epsilens::text;
using epsilens::embedding::Row;
using epsilens::embedding::Vocabulary;
using epsilens::test::vocabularyOf;
using namespace epsilens;

TEST_CASE("Lookup follows the case policy") {
    const Vocabulary vocabulary = vocabularyOf({"paris", "Paris", "NATO", "über"});
    const Lookup keep(vocabulary, CasePolicy::keep);
    CHECK(keep.find("paris") == Row{0});
    CHECK(keep.find("Paris") == Row{1});
    CHECK(keep.find("NATO") == Row{2});
    CHECK_FALSE(keep.find("nato").has_value());
    CHECK_FALSE(keep.find("PARIS").has_value());
    CHECK_FALSE(keep.find("Über").has_value());

    const Lookup lower(vocabulary, CasePolicy::lower);
    CHECK(lower.find("PARIS") == Row{0});
    CHECK(lower.find("Paris") == Row{0});
    CHECK(lower.find("ÜBER") == Row{3});
    CHECK_FALSE(lower.find("NATO").has_value());

    CHECK(Lookup(vocabulary, CasePolicy::automatic).casePolicy() == CasePolicy::keep);
    const Vocabulary small = vocabularyOf({"a", "b"});
    CHECK(Lookup(small, CasePolicy::automatic).casePolicy() == CasePolicy::lower);
}

TEST_CASE("Typographic signs are looked up as plain ones") {
    const Vocabulary vocabulary =
        vocabularyOf({"don't", "well-known", "café", "\u2764", "coop", "rock’n’roll", "l'été"});
    const Lookup lookup(vocabulary, CasePolicy::automatic);
    CHECK(lookup.find("don’t") == Row{0});
    CHECK(lookup.find("Don’t") == Row{0});
    CHECK(lookup.find("don't") == Row{0});
    CHECK(lookup.find("well\u2010known") == Row{1});
    CHECK(lookup.find("well\u2011Known") == Row{1});
    CHECK(lookup.find("cafe\u0301") == Row{2});
    CHECK(lookup.find("CAFE\u0301") == Row{2});
    CHECK(lookup.find("\u2764\uFE0F") == Row{3});
    CHECK(lookup.find("co\u00ADop") == Row{4});
    CHECK(lookup.find("rock’n’roll") == Row{5});
    CHECK(lookup.find("L’E\u0301te\u0301") == Row{6});
    CHECK_FALSE(lookup.find("rock'n'roll").has_value());
    CHECK_FALSE(lookup.find("cafe").has_value());
    CHECK_FALSE(lookup.find("").has_value());
    CHECK_FALSE(lookup.find("\u00AD").has_value());
}

// A vocabulary that has both spellings keeps them apart.
TEST_CASE("The spelling itself is looked up first") {
    const Vocabulary vocabulary = vocabularyOf({"don't", "don’t"});
    const Lookup lookup(vocabulary, CasePolicy::lower);
    CHECK(lookup.find("don't") == Row{0});
    CHECK(lookup.find("don’t") == Row{1});
}

TEST_CASE("Automatic means lower under one per cent of words with capitals") {
    embedding::Vocabulary vocabulary;
    for (int i = 0; i < 199; ++i) {
        vocabulary.add("word" + std::to_string(i));
    }
    vocabulary.add("Paris");
    CHECK(shareWithCapitals(vocabulary) == 1.0 / 200);
    CHECK(decideCasePolicy(CasePolicy::automatic, vocabulary) == CasePolicy::lower);
    vocabulary.add("iPod");
    vocabulary.add("ÖBB");
    CHECK(shareWithCapitals(vocabulary) == 3.0 / 202);
    CHECK(decideCasePolicy(CasePolicy::automatic, vocabulary) == CasePolicy::keep);
    CHECK(decideCasePolicy(CasePolicy::lower, vocabulary) == CasePolicy::lower);
    CHECK(decideCasePolicy(CasePolicy::keep, vocabularyOf({"a"})) == CasePolicy::keep);
    CHECK(shareWithCapitals(vocabularyOf({})) == 0.0);
    CHECK(decideCasePolicy(CasePolicy::automatic, vocabularyOf({})) == CasePolicy::lower);
}

// 1 of 100 is not under one per cent.
TEST_CASE("One per cent itself is kept") {
    embedding::Vocabulary vocabulary = vocabularyOf({"Paris"});
    for (int i = 0; i < 99; ++i) {
        vocabulary.add("word" + std::to_string(i));
    }
    CHECK(decideCasePolicy(CasePolicy::automatic, vocabulary) == CasePolicy::keep);
}

TEST_CASE("Case patterns") {
    for (const char* word : {"paris", "'90s", "x", "straße", "c3po", "мир"}) {
        CAPTURE(word);
        CHECK(casePattern(word) == CasePattern::lower);
    }
    for (const char* word : {"Paris", "I", "A", "O'Brien", "X-ray", "Well-Known", "Äpfel", "Мир",
                             "#Happy", "ǅungla", "E\u0301te\u0301"}) {
        CAPTURE(word);
        CHECK(casePattern(word) == CasePattern::capitalised);
    }
    for (const char* word : {"NATO", "U.S", "X-RAY", "МИР", "B2B", "ÄÖ", "NATO\u0301"}) {
        CAPTURE(word);
        CHECK(casePattern(word) == CasePattern::upper);
    }
    for (const char* word : {"", "42", "iPhone", "McDonald", "e-Mail", "NATOs", "東京", "\u0301"}) {
        CAPTURE(word);
        CHECK(casePattern(word) == CasePattern::other);
    }
}

TEST_CASE("Case patterns of substitutes") {
    CHECK(applyCasePattern("harbour", CasePattern::capitalised) == "Harbour");
    CHECK(applyCasePattern("harbour", CasePattern::upper) == "HARBOUR");
    CHECK(applyCasePattern("harbour", CasePattern::lower) == "harbour");
    CHECK(applyCasePattern("harbour", CasePattern::other) == "harbour");
    CHECK(applyCasePattern("London", CasePattern::lower) == "London");
    CHECK(applyCasePattern("iPod", CasePattern::capitalised) == "IPod");
    CHECK(applyCasePattern("well-known", CasePattern::capitalised) == "Well-known");
    CHECK(applyCasePattern("'tis", CasePattern::capitalised) == "'Tis");
    CHECK(applyCasePattern("", CasePattern::capitalised).empty());
    CHECK(applyCasePattern("42", CasePattern::upper) == "42");
}

// Full mappings of Unicode's SpecialCasing.txt and the root locale.
TEST_CASE("Unicode case mappings") {
    CHECK(applyCasePattern("straße", CasePattern::upper) == "STRASSE");
    CHECK(applyCasePattern("ǆungla", CasePattern::capitalised) == "ǅungla");
    CHECK(applyCasePattern("ﬁsh", CasePattern::capitalised) == "Fish");
    CHECK(applyCasePattern("istanbul", CasePattern::upper) == "ISTANBUL");
    CHECK(toLower("PARIS 42") == "paris 42");
    CHECK(toLower("ΟΔΟΣ") == "οδος");
    CHECK(toLower("ISTANBUL É") == "istanbul é");
    CHECK(toLower("İ") == "i\u0307");
}
