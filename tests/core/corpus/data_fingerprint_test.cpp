#include "core/corpus/data_fingerprint.h"

#include <string>

#include <catch2/catch.hpp>

#include "tests/support/temporary_folder.h"

using namespace epsilens;
using corpus::fingerprintOf;

TEST_CASE("The fingerprint of a file is its SHA-256") {
    const test::TemporaryFolder folder;
    const auto found = fingerprintOf({folder.file("abc.txt", "abc")}).value();
    CHECK(found.bytes == 3);
    // FIPS 180-2, appendix B.1
    CHECK(found.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("The fingerprint of a folder knows every byte and name, but not where it lies") {
    const auto fingerprintIn = [](const char* name, const char* content) {
        const test::TemporaryFolder folder;
        folder.file("data/ham/1.txt", "one");
        folder.file(std::string("data/spam/") + name, content);
        return fingerprintOf({folder.path("data")}).value();
    };
    const auto found = fingerprintIn("2.txt", "two");
    CHECK(found.bytes == 6);
    // By hashlib of Python: of the lines "SHA-256 ham/1.txt" and "SHA-256 spam/2.txt".
    CHECK(found.sha256 == "2aed7d9f36ea193127b38c8b569a3f84c51399fd5cf7c4de6d5a7e15477c6cdf");
    CHECK(found == fingerprintIn("2.txt", "two"));
    CHECK(found.sha256 != fingerprintIn("2.txt", "twp").sha256);
    CHECK(found.sha256 != fingerprintIn("3.txt", "two").sha256);
}

TEST_CASE("What is no data set has no fingerprint") {
    const test::TemporaryFolder folder;
    const auto found = fingerprintOf({folder.path("missing.csv")});
    REQUIRE_FALSE(found);
    CHECK(found.error().code == ErrorCode::badFile);
}
