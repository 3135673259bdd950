#include "core/document/kept_document.h"

#include <optional>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "core/document/json_parts.h"
#include "core/document/report_document.h"
#include "core/document/session_file.h"
#include "tests/core/report/example_calibration.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using Catch::Matchers::Contains;

namespace {

std::string keptText(const document::Report& report) {
    return document::reportJson(report).value();
}

}  // namespace

TEST_CASE("A report is made from a calibration, a report or a session") {
    const test::TemporaryFolder folder;
    const document::Report report = test::exampleReport();
    const std::string calibration = document::jsonText(document::calibrationDocument(report.run));
    document::Session session;
    session.report = report.settings;
    session.embedding.emplace().sha256 = report.run.provenance.embedding.sha256;
    session.results = report.run;
    const std::string sessionPath = folder.path("work.epsilens");
    REQUIRE(document::saveSession(sessionPath, session));

    const auto fromCalibration = document::openDocument(folder.file("c.json", calibration));
    REQUIRE(fromCalibration);
    CHECK(fromCalibration->report.settings.purpose.empty());
    CHECK_FALSE(fromCalibration->isReport);
    const auto fromReport = document::openDocument(folder.file("r.json", keptText(report)));
    REQUIRE(fromReport);
    const auto fromSession = document::openDocument(sessionPath);
    REQUIRE(fromSession);
    for (const auto* read : {&*fromReport, &*fromSession}) {
        CHECK(keptText(read->report) == keptText(report));
    }
}

TEST_CASE("What is verified of a session is its results as they are written") {
    const test::TemporaryFolder folder;
    const document::Report report = test::exampleReport();
    document::Session session;
    session.results = report.run;
    document::SessionEmbedding embedding;
    embedding.load.path = folder.path("vectors.txt");
    embedding.sha256 = report.run.provenance.embedding.sha256;
    session.embedding = embedding;
    const std::string path = folder.path("work.epsilens");
    REQUIRE(document::saveSession(path, session));
    const auto document = document::openDocument(path);
    REQUIRE(document);
    std::optional<Error> problem;
    const document::JsonNode whole(document->json, problem);
    CHECK(whole.at(document->results).at("schema").text(100) == document::kCalibrationSchema);
    CHECK_FALSE(problem);
    CHECK(document::jsonText(document::calibrationDocument(document->report.run)) ==
          document::jsonText(document::calibrationDocument(report.run)));
    CHECK(document->embeddingPlaces.front() == folder.path("vectors.txt"));
    session.results.reset();
    const std::string empty = folder.path("empty.epsilens");
    REQUIRE(document::saveSession(empty, session));
    CHECK_THAT(document::openDocument(empty).error().message, Contains("no results"));
}

TEST_CASE("A file that is none of them is refused by name") {
    const test::TemporaryFolder folder;
    for (const char* text :
         {"", "{", "{}", "[]", R"({"schema": "epsilens.info/1"})", R"({"schema": 1})"}) {
        CAPTURE(text);
        const std::string path = folder.file("x.json", text);
        const auto document = document::openDocument(path);
        REQUIRE_FALSE(document);
        CHECK(document.error().code == ErrorCode::badFile);
        CHECK(document.error().file == path);
    }
    CHECK(document::openDocument(folder.path("missing.json")).error().code == ErrorCode::badFile);
}
