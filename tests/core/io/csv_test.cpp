#include "core/io/csv.h"

#include <limits>
#include <string>

#include <catch2/catch.hpp>

using namespace epsilens::io;

TEST_CASE("Fields are quoted as RFC 4180 asks") {
    // RFC 4180, section 2, rules 5 to 7.
    CHECK(csvField("plain") == "plain");
    CHECK(csvField("two words") == "two words");
    CHECK(csvField("a,b") == "\"a,b\"");
    CHECK(csvField("say \"hi\"") == "\"say \"\"hi\"\"\"");
    CHECK(csvField("two\nlines") == "\"two\nlines\"");
    CHECK(csvField("\r") == "\"\r\"");
    CHECK(csvField("").empty());
}

TEST_CASE("Numbers in tables read back as they were, missing ones are empty") {
    CHECK(csvNumber(0.1) == "0.1");
    CHECK(csvNumber(10.0) == "10");
    CHECK(csvNumber(std::numeric_limits<double>::infinity()).empty());
    CHECK(csvNumber(std::numeric_limits<double>::quiet_NaN()).empty());
    CHECK(csvNumber(std::optional<double>()).empty());
    CHECK(csvNumber(std::optional(2.5)) == "2.5");
}

// The characters are those that OWASP names for CSV injection.
TEST_CASE("A word that a spreadsheet would run has an apostrophe before it") {
    for (const std::string word : {"=1+2", "+x", "-5", "@a", "\tt"}) {
        CAPTURE(word);
        CHECK(csvWord(word) == "'" + word);
    }
    CHECK(csvWord("=a,b") == "\"'=a,b\"");
    CHECK(csvWord("\rr") == "\"'\rr\"");
    for (const std::string word : {"", "plain", "a=b", "1-2", "'=1"}) {
        CHECK(csvWord(word) == word);
    }
}
