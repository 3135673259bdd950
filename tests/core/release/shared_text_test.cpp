#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/release/sanitize_stream.h"
#include "tests/core/release/fixed_replacer.h"
#include "tests/core/release/word_space.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using release::Row;
using release::Sanitizer;
using release::StreamEnd;
using release::StreamOptions;
using release::TextInput;
using release::TextOutput;

namespace {

/// What one of several processes releases of a text.
struct Share {
    StreamEnd end{};
    std::string text{};
};

Share shareOf(const test::TemporaryFolder& folder, const std::string& input,
              const StreamOptions& asked, int rank, int size) {
    const auto space = test::wordSpace({"one", "two", "three", "four"});
    test::FixedReplacer replacer([](Row row) { return (row + 1) % 4; });
    auto sanitizer = Sanitizer::create(space, replacer, {}).value();
    StreamOptions options = asked;
    if (size > 0) {
        options.isOwn = [=](std::int64_t unit) { return unit % size == rank; };
    }
    auto source = TextInput::open(input, {}).value();
    const std::string path = folder.path("released");
    auto target = TextOutput::toFile(path).value();
    Share share{release::sanitizeStream(source, target, sanitizer, options).value(), {}};
    REQUIRE(target.finish());
    share.text = test::contentOf(path);
    return share;
}

/// The units of all shares in their order.
std::string assembled(std::vector<Share>& shares) {
    std::string text;
    for (std::int64_t unit = 0; unit < shares.front().end.units; ++unit) {
        const auto owner = static_cast<std::size_t>(unit) % shares.size();
        const auto place = static_cast<std::size_t>(unit) / shares.size();
        const auto bytes = static_cast<std::size_t>(shares[owner].end.ownBytes.at(place));
        text += shares[owner].text.substr(0, bytes);
        shares[owner].text.erase(0, bytes);
    }
    return text;
}

void checkShared(const std::string& input, const StreamOptions& options) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("text", input);
    const Share whole = shareOf(folder, path, options, 0, 0);
    for (const int size : {1, 2, 3}) {
        std::vector<Share> shares;
        release::ReleaseCounts counts;
        for (int rank = 0; rank < size; ++rank) {
            shares.push_back(shareOf(folder, path, options, rank, size));
            counts.add(shares.back().end.counts);
            CHECK(shares.back().end.units == shares.front().end.units);
        }
        CHECK(assembled(shares) == whole.text);
        CHECK(counts == whole.end.counts);
        CHECK(std::all_of(shares.begin(), shares.end(),
                          [](const Share& share) { return share.text.empty(); }));
    }
}

}  // namespace

TEST_CASE("the shares of a text put together are the released text") {
    StreamOptions options;
    options.batchBytes = 32;
    std::string text;
    for (int i = 0; i < 40; ++i) {
        text += i % 7 == 0 ? "one two\r\n\n" : "three, four. Unknown ONE\n";
    }
    checkShared(text, options);
    checkShared("", options);
    checkShared("one\n", options);
}

TEST_CASE("a line too long to hold is not shared") {
    StreamOptions options;
    options.batchBytes = 32;
    std::string line;
    for (int i = 0; i < 30; ++i) {
        line += "one two three ";
    }
    checkShared("four\n" + line + "\n" + line, options);
}

TEST_CASE("the shares of a table end with whole records") {
    StreamOptions options;
    options.batchBytes = 32;
    options.table.columns = {"text"};
    std::string table = "id,text\n";
    for (int i = 0; i < 20; ++i) {
        table += std::to_string(i) + ",\"one, two\nthree \"\"four\"\" one two three four\"\n";
    }
    checkShared(table, options);
    checkShared(table + "20,one", options);
}
