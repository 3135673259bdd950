#include "core/document/error_json.h"

#include <catch2/catch.hpp>

using namespace epsilens;

TEST_CASE("An error document has the documented keys on one line") {
    CHECK(document::errorJson({ErrorCode::badFile, "glove.txt: 299 numbers", "glove.txt", 78290},
                              4) ==
          "{\"error\":{\"code\":\"badFile\",\"exit\":4,\"message\":\"glove.txt: 299 numbers\","
          "\"file\":\"glove.txt\",\"line\":78290}}\n");
    CHECK(document::errorJson({ErrorCode::invalidArgument, "say \"0.5\"", "", 0}, 2) ==
          "{\"error\":{\"code\":\"invalidArgument\",\"exit\":2,\"message\":\"say \\\"0.5\\\"\","
          "\"file\":null,\"line\":null}}\n");
}

TEST_CASE("Every kind of failure has a word of its own") {
    CHECK(document::errorCodeName(ErrorCode::ioFailed) == "ioFailed");
    CHECK(document::errorCodeName(ErrorCode::unsupported) == "unsupported");
    CHECK(document::errorCodeName(ErrorCode::resourceLimit) == "resourceLimit");
    CHECK(document::errorCodeName(ErrorCode::cancelled) == "cancelled");
    CHECK(document::errorCodeName(ErrorCode::limitsNotMet) == "limitsNotMet");
    CHECK(document::errorCodeName(ErrorCode::internal) == "internal");
}
