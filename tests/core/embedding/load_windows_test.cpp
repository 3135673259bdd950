// Dictionaries of xz and windows of zstd, for which a few stored bytes ask for gigabytes of memory.

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>

#include "core/embedding/load.h"
#include "core/embedding/word_list.h"
#include "tests/core/embedding/embedding_files.h"
#include "tests/support/refusal.h"
#include "tests/support/sanitized.h"

using namespace epsilens;
using namespace epsilens::embedding;

namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;
constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

// By the formula of the format.
constexpr int kDictionaryOf32 = 26;  ///< MiB
constexpr int kDictionaryOf192 = 31;
constexpr int kDictionaryOf256 = 32;
constexpr int kDictionaryOf1024 = 36;
constexpr int kLargestDictionary = 40;

std::string xzAsking(int property) {
    return test::withDictionary(test::compressed(test::manyRows(200), "xz"), property);
}

Result<Embedding> loadWithin(const std::string& content, std::uint64_t memoryLimit) {
    const LoadOptions options{.memoryLimit = memoryLimit};
    return test::loadContent(content, options);
}

void checkIsRefused(const Result<Embedding>& loaded, const std::string& message) {
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().code == ErrorCode::resourceLimit);
    CHECK_THAT(loaded.error().message, Catch::Matches(message));
}

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

}  // namespace

TEST_CASE("Dictionaries are refused before their memory is taken") {
    // 256 MiB are 268.4 million bytes; the decoder has about one more beside them.
    checkIsRefused(
        loadWithin(xzAsking(kDictionaryOf256), 100 * kMegabyte),
        "the buffers to decompress the xz data need about (269|270) MB of memory, 100 MB "
        "are allowed; unpack .*xz -6.*");
    checkIsRefused(loadWithin(xzAsking(kLargestDictionary), 2'000 * kMegabyte),
                   ".* need about 429\\d MB of memory, 2000 MB are allowed; .*");
}

TEST_CASE("Dictionaries that fit are taken") {
    const auto plain = test::loadContent(test::manyRows(200)).value();
    for (const int dictionary : {kDictionaryOf256, kDictionaryOf1024}) {
        const auto loaded = loadWithin(xzAsking(dictionary), 1'500 * kMegabyte).value();
        CHECK(loaded.vectors == plain.vectors);
    }
}

TEST_CASE("A window of 128 MiB is taken, and a larger one is no damage") {
    const std::string zstd = test::compressed(test::manyRows(200), "zstd");
    CHECK(test::loadContent(test::withWindow(zstd, 27)));
    // The least too large, and the largest of the format.
    for (const int windowLog : {28, 31, 32, 41}) {
        checkIsRefused(test::loadContent(test::withWindow(zstd, windowLog)),
                       "the zstd data has a larger window than can be read; .* without --long .*");
    }
}

TEST_CASE("A dictionary takes memory that rows then lack") {
    // Either fits for itself: buffers of 64 MiB for the rows, and 32 MiB here.
    const std::uint64_t limit = 96 * kMebibyte;
    checkIsRefused(loadWithin(xzAsking(kDictionaryOf32), limit),
                   ".* rows of 4 values need about 10\\d MB .*");
    CHECK(loadWithin(xzAsking(kDictionaryOf32), limit + 2 * kMebibyte));
    CHECK(loadWithin(test::compressed(test::manyRows(200), "xz"), limit));
}

TEST_CASE("Every stream of a file is asked for its memory") {
    const std::string content =
        test::compressed(test::manyRows(100'000), "xz") + xzAsking(kDictionaryOf192);
    checkIsRefused(loadWithin(content, 150 * kMegabyte), "the buffers to decompress .*");
    CHECK(loadWithin(content, 500 * kMegabyte));
}

TEST_CASE("Lists of words are held to their memory, too") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("words.xz", xzAsking(kDictionaryOf256));
    test::checkRefused(readWordList(path, {}, 100 * kMegabyte), ErrorCode::resourceLimit);
    CHECK(readWordList(path, {}, 500 * kMegabyte));
}

TEST_CASE("A decompressor that gets no memory is no damage") {
    if (test::kSanitized) {
        return;  // sanitizers end the program instead of refusing memory
    }
    const AddressSpace space(600 * kMebibyte);
    checkIsRefused(loadWithin(xzAsking(kDictionaryOf1024), 8'000 * kMegabyte),
                   ".*not enough memory.*");
}
