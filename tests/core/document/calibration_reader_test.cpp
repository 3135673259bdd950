#include "core/document/calibration_reader.h"

#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/document/calibration_json.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/example_report.h"
#include "tests/support/sanitized.h"

// A document that was read is written again byte for byte: all that it holds came through. Broken
// documents are made from a sound one.

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;

namespace {

std::string written(const document::CalibrationRecord& record) {
    return document::calibrationJson(record.run, *record.summary);
}

std::string complaintAbout(const ordered_json& document) {
    const auto record = document::readCalibration(document.dump());
    if (record) {
        return {};
    }
    CHECK(record.error().code == ErrorCode::badFile);
    return record.error().message;
}

}  // namespace

TEST_CASE("A calibration document reads back as the calibration it was written from") {
    for (const auto& summary :
         {test::exampleMahalanobis(), test::exampleLaplace(), test::exampleTem()}) {
        calibration::CalibrationSummary extended = summary;
        extended.cells[0].kw = summary.cells[0].nw;
        extended.cells[0].deniability = calibration::Deniability{2.0, summary.cells[0].sw, 3, 0.5};
        document::CalibrationRecord record = test::exampleRecord(extended);
        record.run.embedding.limitedTo = 77;
        record.run.embedding.vocabulary = embedding::LoadReport::Selection{90, 7};
        record.run.selection = calibration::SelectionDescription{
            "500", "tweets.csv", "text", 12, io::RecordFormat::tsv, text::CasePolicy::lower};
        const std::string text = written(record);
        const auto read = document::readCalibration(text);
        REQUIRE(read);
        CHECK(written(*read) == text);
        CHECK(read->summary->grid == summary.grid);
        CHECK(read->summary->seed == summary.seed);
    }
}

TEST_CASE("A calibration document of before, without a request, is read too") {
    document::CalibrationRecord record = test::exampleRecord(test::exampleMahalanobis());
    record.run.details.reset();
    const auto read = document::readCalibration(written(record));
    REQUIRE(read);
    CHECK_FALSE(read->run.details);
}

TEST_CASE("A calibration document that is cut short anywhere is refused") {
    const std::string text = written(test::exampleRecord(test::exampleLaplace()));
    const std::size_t end = text.find_last_of('}');
    for (std::size_t length = 0; length <= end; length += 7) {
        const auto record = document::readCalibration(text.substr(0, length));
        REQUIRE_FALSE(record);
        REQUIRE(record.error().code == ErrorCode::badFile);
        REQUIRE_FALSE(record.error().message.empty());
    }
}

TEST_CASE("A value of another kind is refused by its place, whichever it is") {
    const ordered_json sound =
        ordered_json::parse(written(test::exampleRecord(test::exampleMahalanobis())));
    const ordered_json flat = sound.flatten();
    // Every value is looked at but under the sanitizers, which look at what the code does.
    constexpr int kEvery = test::kSanitized ? 4 : 1;
    int values = 0;
    for (const auto& [pointer, value] : flat.items()) {
        if (values++ % kEvery != 0) {
            continue;
        }
        CAPTURE(pointer);
        ordered_json broken = sound;
        ordered_json& target = broken[ordered_json::json_pointer(pointer)];
        target = value.is_object() ? ordered_json(1) : ordered_json::object();
        const std::string message = complaintAbout(broken);
        const std::string key = pointer.substr(pointer.find_last_of('/') + 1);
        REQUIRE_FALSE(message.empty());
        CHECK(message.front() == '"');
        if (key.find_first_not_of("0123456789") != std::string::npos) {
            CHECK_THAT(message, Contains(key));
        }
    }
    CHECK(values > 300);
}

TEST_CASE("Values outside their range and missing members are refused") {
    const ordered_json sound =
        ordered_json::parse(written(test::exampleRecord(test::exampleMahalanobis())));
    const auto with = [&](const char* pointer, const ordered_json& value) {
        ordered_json broken = sound;
        broken[ordered_json::json_pointer(pointer)] = value;
        return complaintAbout(broken);
    };
    CHECK(with("/cells/1/kept", 1.5) == "\"cells[1].kept\": it is not a number from 0 to 1");
    CHECK(with("/cells/0/epsilon", 0) ==
          "\"cells[0].epsilon\": it is not a finite number of at least 5e-324");
    CHECK(with("/cells/0/lambda", -0.5) == "\"cells[0].lambda\": it is not a number from 0 to 1");
    CHECK(with("/cells/0/nw/p50", -1) ==
          "\"cells[0].nw.p50\": it is not a finite number of at least 0");
    CHECK(with("/run/draws", 0) == "\"run.draws\": it is not a whole number from 1 to 1000000");
    CHECK(with("/run/seed", 1.5) == "\"run.seed\": it is not a whole number of at least 0");
    CHECK_THAT(with("/embedding/sha256", std::string(64, 'G')), Contains("hexadecimal"));
    CHECK_THAT(with("/mechanism/name", "magic"), Contains("\"magic\" is unknown"));
    CHECK_THAT(with("/mechanism/metric", "euclid"), Contains("\"euclid\" is unknown"));
    CHECK_THAT(with("/repeat/words/kind", "some"), Contains("all, random and list"));
    CHECK_THAT(with("/guarantee", ordered_json::array()), Contains("as many"));
    for (const char* key : {"embedding", "mechanism", "run", "cells", "guarantee", "version"}) {
        ordered_json broken = sound;
        broken.erase(key);
        CHECK_THAT(complaintAbout(broken), Contains(std::string("it has no \"") + key + "\""));
    }
}

TEST_CASE("Another schema is refused, a newer one by its name") {
    ordered_json document = ordered_json::parse(written(test::exampleRecord(test::exampleTem())));
    document["schema"] = "epsilens.calibration/2";
    CHECK_THAT(complaintAbout(document),
               Contains("epsilens.calibration/2") && Contains("newer version"));
    document["schema"] = "epsilens.info/1";
    CHECK_THAT(complaintAbout(document), Contains("epsilens.info/1"));
    document["extra"] = 1;
    document["schema"] = "epsilens.calibration/1";
    CHECK(complaintAbout(document).empty());
}
