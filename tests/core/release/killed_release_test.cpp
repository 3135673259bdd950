#include <string>

#include <catch2/catch.hpp>

#include "core/release/sanitize_stream.h"
#include "tests/core/release/fixed_replacer.h"
#include "tests/core/release/word_space.h"
#include "tests/support/killed_writer.h"

using namespace epsilens;
using release::ReleaseOutputs;
using release::TextInput;

namespace {

std::string repeated(std::string_view line) {
    std::string text;
    for (int i = 0; i < 2'000; ++i) {
        text += line;
    }
    return text;
}

/// Releases a text into the same two files, until something fails: each word comes out as the one
/// that lies one further, or two further the next time, and the sidecar says which.
void releaseForEver(const test::TemporaryFolder& folder, const test::SharedFlag& isWriting) {
    const auto space = test::wordSpace({"one", "two", "three"});
    for (release::Row step = 1;; step = 3 - step) {
        test::FixedReplacer replacer([step](release::Row row) { return (row + step) % 3; });
        auto sanitizer = release::Sanitizer::create(space, replacer, {}).value();
        auto input = TextInput::open(folder.path("in.txt"), {}).value();
        auto outputs = ReleaseOutputs::open(folder.path("out.txt"), folder.path("out.json"), {});
        const release::StreamOptions options{.batchBytes = 1'000, .threads = 1};
        isWriting.set(true);
        if (!outputs || !release::sanitizeStream(input, outputs->text, sanitizer, options) ||
            !outputs->finish(repeated(step == 1 ? "first\n" : "second\n"))) {
            return;
        }
        isWriting.set(false);
    }
}

}  // namespace

TEST_CASE("Releasing killed at any moment leaves the old text and sidecar or whole new ones") {
    const test::TemporaryFolder folder;
    folder.file("in.txt", repeated("one\n"));
    const std::string first = repeated("two\n");
    const std::string second = repeated("three\n");
    folder.file("out.txt", second);
    folder.file("out.json", repeated("second\n"));
    test::killAtAnyMoment(
        17, [&](const test::SharedFlag& isWriting) { releaseForEver(folder, isWriting); },
        [&] {
            const std::string text = test::contentOf(folder.path("out.txt"));
            const std::string sidecar = test::contentOf(folder.path("out.json"));
            REQUIRE((text == first || text == second));
            REQUIRE((sidecar == repeated("first\n") || sidecar == repeated("second\n")));
            test::removeLeftovers(folder, {"in.txt", "out.txt", "out.json"}, first.size());
            return text == first;
        });
}
