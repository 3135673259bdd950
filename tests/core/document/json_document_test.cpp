#include "core/document/json_document.h"

#include <cstdint>
#include <fstream>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "core/document/calibration_document.h"
#include "core/document/session.h"
#include "tests/support/growth.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using document::JsonNode;
using document::parseJson;

namespace {

constexpr std::size_t kElements = test::kSanitized ? 80'000 : 400'000;

/// What reading `text` complains about; empty when nothing.
template <typename Read>
std::string complaint(const char* text, Read&& read) {
    const auto document = parseJson(text);
    REQUIRE(document);
    std::optional<Error> problem;
    read(JsonNode(*document, problem));
    return problem ? problem->message : std::string();
}

std::vector<JsonNode> itemsOf(const JsonNode& node, std::size_t most) {
    std::vector<JsonNode> items;
    node.eachItem(most, [&](const JsonNode& item) { items.push_back(item); });
    return items;
}

std::string repeated(std::string_view text, std::size_t count) {
    std::string all = "[";
    for (std::size_t i = 0; i < count; ++i) {
        all += i == 0 ? "" : ",";
        all += text;
    }
    return all + "]";
}

/// An array of objects whose keys are all different.
std::string manyObjects(std::size_t count) {
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i) {
        text += (i == 0 ? "{\"k" : ",{\"k") + std::to_string(i) + "\":1}";
    }
    return text + "]";
}

}  // namespace

TEST_CASE("What is no sound JSON document is refused in one sentence") {
    for (const char* text : {"", "{", "[1, 2", "{\"a\": 1e999}", "{} {}", "nul", "\"\xFF\""}) {
        CAPTURE(text);
        const auto document = parseJson(text);
        REQUIRE_FALSE(document);
        CHECK(document.error().code == ErrorCode::badFile);
        CHECK_THAT(document.error().message, Contains("damaged or cut short"));
    }
    for (const char* text : {R"({"a": 1, "b": {"c": 1, "c": 2}})", R"({"c": {"c": 1}, "c": 2})"}) {
        CHECK_THAT(parseJson(text).error().message, Contains("\"c\" stands twice"));
    }
    CHECK(parseJson(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]})"));
    const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
    CHECK_THAT(parseJson(deep).error().message, Contains("64 levels"));
    std::string wide = "{\"a\": [{";
    for (int key = 0; key < 1'001; ++key) {
        wide += (key == 0 ? "\"" : ", \"") + std::to_string(key) + "\": 0";
    }
    CHECK_THAT(parseJson(wide + "}]}").error().message, Contains("1000 members"));
    CHECK(parseJson(std::string(60, '[') + std::string(60, ']')));
}

TEST_CASE("The first value that is wrong is named with its place and what is allowed") {
    const char* text = R"({"x": [[]], "a": {"b": [1, "x", 3.5, -1, null]}, "t": "name"})";
    CHECK(complaint(text, [](const JsonNode& node) {
              const auto items = itemsOf(node.at("a").at("b"), 5);
              CHECK(items[0].integer(1, 1) == 1);
              CHECK(items[0].number(1, 1) == 1);
              CHECK(items[2].number(3.5, 4) == 3.5);
              CHECK(items[4].isNull());
              CHECK_FALSE(node.find("missing"));
              CHECK(node.at("t").text(4) == "name");
              CHECK(node.at("a").place() == "a");
          }).empty());
    CHECK(complaint(text, [](const JsonNode& node) {
              CHECK(itemsOf(node.at("a").at("b"), 5)[1].number(0, 1) == 0);
              // A second failure does not replace the first.
              CHECK(node.at("t").boolean() == false);
          }) == "\"a.b[1]\": it is not a number from 0 to 1");
    CHECK(complaint(text, [](const JsonNode& node) {
              CHECK(itemsOf(node.at("a").at("b"), 5)[2].integer(0, 9) == 0);
          }) == "\"a.b[2]\": it is not a whole number from 0 to 9");
    CHECK(complaint(text, [](const JsonNode& node) {
              CHECK(itemsOf(node.at("a").at("b"), 4).empty());
          }) == "\"a.b\": it is not an array of at most 4 elements");
    CHECK(complaint(text, [](const JsonNode& node) { CHECK(node.at("t").text(3).empty()); }) ==
          "\"t\": it is not a text of at most 3 bytes");
    CHECK(complaint(text, [](const JsonNode& node) { CHECK(node.at("a").at("c").isNull()); }) ==
          "\"a\": it has no \"c\"");
    CHECK(complaint("[1]", [](const JsonNode& node) { CHECK(node.at("a").isNull()); }) ==
          "it is not an object");
    CHECK(complaint("18446744073709551615", [](const JsonNode& node) {
              CHECK(node.integer(0, 10) == 0);
          }) == "it is not a whole number from 0 to 10");
}

TEST_CASE("Made-up files are read or refused in time and memory of their length") {
    using Make = std::function<std::string(std::size_t)>;
    for (const Make& make : {Make([](std::size_t count) { return repeated("[1]", count); }),
                             Make([](std::size_t count) { return repeated("7", count); }),
                             Make([](std::size_t count) { return repeated("\"\"", count); }),
                             Make([](std::size_t count) { return repeated("{\"a\":{}}", count); }),
                             Make(manyObjects)}) {
        const auto read = [&make](std::size_t count) {
            const std::string text = make(count);
            CAPTURE(text.substr(0, 20));
            const test::PeakMemory peak;
            const auto document = parseJson(text);
            REQUIRE(document);
            CHECK_FALSE(document::readSession(*document));
            CHECK_FALSE(document::readDocument(
                *document, [](const JsonNode& node) { return document::readCalibration(node); }));
            if (!test::kSanitized && count == kElements) {
                CHECK(peak.bytes() < 64.0 * static_cast<double>(text.size()));
            }
        };
        CHECK(test::growth(kElements, read) < test::kMostLinearGrowth);
    }
}

TEST_CASE("Reading a document stops when it is asked to") {
    std::stop_source source;
    source.request_stop();
    const auto stopped = parseJson(repeated("1", 5'000), source.get_token());
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().code == ErrorCode::cancelled);
    const test::TemporaryFolder folder;
    const auto file = document::openJson(folder.file("x.json", "[]"), source.get_token());
    REQUIRE_FALSE(file);
    CHECK(file.error().code == ErrorCode::cancelled);
    std::stop_source later;
    const auto document = parseJson("[1, 2]", later.get_token());
    REQUIRE(document);
    later.request_stop();
    std::optional<Error> problem;
    CHECK(itemsOf(JsonNode(*document, problem), 2).empty());
    REQUIRE(problem);
    CHECK(problem->code == ErrorCode::cancelled);
}

TEST_CASE("A file that would take more memory than there is is refused before") {
    const test::TemporaryFolder folder;
    const std::string blanks = folder.file("blanks.json", std::string(19'999'999, ' ') + "1");
    const auto refused =
        document::openJson(blanks, {}, [] { return io::MemoryBudget(79'900'000); });
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::resourceLimit);
    CHECK(refused.error().file == blanks);
    CHECK_THAT(refused.error().message, Contains("need about 80 MB of memory, 79 MB are allowed"));
    CHECK(document::openJson(blanks, {}, [] { return io::MemoryBudget(80'000'000); }));
    // 3 bytes each in the file, which take more than four times that in memory.
    const std::string texts = folder.file("texts.json", repeated("\"\"", 7'000'000));
    CHECK(document::openJson(texts, {}, [] { return io::MemoryBudget(600'000'000); }));
    const test::PeakMemory peak;
    CHECK_FALSE(document::openJson(texts, {}, [] { return io::MemoryBudget(200'000'000); }));
    if (!test::kSanitized) {
        CHECK(peak.bytes() < 220e6);
    }
}

TEST_CASE("The system is asked for its memory once, for a large file alone") {
    const test::TemporaryFolder folder;
    std::uint64_t questions = 0;
    // As a system would tell whose memory the reading takes.
    const auto memory = [&] { return io::MemoryBudget(81'000'000 / ++questions); };
    const std::string large = std::string(20'000'000, ' ') + "1";
    CHECK(document::openJson(folder.file("large.json", large), {}, memory));
    CHECK(questions == 1);
    CHECK(document::openJson(folder.file("small.json", "{}"), {}, memory));
    CHECK(questions == 1);
    const std::string pipe = folder.path("pipe");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    std::thread writer([&] { std::ofstream(pipe) << large; });
    questions = 0;
    const auto piped = document::openJson(pipe, {}, memory);
    writer.join();
    CHECK(piped);
    CHECK(questions == 1);
}

TEST_CASE("An error document has the documented keys on one line") {
    CHECK(document::errorJson({ErrorCode::badFile, "glove.txt: 299 numbers", "glove.txt", 78290},
                              4) ==
          "{\"error\":{\"code\":\"badFile\",\"exit\":4,\"message\":\"glove.txt: 299 numbers\","
          "\"file\":\"glove.txt\",\"line\":78290}}\n");
    for (const auto& [code, name] : {std::pair(ErrorCode::invalidArgument, "invalidArgument"),
                                     std::pair(ErrorCode::ioFailed, "ioFailed"),
                                     std::pair(ErrorCode::unsupported, "unsupported"),
                                     std::pair(ErrorCode::resourceLimit, "resourceLimit"),
                                     std::pair(ErrorCode::cancelled, "cancelled"),
                                     std::pair(ErrorCode::limitsNotMet, "limitsNotMet"),
                                     std::pair(ErrorCode::internal, "internal")}) {
        CHECK(document::errorJson({code, "say \"0.5\"", "", 0}, 2) ==
              std::string("{\"error\":{\"code\":\"") + name +
                  "\",\"exit\":2,\"message\":\"say \\\"0.5\\\"\",\"file\":null,\"line\":null}}\n");
    }
}
