// Dictionaries of xz and windows of zstd, for which a few stored bytes ask for gigabytes of memory.

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>

#include "core/base/pass_on.h"
#include "core/io/byte_source.h"
#include "tests/core/embedding/embedding_files.h"
#include "tests/support/refusal.h"
#include "tests/support/sanitized.h"

using namespace epsilens;

namespace {

/// Lets this process take only so much address space beyond what it has.
class AddressSpace {
public:
    explicit AddressSpace(std::uint64_t bytesMore) {
        std::uint64_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        ::getrlimit(RLIMIT_AS, &m_before);
        rlimit limited = m_before;
        limited.rlim_cur = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + bytesMore;
        ::setrlimit(RLIMIT_AS, &limited);
    }
    ~AddressSpace() { ::setrlimit(RLIMIT_AS, &m_before); }
    AddressSpace(const AddressSpace&) = delete;
    AddressSpace& operator=(const AddressSpace&) = delete;

private:
    rlimit m_before{};
};

/// Reads the data through.
Result<std::string> contentOf(const std::string& data) {
    const test::TemporaryFolder folder;
    ASSIGN_OR_RETURN(const auto source, io::ByteSource::open(folder.file("data", data)));
    std::string content(10'000'000, '\0');
    return source->read(content.data(), content.size()).map([&](std::size_t size) {
        return content.substr(0, size);
    });
}

}  // namespace

TEST_CASE("A window of 128 MiB is taken, and a larger one refused before its memory is") {
    const std::string rows = test::manyRows(200);
    const std::string xz = test::compressed(rows, "xz");
    const std::string zstd = test::compressed(rows, "zstd");
    CHECK(contentOf(test::withDictionary(xz, 30)).value() == rows);
    CHECK(contentOf(test::withWindow(zstd, 27)).value() == rows);
    CHECK(contentOf(xz + test::withDictionary(xz, 30)).value() == rows + rows);
    // The least too large, and the largest of the format.
    for (const std::string& data :
         {test::withDictionary(xz, 31), test::withDictionary(xz, 40),
          xz + test::withDictionary(xz, 31), test::withWindow(zstd, 28), test::withWindow(zstd, 31),
          test::withWindow(zstd, 32), test::withWindow(zstd, 41)}) {
        test::checkRefused(contentOf(data), ErrorCode::resourceLimit,
                           "data has a larger window than can be read; unpack the file");
    }
}

TEST_CASE("A decompressor that gets no memory is no damage") {
    if (test::kSanitized) {
        return;  // sanitizers end the program instead of refusing memory
    }
    const std::string xz = test::withDictionary(test::compressed(test::manyRows(200), "xz"), 30);
    const AddressSpace space(100 << 20);
    test::checkRefused(contentOf(xz), ErrorCode::resourceLimit, "not enough memory");
}
