// Small compressed files that unfold to much: refused, or read, without the memory being taken.

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "core/embedding/load.h"
#include "core/io/byte_source.h"
#include "core/io/read_ahead.h"
#include "tests/core/embedding/embedding_files.h"
#include "tests/support/growth.h"
#include "tests/support/refusal.h"
#include "tests/support/sanitized.h"

using namespace epsilens;
using namespace epsilens::embedding;

namespace {

constexpr std::uint64_t kBombLimit = 100'000'000;

/// Loads under a limit and checks that no more than that was taken on the way.
Result<Embedding> loadBomb(const std::string& content, LoadOptions options = {}) {
    const test::TemporaryFolder folder;
    options.path = folder.file("bomb", content);
    options.memoryLimit = kBombLimit;
    options.threads = 2;
    const test::PeakMemory peak;
    auto loaded = loadEmbedding(options);
    if (!test::kSanitized) {
        CHECK(peak.bytes() <= static_cast<double>(kBombLimit));
    }
    return loaded;
}

void checkIsTooLarge(const Result<Embedding>& loaded, const std::string& what) {
    const Error error =
        test::checkRefused(loaded, ErrorCode::resourceLimit, "100 MB are allowed; load ");
    CHECK_THAT(error.message, Catch::StartsWith(what));
}

/// A fastText model of one word more than once, without vectors behind its dictionary.
std::string dictionaryOf(std::int32_t words, const std::string& word) {
    test::FasttextParts parts;
    parts.words.assign(static_cast<std::size_t>(words), word);
    parts.buckets = 1;
    const std::string model = test::fasttextModel(parts);
    return model.substr(0, model.size() - 2 * static_cast<std::size_t>(words) * sizeof(float) * 2);
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

/// Reads the data through.
Result<std::string> contentOf(const std::string& data) {
    const test::TemporaryFolder folder;
    ASSIGN_OR_RETURN(const auto source, io::ByteSource::open(folder.file("data", data)));
    std::string content;
    content.resize(10'000'000);
    return source->read(content.data(), content.size()).map([&](std::size_t size) {
        return content.substr(0, size);
    });
}

}  // namespace

// Before the others, which leave this process memory that it may use again.
TEST_CASE("A decompressor that gets no memory is no damage") {
    if (test::kSanitized) {
        return;  // sanitizers end the program instead of refusing memory
    }
    const std::string xz = test::withDictionary(test::compressed(test::manyRows(200), "xz"), 30);
    const AddressSpace space(100 << 20);
    test::checkRefused(contentOf(xz), ErrorCode::resourceLimit, "not enough memory");
}

// Dictionaries of xz and windows of zstd, for which a few stored bytes ask for gigabytes of memory.

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

TEST_CASE("The dictionary of a model is refused before its memory is taken") {
    const std::string model =
        GENERATE(test::compressed(dictionaryOf(500'000, ""), "bzip2"),
                 test::compressed(dictionaryOf(250, std::string(60'000, 'x')), "bzip2"));
    REQUIRE(model.size() < 10'000);
    checkIsTooLarge(loadBomb(model), "the words of the fastText model");

    // Of the first rows only their words are kept.
    const LoadOptions options{.limitRows = 10};
    test::checkRefused(loadBomb(model, options), ErrorCode::badFile, "cut off");
}

TEST_CASE("Long words of a text are refused before their memory is taken") {
    std::string content;
    for (int row = 0; row < 30; ++row) {
        content += fmt::format("{:x>1000000} 1 2\n", row);
    }
    const std::string bomb = test::compressed(content, "gzip");
    content = {};
    REQUIRE(bomb.size() < 100'000);
    checkIsTooLarge(loadBomb(bomb), "the words of 1");
    const LoadOptions options{.limitRows = 10};
    const auto first = loadBomb(bomb, options).value();
    CHECK(first.wordCount() == 10);
}

TEST_CASE("Lines that hold nothing take no memory") {
    const std::string line = GENERATE("\n", "x\n", "x\n\n");
    std::string content = test::manyRows(1'500);
    while (content.size() < 3 * io::kLineBlockBytes) {
        content += line;
    }
    content += test::manyRows(1);
    const auto lines = std::ranges::count(content, '\n');
    const std::string bomb = test::compressed(content, "gzip");
    content = {};
    const auto loaded = loadBomb(bomb).value();
    CHECK(loaded.wordCount() == 1'500);
    CHECK(loaded.report.duplicates.firstPositions == std::vector<std::int64_t>{lines});
}

TEST_CASE("Short rows take no more memory than is counted for them") {
    // The same row: nothing of it is kept but the first.
    std::string content;
    while (content.size() < 3 * io::kLineBlockBytes) {
        content += "ab 1 2\n";
    }
    const std::string bomb = test::compressed(content, "gzip");
    content = {};
    const auto loaded = loadBomb(bomb).value();
    CHECK(loaded.wordCount() == 1);
}

TEST_CASE("Long lines take no more memory than is counted for the buffers") {
    std::string content = "a 1 2\n" + test::repeated(std::string(6'999'999, ' ') + "a 1 2\n", 5);
    const std::string bomb = test::compressed(content, "gzip");
    content = {};
    const auto loaded = loadBomb(bomb).value();
    CHECK(loaded.report.duplicates.count == 5);
}
