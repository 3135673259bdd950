#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"
#include "tests/support/made_up_embedding.h"

// Exit codes: 4 for an input that is missing, unreadable, a folder or a device, 1 for an output
// that cannot be written (the documented ones).

using namespace epsilens;
using Catch::Matchers::Contains;
using test::CliResult;
using test::CliSetup;
using test::Terminal;

namespace {

void checkRefused(const Terminal& terminal, const std::string& file, const std::string& reason,
                  const CliSetup& setup = {}) {
    // Every option that reads a file, with a file in its place.
    for (const char* reader :
         {"info ", "train-poincare ", "info small.txt --vocabulary ",
          "calibrate small.txt --epsilon 1 --quiet --words @",
          "calibrate small.txt --epsilon 1 --data ", "sanitize small.txt --epsilon 1 --text-file ",
          "sanitize small.txt --epsilon 1 --stop-words "}) {
        const CliResult result = terminal.run(reader + file, setup);
        CAPTURE(reader, result.errors);
        CHECK(result.exitCode == 4);
        CHECK_THAT(result.errors,
                   Catch::StartsWith("error: ") && Contains(file) && Contains(reason));
    }
}

}  // namespace

TEST_CASE("A folder, a device and a file that is missing are named and refused everywhere") {
    const Terminal terminal;
    checkRefused(terminal, terminal.path(""), "folder");
    checkRefused(terminal, "/dev/zero", "device");
    checkRefused(terminal, "missing", "cannot open");
}

TEST_CASE("A file without permission is refused") {
    const Terminal terminal;
    const std::string secret = terminal.file("secret.txt", test::madeUpGlove(20, 3, 1));
    REQUIRE(chmod(terminal.path("").c_str(), 0755) == 0);
    REQUIRE(chmod(secret.c_str(), 0) == 0);
    CliSetup setup;
    // Root may read everything, so another has to try.
    if (geteuid() == 0) {
        setup.wrapper = test::typed("setpriv --reuid=65534 --regid=65534 --clear-groups");
    }
    if (terminal.run("--version", setup).exitCode != 0) {
        WARN("SKIPPED: the program cannot be started as nobody");
        return;
    }
    checkRefused(terminal, "secret.txt", "Permission denied", setup);
    if (geteuid() == 0) {
        const CliResult output = terminal.run("info small.txt -o new.txt", setup);
        CHECK(output.exitCode == 1);
        CHECK_THAT(output.errors, Contains("cannot write") && Contains("Permission denied"));
    }
}

TEST_CASE("A FIFO and standard input are read as streams") {
    const Terminal terminal;
    const std::string content = test::madeUpGlove(3000, 8, 1);
    terminal.file("whole", content);
    REQUIRE(mkfifo(terminal.path("pipe").c_str(), 0600) == 0);
    std::thread writer([&] {
        const int descriptor = open(terminal.path("pipe").c_str(), O_WRONLY | O_CLOEXEC);
        std::size_t done = 0;
        while (descriptor >= 0 && done < content.size()) {
            const ssize_t written = write(descriptor, content.data() + done,
                                          std::min<std::size_t>(1000, content.size() - done));
            if (written <= 0) {
                break;
            }
            done += static_cast<std::size_t>(written);
        }
        close(descriptor);
    });
    const CliResult fromPipe = terminal.run("info pipe --format json");
    writer.join();
    const CliResult fromInput = terminal.run("info - --format json", content);
    // Name and time aside, all three say the same: the digest holds the bytes, the rest the rows.
    const nlohmann::json whole = terminal.found("info whole")["embedding"];
    CHECK(whole["words"] == 3000);
    for (const CliResult& result : {fromPipe, fromInput}) {
        const auto found = nlohmann::json::parse(result.output)["embedding"];
        for (const char* member : {"words", "dimensions", "sha256"}) {
            CHECK(found[member] == whole[member]);
        }
    }
}

// Two billion rows of 100 values in 4 bytes are 800 GB. The file is a hole, which takes no room.
TEST_CASE("A file that is too large for the memory is refused with the options that help") {
    const Terminal terminal;
    const std::string path =
        terminal.file("large.bin", "2000000000 100\nw " + std::string(400, '\0'));
    constexpr std::uintmax_t kBytes = 1'000'000'000'000;
    std::filesystem::resize_file(path, kBytes);
    const CliResult result = terminal.run("info large.bin --input-format word2vec-binary");
    CHECK(result.exitCode == 1);
    CHECK_THAT(result.errors,
               Contains("2,000,000,000 rows of 100 values need about") &&
                   Contains("or the words of a list (--limit-rows or --vocabulary)"));
}

TEST_CASE("A text of too many words is refused") {
    std::string text;
    for (int i = 0; i < 2001; ++i) {
        text += "w1 ";
    }
    const Terminal terminal;
    terminal.fails("sample small.txt --text '" + text + "'", 1, "at most 2,000");
}

TEST_CASE("A name that cannot be shown is made harmless") {
    const Terminal terminal;
    const CliResult result = terminal.run("info a\x1b[31m\nb\x07");
    CHECK(result.exitCode == 4);
    CHECK(result.errors.find('\x1b') == std::string::npos);
    CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
}
