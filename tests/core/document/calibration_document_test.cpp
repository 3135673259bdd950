#include "core/document/calibration_document.h"
#include "core/document/json_parts.h"

#include <limits>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/core/report/example_calibration.h"
#include "tests/support/sanitized.h"

// Names, their order, values and nulls: tests/core/report/approved/calibration*.json. Broken
// documents are made from a sound one.

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;

namespace {

std::string written(const calibration::Run& run) {
    return document::jsonText(document::calibrationDocument(run));
}

ordered_json parsed(const calibration::CalibrationSummary& summary) {
    return ordered_json::parse(
        document::jsonText(document::calibrationDocument(test::exampleRun(summary))));
}

std::string complaintAbout(const ordered_json& document) {
    const auto record = document::readCalibration(document.dump());
    if (record) {
        return {};
    }
    CHECK(record.error().code == ErrorCode::badFile);
    return record.error().message;
}

/// An example with all that a calibration may have.
calibration::Run fullRecord(calibration::CalibrationSummary summary) {
    calibration::Cell& cell = summary.cells[0];
    cell.kw = cell.nw;
    cell.deniability = calibration::Deniability{2.5, cell.hartleyEntropy, 17, 0.875};
    cell.worst = calibration::WorstWords{10'000, {{3, "b", 4.0, 2'500}}};
    calibration::Run record = test::exampleRun(std::move(summary));
    record.provenance.embedding.limitedTo = 77;
    record.provenance.embedding.vocabulary = embedding::LoadReport::Selection{90, 7};
    record.provenance.embedding.sharedVectors =
        calibration::EmbeddingDescription::SharedVectors{12, 5};
    record.provenance.selection = calibration::SelectionDescription{
        "500", "tweets.csv", "text", 12, io::RecordFormat::tsv, text::CasePolicy::lower};
    return record;
}

}  // namespace

TEST_CASE("A calibration document reads back as the calibration it was written from") {
    for (const auto& summary :
         {test::exampleMahalanobis(), test::exampleLaplace(), test::exampleTemByBeta()}) {
        const calibration::Run record = fullRecord(summary);
        const std::string text = written(record);
        const auto read = document::readCalibration(text);
        INFO((read ? "" : read.error().message));
        REQUIRE(read);
        CHECK(written(*read) == text);
        CHECK(read->summary->grid == summary.grid);
        CHECK(read->summary->seed == summary.seed);
        CHECK(read->summary->cells[0].worst->words[0].kept == 2'500);
    }
}

TEST_CASE("Numbers are written shortest and never as NaN or infinity") {
    calibration::Run record = test::exampleRun(test::exampleLaplace());
    calibration::CalibrationSummary summary = *record.summary;
    summary.cells[0].kept = 0.1;  // 0.1000000000000000055… as a double
    summary.cells[0].near = 1.0 / 3.0;
    summary.cells[0].meanDistance = std::numeric_limits<double>::quiet_NaN();
    summary.cells[0].nw.max = std::numeric_limits<double>::infinity();
    record.summary = std::make_shared<const calibration::CalibrationSummary>(summary);
    const std::string text = written(record);
    CHECK(text.find("\"kept\": 0.1,") != std::string::npos);
    CHECK(text.find("nan") == std::string::npos);
    CHECK(text.find("inf") == std::string::npos);
    CHECK(text.back() == '\n');
    const auto read = document::readCalibration(text);
    REQUIRE(read);
    CHECK(read->summary->cells[0].near == 1.0 / 3.0);
    CHECK(std::isnan(read->summary->cells[0].meanDistance));
    CHECK(std::isnan(read->summary->cells[0].nw.max));
}

TEST_CASE("A file whose name is not UTF-8 is found again") {
    calibration::Run run = test::exampleRun(test::exampleLaplace());
    run.provenance.embedding.file = "caf\xE9.txt";
    run.request.load.path = "/100%/caf\xE9.txt";
    const ordered_json json = ordered_json::parse(written(run));
    CHECK(json["embedding"]["file"] == "caf\xEF\xBF\xBD.txt");
    // RFC 3986, 2.1: a percent sign and two hexadecimal digits for a byte, and for the sign itself.
    CHECK(json["repeat"]["path"] == "file:/100%25/caf%E9.txt");
    for (const char* path : {"/100%/caf\xE9.txt", "\xFF%E9\xFF", "file:a", "/a b%20/ü.txt"}) {
        run.request.load.path = path;
        CHECK(document::readCalibration(written(run))->request.load.path == path);
    }
    // Damage is no reason to read beyond the text.
    CHECK(document::pathOf("file:%") == "%");
    CHECK(document::pathOf("file:%4") == "%4");
    CHECK(document::pathOf("file:%G1%41") == "%G1A");
}

TEST_CASE("A guarantee that is worded otherwise than the mechanism's is refused") {
    for (const auto& summary :
         {test::exampleMahalanobis(), test::exampleLaplace(), test::exampleTemByBeta()}) {
        const ordered_json sound = ordered_json::parse(written(test::exampleRun(summary)));
        for (const char* said : {"statement", "scope"}) {
            ordered_json document = sound;
            document["guarantee"][0][said] = "nothing is ever lost";
            CHECK_THAT(complaintAbout(document),
                       Contains("is \"nothing is ever lost\", and the rest of the file makes it"));
            document["guarantee"][0].erase(said);
            CHECK_THAT(complaintAbout(document), Contains(said));
        }
    }
}

// bound = epsilon and cap = epsilon gamma are the theorems beside core/mechanism; the radius by
// beta is written out in the example.
TEST_CASE("A guarantee that does not follow from mechanism and setting is refused") {
    const ordered_json noise =
        ordered_json::parse(written(test::exampleRun(test::exampleMahalanobis())));
    const ordered_json tem =
        ordered_json::parse(written(test::exampleRun(test::exampleTemByBeta())));
    for (const auto& [document, pointer] :
         {std::pair(noise, "/guarantee/1/bound"), std::pair(noise, "/guarantee/1/epsilon"),
          std::pair(noise, "/guarantee/1/lambda"), std::pair(noise, "/guarantee/1/euclidean/0"),
          std::pair(noise, "/guarantee/1/euclidean/1"), std::pair(tem, "/guarantee/3/cap"),
          std::pair(tem, "/guarantee/3/gamma"), std::pair(tem, "/guarantee/3/bound"),
          std::pair(tem, "/cells/3/gamma"), std::pair(tem, "/cells/3/beta")}) {
        CAPTURE(pointer);
        for (const double change : {0.5, 1 + 1e-11, 1 - 1e-11}) {
            ordered_json changed = document;
            ordered_json& value = changed[ordered_json::json_pointer(pointer)];
            value = value.get<double>() * change;
            const std::string complaint = complaintAbout(changed);
            CHECK_THAT(complaint, Contains("the file was changed or is damaged"));
        }
        // What mathematics libraries may differ by.
        ordered_json near = document;
        ordered_json& value = near[ordered_json::json_pointer(pointer)];
        value = value.get<double>() * (1 + 1e-14);
        CHECK(complaintAbout(near).empty());
    }
    const auto without = [&](const char* pointer) {
        ordered_json changed = tem;
        changed[ordered_json::json_pointer(pointer)] = nullptr;
        return complaintAbout(changed);
    };
    CHECK_THAT(without("/guarantee/0/bound"), Contains("guarantee[0].bound"));
    CHECK_THAT(without("/guarantee/0/cap"), Contains("[0].cap is null"));
    CHECK_THAT(without("/cells/0/gamma"), Contains("it does not fit the mechanism"));
    ordered_json other = noise;
    other["guarantee"][0]["metric"] = "Euclidean";
    CHECK_THAT(complaintAbout(other), Contains("[0].metric is \"Euclidean\""));
    ordered_json withoutRadius = noise;
    withoutRadius["cells"][0]["beta"] = 0.05;
    CHECK_THAT(complaintAbout(withoutRadius), Contains("cells[0].gamma"));
}

// eq7 promises epsilon + m (hyperbolic_noise.md).
TEST_CASE("The guarantee of hyperbolic noise follows from law and dimensions") {
    calibration::CalibrationSummary summary = test::exampleLaplace();
    summary.grid.mechanism = mechanism::Hyperbolic{mechanism::RadialLaw::eq7};
    summary.guarantees[0].metric = metric::Metric::poincare;
    summary.guarantees[0].bound = 300.1;
    summary.guarantees[0].statement = "(ε+m)·d_H";
    const ordered_json eq7 = parsed(summary);
    CHECK(complaintAbout(eq7) == "");
    ordered_json changed = eq7;
    changed["embedding"]["dimensions"] = 200;
    CHECK_THAT(complaintAbout(changed), Contains("makes it 200.1"));
    changed = eq7;
    changed["mechanism"]["noise"] = "riemannian";
    CHECK_THAT(complaintAbout(changed),
               Contains("cells[0].epsilon") && Contains("300 dimensions only for ε > 299"));
    changed["cells"][0]["epsilon"] = 310.0;
    changed["guarantee"][0]["epsilon"] = 310.0;
    changed["guarantee"][0]["bound"] = 610.0;
    CHECK_THAT(complaintAbout(changed), Contains("makes it 310"));
}

TEST_CASE("A value of another kind is refused by its place, whichever it is") {
    const ordered_json sound = ordered_json::parse(written(fullRecord(test::exampleMahalanobis())));
    const ordered_json flat = sound.flatten();
    // Every value is looked at but under the sanitizers, which look at what the code does.
    constexpr int kEvery = test::kSanitized ? 4 : 1;
    int values = 0;
    for (const auto& [pointer, value] : flat.items()) {
        const std::string key = pointer.substr(pointer.find_last_of('/') + 1);
        if (values++ % kEvery != 0) {
            continue;
        }
        CAPTURE(pointer);
        ordered_json broken = sound;
        ordered_json& target = broken[ordered_json::json_pointer(pointer)];
        target = value.is_object() ? ordered_json(1) : ordered_json::object();
        const std::string message = complaintAbout(broken);
        REQUIRE_FALSE(message.empty());
        CHECK(message.front() == '"');
        if (key.find_first_not_of("0123456789") != std::string::npos) {
            CHECK_THAT(message, Contains(key));
        }
    }
    CHECK(values > 300);
}

TEST_CASE("Values outside their range and missing members are refused") {
    const ordered_json sound = ordered_json::parse(written(fullRecord(test::exampleMahalanobis())));
    const auto with = [&](const char* pointer, const ordered_json& value) {
        ordered_json broken = sound;
        broken[ordered_json::json_pointer(pointer)] = value;
        return complaintAbout(broken);
    };
    CHECK(with("/cells/1/kept", 1.5) == "\"cells[1].kept\": it is not a number from 0 to 1");
    CHECK(with("/cells/0/epsilon", 0) ==
          "\"cells[0].epsilon\": it is not a finite number of at least 5e-324");
    CHECK(with("/cells/0/lambda", -0.5) == "\"cells[0].lambda\": it is not a number from 0 to 1");
    CHECK(with("/cells/0/lambda", nullptr) ==
          "\"cells[0].lambda\": it is not a number from 0 to 1");
    CHECK(with("/cells/0/nw/p50", -1) ==
          "\"cells[0].nw.p50\": it is not a finite number of at least 0");
    CHECK(with("/cells/0/nw/ci95", {1, 2, 3}) ==
          "\"cells[0].nw.ci95\": it is not an array of at most 2 elements");
    CHECK(with("/cells/0/nw/ci95", ordered_json::array({1})) ==
          "\"cells[0].nw.ci95\": it does not hold two values");
    CHECK(with("/run/draws", 0) == "\"run.draws\": it is not a whole number from 1 to 1000000");
    CHECK(with("/run/seed", 1.5) == "\"run.seed\": it is not a whole number of at least 0");
    CHECK_THAT(with("/embedding/sha256", std::string(64, 'G')), Contains("hexadecimal"));
    CHECK_THAT(with("/mechanism/name", "magic"), Contains("\"magic\" is unknown"));
    CHECK_THAT(with("/mechanism/name", "hyperbolic"), Contains("\"mechanism.noise\""));
    CHECK_THAT(with("/mechanism/metric", "euclid"), Contains("\"euclid\" is unknown"));
    CHECK(with("/mechanism/metric", "Euclidean") ==
          "\"mechanism.metric\": it does not fit the mechanism");
    CHECK(with("/mechanism/exact", true) == "\"mechanism.exact\": it does not fit the mechanism");
    CHECK_THAT(with("/repeat/words/kind", "some"), Contains("all, random, list"));
    CHECK_THAT(with("/guarantee", ordered_json::array()), Contains("as many"));
    for (const char* key : {"embedding", "mechanism", "run", "cells", "guarantee", "version"}) {
        ordered_json broken = sound;
        broken.erase(key);
        CHECK_THAT(complaintAbout(broken), Contains(std::string("it has no \"") + key + "\""));
    }
}

TEST_CASE("Another schema is refused, a newer one by its name") {
    ordered_json document =
        ordered_json::parse(written(test::exampleRun(test::exampleTemByBeta())));
    document["schema"] = "epsilens.calibration/2";
    CHECK_THAT(complaintAbout(document),
               Contains("epsilens.calibration/2") && Contains("newer version"));
    document["schema"] = "epsilens.info/1";
    CHECK_THAT(complaintAbout(document), Contains("epsilens.info/1"));
    document["extra"] = 1;
    document["schema"] = "epsilens.calibration/1";
    CHECK(complaintAbout(document).empty());
}
