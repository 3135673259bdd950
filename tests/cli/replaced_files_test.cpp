#include <array>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>

#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"
#include "tests/support/made_up_embedding.h"

// Files that another program replaces, cuts short or writes anew while they are read: the old
// content, the new one, or an error with the exit code 4 of a bad input file; never anything else.

using namespace epsilens;
using Catch::Matchers::Contains;
using test::CliResult;
using test::Terminal;
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
    const Terminal terminal;
    const std::string content = test::madeUpGlove(4'000, 20, 2);
    const Meddler meddler(terminal, terminal.file("vectors.txt", content), content);
    for (int run = 0; run < kRuns; ++run) {
        checkEnd(terminal.run("info vectors.txt --format json"), "vectors.txt");
    }
}

TEST_CASE("A text replaced while it is released gives whole lines or an error") {
    const Terminal terminal;
    std::string content;
    for (int line = 0; line < 30'000; ++line) {
        content += "w1 w2 and w3\n";
    }
    const Meddler meddler(terminal, terminal.file("text.txt", content), content);
    for (int run = 0; run < kRuns; ++run) {
        fs::remove(terminal.path("released.txt"));
        const CliResult result = terminal.run(
            "sanitize small.txt --mechanism tem --epsilon 4 --unknown keep --quiet --text-file "
            "text.txt -o released.txt");
        checkEnd(result, "text.txt");
        CHECK(fs::exists(terminal.path("released.txt")) == (result.exitCode == 0));
    }
}
