#include <array>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>

#include <catch2/catch.hpp>

#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

// Files that another program replaces, cuts short or writes anew while they are read: the old
// content, the new one, or an error with the exit code 4 of a bad input file; never anything else.

using namespace epsilens;
using Catch::Matchers::Contains;
using test::CliResult;
using test::runCli;
namespace fs = std::filesystem;

namespace {

constexpr int kRuns = 12;

/// Replaces a file again and again until it goes out of scope: by renaming another one over it, by
/// cutting it short, and by writing it anew in place.
class Meddler {
public:
    Meddler(const test::TemporaryFolder& folder, std::string path, std::string content)
        : m_path(std::move(path)), m_content(std::move(content)), m_spare(folder.path("spare")) {
        m_thread = std::thread([this] { meddle(); });
    }
    ~Meddler() {
        m_ends = true;
        m_thread.join();
    }
    Meddler(const Meddler&) = delete;
    Meddler& operator=(const Meddler&) = delete;

private:
    void write(const std::string& path) const {
        std::FILE* const file = std::fopen(path.c_str(), "wb");
        if (file != nullptr) {
            std::fwrite(m_content.data(), 1, m_content.size(), file);
            std::fclose(file);
        }
    }

    void meddle() const {
        std::error_code ignored;
        for (unsigned turn = 0; !m_ends; ++turn) {
            switch (turn % 3) {
                case 0:
                    write(m_spare);
                    fs::rename(m_spare, m_path, ignored);
                    break;
                case 1:
                    fs::resize_file(m_path, m_content.size() / (turn % 7 + 2), ignored);
                    break;
                default:
                    write(m_path);
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(turn % 5));
        }
    }

    std::string m_path;
    std::string m_content;
    std::string m_spare;
    std::atomic<bool> m_ends{false};
    std::thread m_thread{};
};

void checkEnd(const CliResult& result, const std::string& file) {
    CAPTURE(result.errors);
    REQUIRE((result.exitCode == 0 || result.exitCode == 4));
    if (result.exitCode == 4) {
        CHECK(result.errors.rfind("error: ", 0) == 0);
        CHECK_THAT(result.errors, Contains(file));
    }
}

}  // namespace

TEST_CASE("An embedding replaced while it is loaded gives a whole content or an error") {
    const test::TemporaryFolder folder;
    const std::string content = test::madeUpGlove(4'000, 20, 2);
    const std::string path = folder.file("vectors.txt", content);
    const Meddler meddler(folder, path, content);
    for (int run = 0; run < kRuns; ++run) {
        checkEnd(runCli({"info", path, "--format", "json"}), path);
    }
}

TEST_CASE("A text replaced while it is released gives whole lines or an error") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("vectors.txt", test::madeUpGlove(30, 3, 1));
    std::string content;
    for (int line = 0; line < 30'000; ++line) {
        content += "w1 w2 and w3\n";
    }
    const std::string path = folder.file("text.txt", content);
    const std::string output = folder.path("released.txt");
    const Meddler meddler(folder, path, content);
    for (int run = 0; run < kRuns; ++run) {
        fs::remove(output);
        const CliResult result =
            runCli({"sanitize", embedding, "--mechanism", "tem", "--epsilon", "4", "--unknown",
                    "keep", "--quiet", "--text-file", path, "-o", output});
        checkEnd(result, path);
        CHECK(fs::exists(output) == (result.exitCode == 0));
    }
}
