#include "core/text/letter_case.h"

#include <string>

#include <catch2/catch.hpp>

#include "tests/core/text/vocabulary_of.h"

using namespace epsilens;
using namespace epsilens::text;
using epsilens::test::vocabularyOf;

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
