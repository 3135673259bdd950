#include <filesystem>
#include <string>

#include <sys/stat.h>
#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using test::CliResult;
using test::Terminal;
namespace fs = std::filesystem;

namespace {

/// At so large an epsilon every word stays.
CliResult released(const Terminal& terminal, const std::string& options = {},
                   const std::string& epsilon = "1e9") {
    return terminal.run("sanitize small.txt --list list --epsilon " + epsilon + " " + options);
}

}  // namespace

TEST_CASE("sanitize --list --resume goes on where a run ended, and does nothing twice") {
    const Terminal terminal;
    terminal.file("a.txt", "w1\n");
    terminal.file("b.txt", "w2 \xff\n");
    terminal.file("c.txt", "w3\n");
    terminal.file("list", "a.txt\ta.out\nb.txt\tb.out\nc.txt\tc.out\n");
    const CliResult first = released(terminal);
    CHECK(first.exitCode == 4);
    CHECK_THAT(first.errors, Contains("not released: b.txt") &&
                                 Contains("1 of the listed texts could not be released"));
    CHECK(terminal.content("c.out") == "w3\n");
    CHECK_FALSE(fs::exists(terminal.path("b.out")));
    CHECK(fs::status(terminal.path("list.done")).permissions() ==
          (fs::perms::owner_read | fs::perms::owner_write));

    // What is done is not read again, and what failed is done.
    terminal.file("a.out", "as it was");
    terminal.file("b.txt", "w2\n");
    const CliResult second = released(terminal, "--resume");
    CHECK(second.exitCode == 0);
    CHECK_THAT(second.errors,
               Contains("1 word in 1 line") && Contains("3 of 3 texts are released"));
    CHECK(terminal.content("a.out") == "as it was");
    CHECK(terminal.content("b.out") == "w2\n");

    // Without --resume all is done anew.
    CHECK(released(terminal).exitCode == 0);
    CHECK(terminal.content("a.out") == "w1\n");
}

TEST_CASE("sanitize --list --resume releases anew what other settings would release otherwise") {
    const Terminal terminal;
    terminal.file("a.txt", "w1 unheard\n");
    terminal.file("list", "a.txt\ta.out\n");
    terminal.file("stop", "w2\n");
    terminal.file("few", "w1\nw2\nw3\n");
    const auto isReleasedAgain = [&](const std::string& other = {}, const char* epsilon = "1e9") {
        terminal.file("a.out", "as it was");
        CHECK(released(terminal, "--resume --stop-words stop --vocabulary few " + other, epsilon)
                  .exitCode == 0);
        return terminal.content("a.out") != "as it was";
    };
    CHECK(isReleasedAgain());
    CHECK_FALSE(isReleasedAgain());
    CHECK(isReleasedAgain({}, "2e9"));
    CHECK(isReleasedAgain());
    for (const char* other :
         {"--mechanism laplace", "--lambda 0.25", "--unknown keep", "--mask [gone]", "--case keep",
          "--invalid replace", "--encoding latin1", "--consistent document", "--limit-rows 59"}) {
        CAPTURE(other);
        CHECK(isReleasedAgain(other));
        CHECK(isReleasedAgain());
    }
    // Lists of as many other words.
    terminal.file("stop", "w3\n");
    CHECK(isReleasedAgain());
    terminal.file("few", "w1\nw2\nw4\n");
    CHECK(isReleasedAgain());
    CHECK_FALSE(isReleasedAgain());
}

TEST_CASE("sanitize --list takes no pipe, beside which no record could be kept") {
    const Terminal terminal;
    REQUIRE(mkfifo(terminal.path("list").c_str(), 0600) == 0);
    CHECK_THAT(released(terminal).errors, Contains("--list: it is no regular file"));
}

TEST_CASE("sanitize --list writes over no file that the run reads") {
    const Terminal terminal;
    terminal.file("a.txt", "w1\n");
    terminal.file("stop", "w2\n");
    terminal.file("vocabulary", "w1\nw2\nw3\n");
    terminal.file("list.done", "");
    fs::create_symlink("small.txt", terminal.path("vectors"));
    for (const auto& [file, link] :
         {std::pair("stop", "words"), std::pair("vocabulary", "few"), std::pair("a.txt", "same")}) {
        fs::create_hard_link(terminal.path(file), terminal.path(link));
    }
    for (const char* written : {"vectors", "words", "few", "same", "list.done", "list"}) {
        CAPTURE(written);
        terminal.file("list", std::string("a.txt\ta.out\na.txt\t") + written + "\n");
        const std::string before = terminal.content(written);
        const CliResult result = released(terminal, "--stop-words stop --vocabulary vocabulary");
        CHECK(result.exitCode == 4);
        CHECK_THAT(result.errors, Contains(std::string("would write ") + written));
        CHECK_FALSE(fs::exists(terminal.path("a.out")));
        CHECK(terminal.content(written) == before);
    }
}

TEST_CASE("sanitize --list reports what is left unprotected whatever ends the run") {
    const Terminal terminal;
    terminal.file("a.txt", "w1 secretname \u200B\n");
    terminal.file("b.txt", "w2 other\n");
    terminal.file("c.txt", "w3\n");
    terminal.file("list", "a.txt\ta.out\nb.txt\tb.out\nc.txt\tc.out\n");
    const std::string options = "--unknown keep --quiet --resume";
    fs::create_directory(terminal.path("b.out"));
    const CliResult broken = released(terminal, options);
    CHECK(broken.exitCode == 1);
    CHECK_THAT(broken.errors, Contains("b.out"));
    CHECK_THAT(broken.errors, Contains("warning: 1 word is left unprotected: 1 unknown word"));
    CHECK_THAT(broken.errors, Contains("warning: 1 control, format, combining"));

    // The run that resumes tells of its own texts and of those before.
    fs::remove(terminal.path("b.out"));
    const std::string ofOthers = "warning: of texts released before: ";
    const CliResult resumed = released(terminal, options);
    CHECK(resumed.exitCode == 0);
    CHECK_THAT(resumed.errors, Contains("warning: 1 word is left unprotected: 1 unknown word"));
    CHECK_THAT(resumed.errors, Contains(ofOthers + "1 word is left unprotected: 1 unknown word") &&
                                   Contains(ofOthers + "1 control, format, combining"));

    // So does one that has nothing to do.
    const CliResult again = released(terminal, options);
    CHECK(again.exitCode == 0);
    CHECK_THAT(again.errors, Contains(ofOthers + "2 words are left unprotected: 2 unknown words") &&
                                 !Contains("warning: 1 word is"));
}

TEST_CASE("sanitize --list reports what a text left in a pipe before its damage") {
    const Terminal terminal;
    std::string text;
    for (int i = 0; i < 8'000; ++i) {
        text += "w1 unheard\n";
    }
    terminal.file("a.txt", text + "\xff\n");
    terminal.file("list", "a.txt\t/dev/stdout\n");
    const CliResult result = released(terminal, "--unknown keep --quiet");
    CHECK(result.exitCode == 4);
    CHECK(result.output == text);
    CHECK_THAT(result.errors, Contains("warning: 8,000 words are left unprotected"));
}

TEST_CASE("sanitize --list reports what it leaves alone in tables") {
    const Terminal terminal;
    terminal.file("a.csv", "text,name\nw1,secretname\nw2,other\n");
    terminal.file("b.csv", "text,name\nw1,third\n");
    terminal.file("list", "a.csv\ta.out\nb.csv\tb.out\n");
    for (const char* said :
         {"warning: only column text of 3 records is released", "warning: only column text of"}) {
        CHECK_THAT(released(terminal, "--column text --quiet --resume").errors, Contains(said));
    }
}
