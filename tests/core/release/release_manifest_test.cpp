#include "core/release/release_manifest.h"

#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/temporary_folder.h"

using namespace epsilens;
using release::ReleaseManifest;

namespace {

const std::vector<std::string> kNames{"out/a.txt", "out/b.txt", "out/c.txt"};

ReleaseManifest opened(const std::string& path) {
    return ReleaseManifest::open(path, kNames).value();
}

}  // namespace

TEST_CASE("several processes take every text once") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("manifest");
    REQUIRE(ReleaseManifest::restart(path));
    auto one = opened(path);
    auto other = opened(path);
    CHECK(one.take().value() == 0U);
    CHECK(other.take().value() == 1U);
    CHECK(other.take().value() == 2U);
    CHECK(one.take().value() == std::nullopt);
    REQUIRE(one.finish(0, true));
    REQUIRE(other.finish(1, false));
    const auto counts = one.counts().value();
    CHECK(counts.done == 1);
    CHECK(counts.failed == 1);
    CHECK(counts.open == 1);
    CHECK(test::contentOf(path) ==
          "begun\tout/a.txt\nbegun\tout/b.txt\nbegun\tout/c.txt\ndone\tout/a.txt\nfailed\tout/"
          "b.txt\n");
}

TEST_CASE("a run goes on where a broken one ended") {
    const test::TemporaryFolder folder;
    // The last line was being written when the machine stopped.
    const std::string path = folder.file(
        "manifest",
        "begun\tout/a.txt\ndone\tout/a.txt\ndone\told.txt\nbegun\tout/b.txt\ndone\tout");
    REQUIRE(ReleaseManifest::restart(path));
    CHECK(test::contentOf(path) == "done\tout/a.txt\ndone\told.txt\n");
    auto manifest = opened(path);
    CHECK(manifest.take().value() == 1U);
    CHECK(manifest.take().value() == 2U);
    CHECK(manifest.take().value() == std::nullopt);
}

TEST_CASE("another file is not taken for a manifest") {
    const test::TemporaryFolder folder;
    const std::string content = GENERATE("some text\n", "done out/a.txt\n", "open\tout/a.txt\n");
    const std::string path = folder.file("manifest", content);
    const auto restarted = ReleaseManifest::restart(path);
    REQUIRE_FALSE(restarted);
    CHECK(restarted.error().code == ErrorCode::badFile);
    CHECK(restarted.error().file == path);
    CHECK(test::contentOf(path) == content);
}

TEST_CASE("a manifest that cannot be written says so") {
    const auto restarted = ReleaseManifest::restart("/no/such/folder/manifest");
    REQUIRE_FALSE(restarted);
    CHECK(restarted.error().code == ErrorCode::ioFailed);
    CHECK_FALSE(ReleaseManifest::open("/no/such/folder/manifest", kNames));
}
