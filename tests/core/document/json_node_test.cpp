#include "core/document/json_node.h"

#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;

namespace {

/// What reading `text` complains about; empty when nothing.
template <typename Read>
std::string complaint(const char* text, Read&& read) {
    const ordered_json document = ordered_json::parse(text);
    std::optional<Error> problem;
    read(document::JsonNode(document, {}, problem));
    return problem ? problem->message : std::string();
}

}  // namespace

TEST_CASE("What is no sound JSON document is refused in one sentence") {
    for (const char* text : {"", "{", "[1, 2", "{\"a\": 1e999}", "{} {}", "nul", "\"\xFF\""}) {
        CAPTURE(text);
        const auto document = document::parseDocument(text);
        REQUIRE_FALSE(document);
        CHECK(document.error().code == ErrorCode::badFile);
        CHECK_THAT(document.error().message, Contains("damaged or cut short"));
    }
    CHECK_THAT(document::parseDocument(R"({"a": 1, "b": {"c": 1, "c": 2}})").error().message,
               Contains("\"c\" stands twice"));
    CHECK(document::parseDocument(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]})"));
    const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
    CHECK_THAT(document::parseDocument(deep).error().message, Contains("64 levels"));
    std::string wide = "{\"a\": [{";
    for (int key = 0; key < 1'001; ++key) {
        wide += (key == 0 ? "\"" : ", \"") + std::to_string(key) + "\": 0";
    }
    CHECK_THAT(document::parseDocument(wide + "}]}").error().message, Contains("1000 members"));
    CHECK(document::parseDocument(std::string(60, '[') + std::string(60, ']')));
}

TEST_CASE("The first value that is wrong is named with its place and what is allowed") {
    const char* text = R"({"a": {"b": [1, "x", 3.5, -1, null]}, "t": "name"})";
    CHECK(complaint(text, [](const document::JsonNode& node) {
              const auto items = node.at("a").at("b").items(5);
              CHECK(items[0].integer(1, 1) == 1);
              CHECK(items[2].number(3.5, 4) == 3.5);
              CHECK(items[4].numberOrNull(0, 1) == std::nullopt);
              CHECK_FALSE(node.find("missing"));
              CHECK(node.at("t").text(4) == "name");
          }).empty());
    CHECK(complaint(text, [](const document::JsonNode& node) {
              CHECK(node.at("a").at("b").items(5)[1].number(0, 1) == 0);
              CHECK(node.at("t").boolean() ==
                    false);  // a second failure does not replace the first
          }) == "\"a.b[1]\": it is not a number from 0 to 1");
    CHECK(complaint(text, [](const document::JsonNode& node) {
              CHECK(node.at("a").at("b").items(5)[3].integer(0, 9) == 0);
          }) == "\"a.b[3]\": it is not a whole number from 0 to 9");
    CHECK(complaint(text, [](const document::JsonNode& node) {
              CHECK(node.at("a").at("b").items(5)[2].integer(0, 9) == 0);
          }) == "\"a.b[2]\": it is not a whole number from 0 to 9");
    CHECK(complaint(text, [](const document::JsonNode& node) {
              CHECK(node.at("a").at("b").items(4).empty());
          }) == "\"a.b\": it is not an array of at most 4 elements");
    CHECK(complaint(text, [](const document::JsonNode& node) {
              CHECK(node.at("t").text(3).empty());
          }) == "\"t\": it is not a text of at most 3 bytes");
    CHECK(complaint(text, [](const document::JsonNode& node) {
              CHECK(node.at("a").at("c").isNull());
          }) == "\"a\": it has no \"c\"");
    CHECK(complaint("[1]", [](const document::JsonNode& node) { CHECK(node.at("a").isNull()); }) ==
          "it is not an object");
    CHECK(complaint("18446744073709551615", [](const document::JsonNode& node) {
              CHECK(node.integer(0, 10) == 0);
          }) == "it is not a whole number from 0 to 10");
}
