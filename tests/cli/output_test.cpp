#include <csignal>
#include <filesystem>
#include <string>

#include <sys/stat.h>
#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"

// Outputs: files that appear whole or not at all, links, devices and streams that take nothing.

using namespace epsilens;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using test::Arguments;
using test::CliResult;
using test::CliSetup;
using test::Terminal;
namespace fs = std::filesystem;

TEST_CASE("Option -o writes what would go to standard output, and nothing stays beside it") {
    const Terminal terminal;
    const std::string sample = "sample small.txt --text 'w1 w2' --epsilon 3";
    CHECK(terminal.printed(sample + " -o out.txt").empty());
    CHECK(terminal.content("out.txt") == terminal.printed(sample));
    CHECK(terminal.names() == Arguments{"out.txt", "small.txt"});
}

TEST_CASE("A new file has the permissions the umask leaves, one that is replaced its own") {
    const Terminal terminal;
    const mode_t before = umask(027);
    const CliResult result = terminal.run("info small.txt -o out.txt");
    umask(before);
    REQUIRE(result.exitCode == 0);
    const std::string file = terminal.path("out.txt");
    CHECK(fs::status(file).permissions() == static_cast<fs::perms>(0640U));
    for (const unsigned mode : {0640U, 0600U, 0644U, 0400U}) {
        fs::permissions(file, static_cast<fs::perms>(mode));
        terminal.printed("info sample -o out.txt");
        CHECK(fs::status(file).permissions() == static_cast<fs::perms>(mode));
        CHECK_THAT(terminal.content("out.txt"), Contains("built-in"));
    }
}

TEST_CASE("A run that fails leaves the old file as it was") {
    const Terminal terminal;
    terminal.file("out.csv", "old");
    for (const char* line : {"info none.txt -o out.csv",
                             "sanitize small.txt --epsilon 1 -o out.csv --text-file none"}) {
        terminal.fails(line, 4, "none");
        CHECK(terminal.content("out.csv") == "old");
        CHECK(terminal.names() == Arguments{"out.csv", "small.txt"});
    }
}

TEST_CASE("Option -o follows a link and writes to a device directly") {
    const Terminal terminal;
    const auto infoTo = [](const std::string& output) {
        return "info small.txt --format csv -o " + output;
    };
    terminal.file("target.csv", "old");
    for (const auto& [link, target] :
         {std::pair("link.csv", "target.csv"), std::pair("dangling", "new.txt")}) {
        fs::create_symlink(target, terminal.path(link));
        terminal.printed(infoTo(link));
        CHECK(fs::is_symlink(terminal.path(link)));
        CHECK_THAT(terminal.content(target), StartsWith("schema,"));
    }
    fs::create_symlink("loop", terminal.path("loop"));
    fs::create_symlink("missing/new.txt", terminal.path("far"));
    for (const char* link : {"loop", "far"}) {
        terminal.fails(infoTo(link), 1, std::string("cannot write ") + link);
        CHECK(fs::is_symlink(terminal.path(link)));
    }
    terminal.printed(infoTo("/dev/null"));
    CHECK(fs::is_character_file("/dev/null"));
    terminal.fails(infoTo("/dev/full"), 1, "/dev/full");
}

TEST_CASE("A place that cannot be written to is found before the work") {
    // The embedding is missing too: the complaint about the output comes first.
    const Terminal terminal;
    terminal.fails("info none.txt -o no/folder/out.csv", 1, "cannot write no/folder/out.csv");
    terminal.fails("info none.txt -o .", 1, "cannot write .");
    terminal.fails("calibrate none.txt --per-word no/words.csv", 1, "cannot write no/words.csv");
}

TEST_CASE("A standard output that is closed or full is an error, not a crash") {
    const Terminal terminal;
    const std::string vectors = terminal.content("small.txt");
    CliSetup closed;
    closed.closeOutput = true;
    const CliResult result = terminal.run("info small.txt", closed);
    CHECK(result.exitCode == 1);
    CHECK_THAT(result.errors, StartsWith("error: cannot write standard output"));
    // The embedding must not have been opened in its place.
    CHECK(terminal.content("small.txt") == vectors);
    CHECK(terminal.run("info small.txt -o out.txt", closed).exitCode == 0);
    CliSetup full;
    full.outputPath = "/dev/full";
    for (const char* line : {"info small.txt", "--help", "sanitize small.txt --epsilon 1"}) {
        full.input = "w1 w2\n";
        CHECK(terminal.run(line, full).exitCode == 1);
        CHECK_THAT(terminal.run(line, full).errors, Contains("cannot write standard output"));
    }
}

TEST_CASE("Standard output by its name is written to, not put in its place") {
    const Terminal terminal;
    CliSetup setup;
    setup.input = "w1 w2\n";
    setup.outputPath = terminal.path("all.txt");
    terminal.printed("sanitize small.txt -o /dev/stdout" + test::kEveryWordStays, setup);
    CHECK(terminal.content("all.txt") == "w1 w2\n");
}

TEST_CASE("Words that a spreadsheet would run are made harmless") {
    const Terminal terminal;
    terminal.file("v.txt", "=1+2 1 2\nok 3 4\n-x 4 1\n");
    terminal.printed(
        "calibrate v.txt --lambda 0 --epsilon 1 --words all --draws 2 --per-word w.csv");
    CHECK_THAT(terminal.content("w.csv"),
               Contains("\n'=1+2,0,") && Contains("\nok,1,") && Contains("\n'-x,2,"));
}
