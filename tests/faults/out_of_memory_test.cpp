#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>
#include <catch2/catch.hpp>

#include "core/calibration/calibrate.h"
#include "core/embedding/load.h"
#include "core/release/sanitize_stream.h"
#include "core/text/data_set.h"
#include "core/training/is_a_pairs.h"
#include "tests/core/embedding/embedding_files.h"
#include "tests/faults/failing_allocation.h"
#include "tests/support/run_cli.h"
#include "tests/support/toy_embedding.h"

// A job whose memory ends anywhere returns an error or throws std::bad_alloc, which whoever starts
// jobs turns into one; it neither crashes nor hangs, and what it works on can be used again.

using namespace epsilens;
using test::FailingAllocation;
using Until = FailingAllocation::Until;

namespace {

/// Nothing when the job was done.
using Job = std::function<std::optional<Error>()>;

template <typename T>
std::optional<Error> errorOf(const Result<T>& result) {
    return result ? std::nullopt : std::optional(result.error());
}

/// Number of failures seen; an error must be one of memory, or have a sentence of its own.
int failEverywhere(const Job& job, Until until) {
    REQUIRE_FALSE(job().has_value());
    int failures = 0;
    for (long number = 1;; number += 1 + number / 16) {
        std::optional<Error> error;
        bool threw = false;
        bool happened = false;
        {
            const FailingAllocation failing(number, until);
            try {
                error = job();
            } catch (const std::bad_alloc&) {
                threw = true;
            }
            happened = failing.happened();
        }
        if (!happened) {
            REQUIRE_FALSE((threw || error));
            break;
        }
        failures += threw || error ? 1 : 0;
        if (error) {
            CAPTURE(number, error->message);
            REQUIRE_FALSE(error->message.empty());
            REQUIRE(error->code == ErrorCode::resourceLimit);
        }
    }
    REQUIRE_FALSE(job().has_value());
    return failures;
}

Job opening(const std::string& path) {
    return [path] {
        embedding::LoadOptions options;
        options.path = path;
        options.threads = 2;
        return errorOf(embedding::openAndPrepare(options));
    };
}

/// Releases one file into another.
Job releasing(const engine::SearchSpaceHandle& space, const mechanism::Mechanism& kind,
              const std::string& from, const std::string& to) {
    return [=]() -> std::optional<Error> {
        const auto replacer = release::createReplacer(space, {kind, 9.0}, 2);
        if (!replacer) {
            return replacer.error();
        }
        auto sanitizer = release::Sanitizer::create(space, **replacer, {});
        auto input = release::TextInput::open(from, {});
        auto output = io::Output::toFile(to);
        if (!sanitizer || !input || !output) {
            return !sanitizer ? sanitizer.error() : !input ? input.error() : output.error();
        }
        const release::StreamOptions options{.batchBytes = 200, .threads = 2};
        const auto end = release::sanitizeStream(*input, *output, *sanitizer, options);
        return end ? errorOf(output->finish()) : std::optional(end.error());
    };
}

calibration::CalibrationOptions smallRun(const mechanism::Mechanism& kind) {
    calibration::CalibrationOptions options;
    options.grid.mechanism = kind;
    options.grid.epsilons = {5.0, 9.0};  // above m - 1, as hyperbolic noise asks
    options.grid.lambdas = {0.5};
    options.words.count = 20;
    options.draws = 10;
    options.threads = 2;
    return options;
}

}  // namespace

TEST_CASE("Memory that ends while a file is opened is an error") {
    const Until until = GENERATE(Until::once, Until::always);
    const test::TemporaryFolder folder;
    const std::string text = test::madeUpGlove(60, 4, 1);
    const std::string binary =
        test::word2vecBinary({{"a", {1, 2}}, {"b", {2, 1}}, {"c", {0, 1}}}, true);
    CHECK(failEverywhere(opening(folder.file("a.txt", text)), until) > 20);
    CHECK(failEverywhere(opening(folder.file("a.gz", test::compressed(text, "gzip"))), until) > 20);
    CHECK(failEverywhere(opening(folder.file("a.xz", test::compressed(text, "xz"))), until) > 20);
    CHECK(failEverywhere(opening(folder.file("a.zst", test::compressed(text, "zstd"))), until) >
          20);
    CHECK(failEverywhere(opening(folder.file("a.zip", test::zipped({{"a", text}}))), until) > 20);
    CHECK(failEverywhere(opening(folder.file("a.w2v", binary)), until) > 20);
    CHECK(failEverywhere(opening(folder.file("a.bin", test::fasttextModel({}))), until) > 20);
}

TEST_CASE("Memory that ends during a calibration is an error") {
    const Until until = GENERATE(Until::once, Until::always);
    const auto kind = GENERATE(
        from_range(mechanism::Mechanism::all().begin(), mechanism::Mechanism::all().end()));
    const engine::SearchSpace space(test::toyEmbedding(test::poincareVectors(60, 4, 0.9, 3)));
    const calibration::CalibrationOptions options = smallRun(kind);
    const Job job = [&] { return errorOf(calibration::calibrate(space, options)); };
    CHECK(failEverywhere(job, until) > 20);
}

TEST_CASE("Memory that ends while a data set or pairs are read is an error") {
    const Until until = GENERATE(Until::once, Until::always);
    const test::TemporaryFolder folder;
    const auto handle = test::toyEmbedding(test::anisotropicVectors(50, 3, 1));
    const text::Lookup lookup(handle->vocabulary(), text::CasePolicy::lower);
    const std::string data = folder.file("data.csv", "id,text\n1,\"w1 w2, w3\"\n2,w4 and w5\n");
    const Job reading = [&] { return errorOf(text::readDataSet({data, "text"}, lookup, 2)); };
    CHECK(failEverywhere(reading, until) > 10);
    const std::string pairs = folder.file("pairs.tsv", "a\tb\nb\tc\nd\tc\n");
    const Job isA = [&] { return errorOf(training::readIsAPairs({pairs})); };
    CHECK(failEverywhere(isA, until) > 10);
}

// Text that is released without a word having been protected would be the worst of all ends.
TEST_CASE("Memory that ends while a text is released leaves no text") {
    const Until until = GENERATE(Until::once, Until::always);
    const auto kind = GENERATE(
        from_range(mechanism::Mechanism::all().begin(), mechanism::Mechanism::all().end()));
    const test::TemporaryFolder folder;
    const auto space = std::make_shared<const engine::SearchSpace>(
        test::toyEmbedding(test::poincareVectors(60, 4, 0.9, 3)));
    const std::string from = folder.file("in.txt", test::repeated("w1 w2, unknown w3-w4\n", 20));
    const std::string to = folder.path("out.txt");
    const Job releaseOnce = releasing(space, kind, from, to);
    bool failed = false;
    int appeared = 0;
    const Job job = [&] {
        // Only what takes no memory: the next allocation may be the one that fails.
        appeared += failed && access(to.c_str(), F_OK) == 0 ? 1 : 0;
        unlink(to.c_str());
        failed = true;
        auto error = releaseOnce();
        failed = error.has_value();
        return error;
    };
    CHECK(failEverywhere(job, until) > 20);
    CHECK(appeared == 0);
    CHECK(folder.names() == std::vector<std::string>{"in.txt", "out.txt"});
}
