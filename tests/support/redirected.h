#pragma once

#include <string>

#include <fcntl.h>
#include <unistd.h>
#include <catch2/catch.hpp>

namespace epsilens::test {

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

}  // namespace epsilens::test
