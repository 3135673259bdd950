#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "tests/support/csv_table.h"
#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

// Exit codes: 4 for an input that is missing, unreadable, a folder or a device, 1 for an output
// that cannot be written (the documented ones).

using namespace epsilens;
using Catch::Matchers::Contains;
using test::CliResult;
using test::CliSetup;
using test::runCli;
using Arguments = std::vector<std::string>;

namespace {

const std::vector<std::string> kAsNobody{"setpriv", "--reuid=65534", "--regid=65534",
                                         "--clear-groups"};

void checkRefused(const Arguments& arguments, const std::string& file, const std::string& reason,
                  const CliSetup& setup = {}) {
    const CliResult result = runCli(arguments, setup);
    CAPTURE(arguments, result.errors);
    CHECK(result.exitCode == 4);
    CHECK(result.errors.rfind("error: ", 0) == 0);
    CHECK_THAT(result.errors, Contains(file) && Contains(reason));
}

/// Every option that reads a file, with a file in its place.
std::vector<Arguments> readersOf(const std::string& file, const std::string& embedding) {
    return {{"info", file},
            {"train-poincare", file},
            {"info", embedding, "--vocabulary", file},
            {"calibrate", embedding, "--epsilon", "1", "--quiet", "--words", "@" + file},
            {"calibrate", embedding, "--epsilon", "1", "--data", file},
            {"sanitize", embedding, "--epsilon", "1", "--text-file", file},
            {"sanitize", embedding, "--epsilon", "1", "--stop-words", file}};
}

}  // namespace

TEST_CASE("A folder, a device and a file that is missing are named and refused everywhere") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("good.txt", test::madeUpGlove(20, 3, 1));
    const std::string inside = folder.path("");
    for (const auto& [file, reason] :
         {std::pair(inside, std::string("folder")),
          std::pair(std::string("/dev/zero"), std::string("device")),
          std::pair(folder.path("missing"), std::string("cannot open"))}) {
        for (const Arguments& arguments : readersOf(file, embedding)) {
            checkRefused(arguments, file, reason);
        }
    }
}

TEST_CASE("A file without permission is refused") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("good.txt", test::madeUpGlove(20, 3, 1));
    const std::string secret = folder.file("secret.txt", test::madeUpGlove(20, 3, 1));
    REQUIRE(chmod(folder.path("").c_str(), 0755) == 0);
    REQUIRE(chmod(secret.c_str(), 0) == 0);
    CliSetup setup;
    // Root may read everything, so another has to try.
    if (geteuid() == 0) {
        setup.wrapper = kAsNobody;
    }
    if (runCli({"--version"}, setup).exitCode != 0) {
        WARN("SKIPPED: the program cannot be started as nobody");
        return;
    }
    for (const Arguments& arguments : readersOf(secret, embedding)) {
        checkRefused(arguments, secret, "Permission denied", setup);
    }
    const CliResult output = runCli({"info", embedding, "-o", folder.path("new.txt")}, setup);
    if (geteuid() == 0) {
        CHECK(output.exitCode == 1);
        CHECK_THAT(output.errors, Contains("cannot write") && Contains("Permission denied"));
    }
}

TEST_CASE("A FIFO and standard input are read as streams") {
    const test::TemporaryFolder folder;
    const std::string content = test::madeUpGlove(3000, 8, 1);
    const std::string expected =
        runCli({"info", folder.file("pipe", content), "--format", "csv"}).output;
    const std::string pipe = folder.path("pipe");
    REQUIRE(unlink(pipe.c_str()) == 0);
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    std::thread writer([&] {
        const int descriptor = open(pipe.c_str(), O_WRONLY | O_CLOEXEC);
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
    const CliResult fromPipe = runCli({"info", pipe, "--format", "csv"});
    writer.join();
    CHECK(fromPipe.exitCode == 0);
    CliSetup setup;
    setup.input = content;
    const CliResult fromInput = runCli({"info", "-", "--format", "csv"}, setup);
    CHECK(fromInput.exitCode == 0);
    // Name and time aside, all three say the same: the digest holds the bytes, the rest the rows.
    const auto whole = test::csvTable(expected).at(0);
    CHECK(whole.at("embedding.words") == "3000");
    for (const std::string& output : {fromPipe.output, fromInput.output}) {
        const auto found = test::csvTable(output).at(0);
        for (const char* column : {"embedding.words", "embedding.dimensions", "embedding.sha256"}) {
            CHECK(found.at(column) == whole.at(column));
        }
    }
}

TEST_CASE("An empty stream is refused") {
    checkRefused({"info", "-"}, "-", "it is empty");
}

TEST_CASE("A name that cannot be shown is made harmless") {
    const test::TemporaryFolder folder;
    const CliResult result = runCli({"info", folder.path("a\x1b[31m\nb\x07")});
    CHECK(result.exitCode == 4);
    CHECK(result.errors.find('\x1b') == std::string::npos);
    CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
}
