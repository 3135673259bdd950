#include "core/text/lookup.h"

#include <catch2/catch.hpp>

#include "tests/core/text/vocabulary_of.h"

using namespace epsilens::text;
using epsilens::embedding::Row;
using epsilens::embedding::Vocabulary;
using epsilens::test::vocabularyOf;

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
