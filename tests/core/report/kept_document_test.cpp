#include "core/report/kept_document.h"

#include <optional>
#include <string>

#include <catch2/catch.hpp>

#include "core/document/calibration_document.h"
#include "core/document/session_file.h"
#include "core/report/report_json.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/example_report.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using Catch::Matchers::Contains;

TEST_CASE("A report is made from a calibration, a report or a session") {
    const test::TemporaryFolder folder;
    const report::Report report = test::exampleReport();
    const std::string calibration =
        document::calibrationJson(report.record.run, *report.record.summary);
    document::Session session;
    session.report = report.settings;
    session.embedding.emplace().sha256 = report.record.run.embedding.sha256;
    session.results = report.record;
    const std::string sessionPath = folder.path("work.epsilens");
    REQUIRE(document::saveSession(sessionPath, session));

    const auto fromCalibration = report::openDocument(folder.file("c.json", calibration));
    REQUIRE(fromCalibration);
    CHECK(fromCalibration->report.settings.purpose.empty());
    CHECK_FALSE(fromCalibration->isReport);
    const auto fromReport =
        report::openDocument(folder.file("r.json", *report::reportJson(report)));
    REQUIRE(fromReport);
    const auto fromSession = report::openDocument(sessionPath);
    REQUIRE(fromSession);
    for (const auto* read : {&*fromReport, &*fromSession}) {
        CHECK(*report::reportJson(read->report) == *report::reportJson(report));
    }
}

TEST_CASE("What is verified of a session is its results as they are written") {
    const test::TemporaryFolder folder;
    const report::Report report = test::exampleReport();
    document::Session session;
    session.results = report.record;
    document::SessionEmbedding embedding;
    embedding.load.path = folder.path("vectors.txt");
    embedding.sha256 = report.record.run.embedding.sha256;
    session.embedding = embedding;
    for (const std::size_t mostInline : {std::size_t{1} << 20, std::size_t{10}}) {
        const std::string path = folder.path("work.epsilens");
        REQUIRE(document::saveSession(path, session, mostInline));
        const auto document = report::openDocument(path);
        REQUIRE(document);
        CHECK(document->report.record.summary->perWord.nw == report.record.summary->perWord.nw);
        std::optional<Error> problem;
        const document::JsonNode whole(document->json, problem);
        CHECK((document->results.empty() ? whole : whole.at(document->results)).has("wordResults"));
        CHECK_FALSE(problem);
        CHECK(document->embeddingPlaces.front() == folder.path("vectors.txt"));
    }
    session.results.reset();
    const std::string empty = folder.path("empty.epsilens");
    REQUIRE(document::saveSession(empty, session));
    CHECK_THAT(report::openDocument(empty).error().message, Contains("no results"));
}

TEST_CASE("A file that is none of them is refused by name") {
    const test::TemporaryFolder folder;
    for (const char* text :
         {"", "{", "{}", "[]", R"({"schema": "epsilens.info/1"})", R"({"schema": 1})"}) {
        CAPTURE(text);
        const std::string path = folder.file("x.json", text);
        const auto document = report::openDocument(path);
        REQUIRE_FALSE(document);
        CHECK(document.error().code == ErrorCode::badFile);
        CHECK(document.error().file == path);
    }
    CHECK(report::openDocument(folder.path("missing.json")).error().code == ErrorCode::badFile);
}
