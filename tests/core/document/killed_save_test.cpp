#include <string>

#include <catch2/catch.hpp>

#include "core/document/session_file.h"
#include "tests/core/document/example_session.h"
#include "tests/support/killed_writer.h"

using namespace epsilens;

TEST_CASE("Saving killed at any moment leaves a session with its own results") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("work.epsilens");
    const auto saved = [&](const document::Session& session) {
        REQUIRE(document::saveSession(path, session));
        return document::sessionJson(document::openSession(path).value());
    };
    const std::string other = saved(test::otherSession());
    const std::string one = saved(test::exampleSession());
    test::killAtAnyMoment(
        11,
        [&](const test::SharedFlag& isWriting) {
            const document::Session sessions[] = {test::exampleSession(), test::otherSession()};
            bool isSaved = true;
            for (std::size_t i = 0; isSaved; ++i) {
                isWriting.set(true);
                isSaved = document::saveSession(path, sessions[i % 2]).has_value();
                isWriting.set(false);
            }
        },
        [&] {
            const auto session = document::openSession(path);
            REQUIRE(session);
            const std::string found = document::sessionJson(*session);
            REQUIRE((found == one || found == other));
            return found == one;
        });
    CHECK(saved(test::exampleSession()) == one);
}
