#include <chrono>
#include <csignal>
#include <string>

#include <catch2/catch.hpp>

#include "app/cli/output.h"
#include "tests/cli/terminal.h"
#include "tests/support/killed_writer.h"
#include "tests/support/sanitized.h"

using namespace epsilens;
using test::Terminal;
using namespace std::chrono_literals;

namespace {

constexpr int kKills = test::kSanitized ? 80 : 200;

const char* const kPerWordRun =
    "calibrate some.txt --epsilon 1,2 --lambda 0 --draws 5 --words all --per-word words.csv -o "
    "out.csv --format csv --quiet";

}  // namespace

TEST_CASE("A writer killed at any moment leaves the old file or the new one") {
    const test::TemporaryFolder folder;
    // They take several writes.
    const std::string a(std::size_t{1} << 20, 'a');
    const std::string b(std::size_t{1} << 20, 'b');
    const std::string path = folder.file("out.txt", b);
    test::killAtAnyMoment(
        7,
        [&](const test::SharedFlag& isWriting) {
            bool isWritten = true;
            for (std::size_t i = 0; isWritten; ++i) {
                isWriting.set(true);
                isWritten = cli::writeOutput(path, i % 2 == 0 ? a : b, {}).has_value();
                isWriting.set(false);
            }
        },
        [&] {
            const std::string content = test::contentOf(path);
            REQUIRE((content == a || content == b));
            test::removeLeftovers(folder, {"out.txt"}, a.size());
            return content == a;
        });
}

TEST_CASE("A run killed as its files change leaves the old results or the new ones") {
    const Terminal terminal;
    terminal.file("some.txt", test::madeUpGlove(500, 3, 1));
    terminal.printed(kPerWordRun);
    const std::string table = terminal.content("words.csv");
    const std::string results = terminal.content("out.csv");
    const auto isOld = [&](const char* name) { return terminal.content(name) == "old"; };
    for (int attempt = 0; attempt < test::repetitions(kKills); ++attempt) {
        terminal.file("words.csv", "old");
        terminal.file("out.csv", "old");
        test::CliProcess process = terminal.start(kPerWordRun);
        while (isOld("words.csv") && isOld("out.csv") && !process.endsWithin(0ms)) {
        }
        process.sendSignal(SIGKILL);
        static_cast<void>(process.finish());
        // The table comes first.
        REQUIRE(terminal.content("words.csv") == table);
        REQUIRE((isOld("out.csv") || terminal.content("out.csv") == results));
    }
}
