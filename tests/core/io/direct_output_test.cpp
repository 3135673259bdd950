#include "core/io/direct_output.h"

#include <string>

#include <fcntl.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "tests/support/temporary_folder.h"

using namespace epsilens;
using namespace epsilens::io;

namespace {

/// Another file in place of a standard stream, until the end of its life.
class Redirected {
public:
    Redirected(int stream, const std::string& path)
        : m_stream(stream), m_before(fcntl(stream, F_DUPFD_CLOEXEC, 0)) {
        const int file = open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC);
        REQUIRE(dup2(file, stream) == stream);
        close(file);
    }
    ~Redirected() {
        dup2(m_before, m_stream);
        close(m_before);
    }
    Redirected(const Redirected&) = delete;
    Redirected& operator=(const Redirected&) = delete;

private:
    int m_stream;
    int m_before;
};

}  // namespace

TEST_CASE("A file that is read is no place to write to") {
    const test::TemporaryFolder folder;
    const std::string text = folder.file("text.txt", "one\n");
    const std::string other = folder.path("other.txt");
    REQUIRE(link(text.c_str(), folder.path("link.txt").c_str()) == 0);
    REQUIRE(symlink("text.txt", folder.path("symbolic").c_str()) == 0);
    for (const std::string& place :
         {text, folder.path("./text.txt"), folder.path("link.txt"), folder.path("symbolic")}) {
        CAPTURE(place);
        const auto apart = checkIsNoInput(place, {other, text});
        REQUIRE(!apart);
        CHECK(apart.error().code == ErrorCode::invalidArgument);
    }
    CHECK(checkIsNoInput(other, {text, "", "-"}));
    CHECK(checkIsNoInput("", {text, ""}));
    CHECK(checkIsNoInput("/dev/null", {"/dev/null"}));
}

TEST_CASE("The file behind standard input is no place to write to either") {
    const test::TemporaryFolder folder;
    const std::string text = folder.file("text.txt", "one\n");
    const std::string other = folder.file("other.txt", "two\n");
    const Redirected input(STDIN_FILENO, text);
    CHECK(!checkIsNoInput(text, {"-"}));
    CHECK(checkIsNoInput(text, {other}));  // standard input is not read
    CHECK(checkIsNoInput(other, {"-"}));
    const Redirected device(STDIN_FILENO, "/dev/null");
    CHECK(checkIsNoInput("/dev/null", {"-"}));
}

TEST_CASE("Standard output must not go to a file that is read") {
    const test::TemporaryFolder folder;
    const std::string text = folder.file("text.txt", "one\n");
    const std::string other = folder.file("other.txt", "two\n");
    const auto check = [&](const std::string& to, const std::string& input) {
        const Redirected output(STDOUT_FILENO, to);
        return checkIsNoInput("", {"", input});
    };
    const Redirected input(STDIN_FILENO, text);
    for (const std::string& read : {std::string("-"), text}) {
        const auto apart = check(text, read);
        REQUIRE(!apart);
        CHECK(apart.error().code == ErrorCode::invalidArgument);
        CHECK_THAT(apart.error().message, Catch::Matchers::Contains("standard output"));
        CHECK(check(other, read));
        CHECK(check("/dev/null", read));
    }
}
