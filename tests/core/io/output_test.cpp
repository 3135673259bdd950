#include "core/io/output.h"

#include <limits>
#include <string>

#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "core/io/csv.h"
#include "tests/support/redirected.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using namespace epsilens::io;

TEST_CASE("A file that is read is no place to write to") {
    const test::TemporaryFolder folder;
    const std::string text = folder.file("text.txt", "one\n");
    const std::string other = folder.path("other.txt");
    REQUIRE(link(text.c_str(), folder.path("link.txt").c_str()) == 0);
    REQUIRE(symlink("text.txt", folder.path("symbolic").c_str()) == 0);
    for (const std::string& place :
         {text, folder.path("./text.txt"), folder.path("link.txt"), folder.path("symbolic")}) {
        CAPTURE(place);
        test::checkRefused(checkIsNoInput(place, {other, text}), ErrorCode::invalidArgument);
    }
    CHECK(checkIsNoInput(other, {text, "", "-"}));
    CHECK(checkIsNoInput("", {text, ""}));
    CHECK(checkIsNoInput("/dev/null", {"/dev/null"}));
}

TEST_CASE("The file behind standard input is no place to write to either") {
    const test::TemporaryFolder folder;
    const std::string text = folder.file("text.txt", "one\n");
    const std::string other = folder.file("other.txt", "two\n");
    const test::Redirected input(STDIN_FILENO, text);
    CHECK(!checkIsNoInput(text, {"-"}));
    CHECK(checkIsNoInput(text, {other}));  // standard input is not read
    CHECK(checkIsNoInput(other, {"-"}));
    const test::Redirected device(STDIN_FILENO, "/dev/null");
    CHECK(checkIsNoInput("/dev/null", {"-"}));
}

TEST_CASE("Standard output must not go to a file that is read") {
    const test::TemporaryFolder folder;
    const std::string text = folder.file("text.txt", "one\n");
    const std::string other = folder.file("other.txt", "two\n");
    const auto check = [&](const std::string& to, const std::string& input) {
        const test::Redirected output(STDOUT_FILENO, to);
        return checkIsNoInput("", {"", input});
    };
    const test::Redirected input(STDIN_FILENO, text);
    for (const std::string& read : {std::string("-"), text}) {
        test::checkRefused(check(text, read), ErrorCode::invalidArgument, "standard output");
        CHECK(check(other, read));
        CHECK(check("/dev/null", read));
    }
}

TEST_CASE("A file is replaced as a whole, and what is no file is not waited for") {
    const test::TemporaryFolder folder;
    const std::string place = folder.file("place", "before");
    {
        const test::Redirected output(STDOUT_FILENO, place);
        REQUIRE(replaceFile(place, "one"));
        REQUIRE(replaceFile(place, "two"));
    }
    CHECK(test::contentOf(place) == "two");
    REQUIRE(mkfifo(folder.path("pipe").c_str(), 0600) == 0);
    // The reason is the system's, in its language.
    for (const std::string& path : {folder.path("pipe"), std::string("/dev/null")}) {
        test::checkRefused(replaceFile(path, "x"), ErrorCode::ioFailed, "cannot write " + path);
    }
}

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
