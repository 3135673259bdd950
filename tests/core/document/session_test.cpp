#include "core/document/session.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "core/document/json_parts.h"
#include "core/document/kept_document.h"
#include "core/document/report_document.h"
#include "tests/core/report/example_calibration.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

/// exampleSession with another epsilon and other results, both of as many bytes.
document::Session otherSession() {
    document::Session session = test::exampleSession();
    calibration::CalibrationSummary summary = *session.results->summary;
    session.current.epsilon = 3.5;
    std::swap(summary.cells[0].nw, summary.cells[1].nw);
    session.results->summary =
        std::make_shared<const calibration::CalibrationSummary>(std::move(summary));
    return session;
}

std::string sessionComplaint(const ordered_json& document) {
    const auto session = document::readSession(document.dump());
    return session ? std::string() : session.error().message;
}

unsigned modeOf(const std::string& path) {
    struct stat status {};
    REQUIRE(stat(path.c_str(), &status) == 0);
    return status.st_mode & 0777U;
}

}  // namespace

TEST_CASE("A session reads back as it was written, keys in the same order") {
    document::Session session = test::exampleSession();
    const std::string text = document::sessionJson(session);
    const auto read = document::readSession(text);
    REQUIRE(read);
    CHECK(document::sessionJson(*read) == text);
    CHECK(read->pins == session.pins);
    CHECK(read->current == session.current);
    CHECK(read->report.limits == session.report.limits);
    CHECK(read->report.figureLimits == session.report.figureLimits);
    CHECK(read->report.epsilonOrigin == session.report.epsilonOrigin);
    REQUIRE(read->wordsFrom);
    CHECK(read->wordsFrom->dataFile == "letters.csv");
    CHECK(read->wordsFrom->dataRecords == 7);
    session.embedding.reset();
    session.wordsFrom.reset();
    session.results.reset();
    session.pins.clear();
    const std::string bare = document::sessionJson(session);
    REQUIRE(document::readSession(bare));
    CHECK(document::sessionJson(*document::readSession(bare)) == bare);
    ordered_json::array_t keys;
    const ordered_json written = ordered_json::parse(text);
    for (const auto& [key, value] : written.items()) {
        keys.push_back(key);
    }
    CHECK(ordered_json(keys).dump() ==
          R"(["schema","version","embedding","settings","limits","figureLimits","pins","report",)"
          R"("keepsSentences","results","evaluation","evaluationAgain"])");
}

TEST_CASE("A session keeps what a search found on texts") {
    document::Session session = test::exampleSession();
    document::KeptSearch& search = session.search.emplace();
    search.data.options.path = "/home/analyst/sms.tsv";
    search.data.fingerprint = {1'234, std::string(64, 'a')};
    search.options.grid = mechanism::Grid::of(mechanism::Mahalanobis{0.5});
    search.options.grid.epsilons = {1.0, 50.0};
    search.limits = {calibration::parseLimit("nw.p95<=50%").value()};
    search.draws = 100;
    search.figureLimits = {evaluation::parseFigureLimit("attack.gain<=5%").value(),
                           evaluation::parseFigureLimit("classify.linear.retained>=80%").value()};
    const auto checks = [&search](double gain, double retained) {
        return std::vector{
            evaluation::checkFigure(search.figureLimits[0], {gain, std::array{-0.02, gain}}),
            evaluation::checkFigure(search.figureLimits[1], {retained, {}})};
    };
    evaluation::LimitsFound& found = search.found;
    found.epsilon = 7.25;
    found.checks = checks(0.04, 0.9);
    found.fresh = checks(0.06, std::nan(""));
    found.above = 7.5;
    found.binding = checks(0.051, 0.9).front();
    found.tried = {{1.0, {checks(0.01, 0.0).front()}}, {7.25, found.checks}, {7.5, {}}};
    const std::string text = document::sessionJson(session);
    const auto read = document::readSession(text);
    INFO((read ? std::string() : read.error().message));
    REQUIRE(read);
    CHECK(document::sessionJson(*read) == text);
    const document::KeptSearch& again = read->search.value();
    CHECK(again.hasSameQuestion(search));
    CHECK(document::isSameData(again.data, search.data));
    CHECK(again.setting() == mechanism::Setting{mechanism::Mahalanobis{0.5}, 7.25});
    CHECK(again.found.tried.size() == 3);
    CHECK(again.found.fresh[0].margin == found.fresh[0].margin);
    CHECK(std::isnan(again.found.fresh[1].margin));
    const auto isOther = [&](const auto& change) {
        document::KeptSearch other = search;
        change(other);
        return !search.hasSameQuestion(other);
    };
    CHECK(isOther([](auto& other) { other.limits.clear(); }));
    CHECK(isOther([](auto& other) { other.figureLimits.pop_back(); }));
    CHECK(isOther([](auto& other) { ++other.options.seed; }));
    CHECK(isOther([](auto& other) {
        other.options.grid = mechanism::Grid::of(mechanism::Mahalanobis{0.25});
    }));
    // What the search was of is one setting.
    ordered_json changed = ordered_json::parse(text);
    changed["search"]["options"]["lambdas"] = {0.25, 0.5};
    CHECK_THAT(sessionComplaint(changed), Contains("one setting of a mechanism"));
}

TEST_CASE("The percentile band of a session is one of those that there are") {
    ordered_json session = ordered_json::parse(document::sessionJson(test::exampleSession()));
    for (const char* band : {"[1, 99]", "[5, 95]", "[25, 75]"}) {
        session["settings"]["percentileBand"] = ordered_json::parse(band);
        CHECK(sessionComplaint(session).empty());
    }
    for (const char* band : {"[10, 90]", "[95, 5]"}) {
        CAPTURE(band);
        session["settings"]["percentileBand"] = ordered_json::parse(band);
        CHECK(sessionComplaint(session) ==
              "\"settings.percentileBand\": it is not one of the bands [1, 99], [5, 95] and [25, "
              "75]");
    }
}

TEST_CASE("Typed sentences stay out of a session unless that was asked for") {
    document::Session session = test::exampleSession();
    session.report.sentences = {"my secret sentence"};
    CHECK(document::sessionJson(session).find("secret") == std::string::npos);
    session.keepsSentences = true;
    const auto read = document::readSession(document::sessionJson(session));
    REQUIRE(read);
    CHECK(read->report.sentences == session.report.sentences);
}

TEST_CASE("A damaged session is refused") {
    const ordered_json sound = ordered_json::parse(document::sessionJson(test::exampleSession()));
    const ordered_json flat = sound.flatten();
    for (const auto& [pointer, value] : flat.items()) {
        CAPTURE(pointer);
        ordered_json broken = sound;
        broken[ordered_json::json_pointer(pointer)] =
            value.is_object() ? ordered_json(1) : ordered_json::object();
        REQUIRE_FALSE(sessionComplaint(broken).empty());
    }
}

TEST_CASE("A saved session belongs to its owner alone and replaces the one before") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("work.epsilens", "the one before");
    fs::permissions(path, fs::perms::all);
    REQUIRE(document::saveSession(path, test::exampleSession()));
    CHECK(modeOf(path) == 0600);
    CHECK(folder.names() == std::vector<std::string>{"work.epsilens"});
    const auto opened = document::openSession(path);
    REQUIRE(opened);
    CHECK(opened->results);
    const auto nowhere =
        document::saveSession(folder.path("missing/x.epsilens"), test::exampleSession());
    REQUIRE_FALSE(nowhere);
    CHECK(nowhere.error().code == ErrorCode::ioFailed);
}

TEST_CASE("A session with results but without vectors is refused") {
    document::Session session = test::exampleSession();
    session.embedding.reset();
    const auto read = document::readSession(document::sessionJson(session));
    REQUIRE_FALSE(read);
    CHECK(read.error().code == ErrorCode::badFile);
    const test::TemporaryFolder folder;
    const auto saved = document::saveSession(folder.path("work.epsilens"), session);
    REQUIRE_FALSE(saved);
    CHECK(saved.error().code == ErrorCode::invalidArgument);
    CHECK(folder.names().empty());
}

TEST_CASE("A session that is saved through a link takes the place of the file itself") {
    const test::TemporaryFolder folder;
    fs::create_directory(folder.path("real"));
    const std::string real = folder.path("real/work.epsilens");
    const std::string link = folder.path("link.epsilens");
    folder.file("real/vectors.txt", "x");
    document::Session session = test::exampleSession();
    session.embedding->load.path = folder.path("real/vectors.txt");
    REQUIRE(document::saveSession(real, session));
    fs::create_symlink(real, link);
    fs::create_directory_symlink(folder.path("real"), folder.path("folder"));
    session = otherSession();
    session.embedding->load.path = folder.path("folder/vectors.txt");
    for (const std::string& path : {link, folder.path("folder/work.epsilens"), real}) {
        CAPTURE(path);
        REQUIRE(document::saveSession(path, session));
        for (const std::string& opened : {link, folder.path("folder/work.epsilens"), real}) {
            const auto read = document::openSession(opened);
            REQUIRE(read);
            CHECK(read->embedding->relativePath == "vectors.txt");
            CHECK(read->results);
        }
    }
    CHECK(fs::is_symlink(link));
}

TEST_CASE("Results of other vectors than those of the session are refused by name") {
    const test::TemporaryFolder folder;
    document::Session session = test::exampleSession();
    const std::string sha256 = session.embedding->sha256;
    const std::string path = folder.path("work.epsilens");
    REQUIRE(document::saveSession(path, session));
    session.embedding->sha256 = std::string(64, 'b');
    const auto refused = document::saveSession(path, session);
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message, Contains("not belong to the vectors"));
    REQUIRE(document::openSession(path));  // that of before
    // As another program would leave it: the digest of the vectors stands first in the file.
    std::string text = test::contentOf(path);
    text.replace(text.find(sha256), sha256.size(), session.embedding->sha256);
    folder.file("work.epsilens", text);
    const auto opened = document::openSession(path);
    REQUIRE_FALSE(opened);
    CHECK(opened.error().code == ErrorCode::badFile);
    CHECK(opened.error().file == path);
    CHECK_THAT(opened.error().message, Contains("not belong to the vectors"));
    session.results.reset();
    REQUIRE(document::saveSession(path, session));
    CHECK(document::openSession(path));
}

TEST_CASE("A folder that was moved with its embedding still opens") {
    const test::TemporaryFolder folder;
    folder.file("old/data/vectors.txt", "x");
    document::Session session = test::exampleSession();
    session.embedding->load.path = folder.path("old/data/vectors.txt");
    REQUIRE(document::saveSession(folder.path("old/work.epsilens"), session));
    fs::rename(folder.path("old"), folder.path("new"));
    const auto opened = document::openSession(folder.path("new/work.epsilens"));
    REQUIRE(opened);
    const auto places =
        document::embeddingPlaces(*opened->embedding, folder.path("new/work.epsilens"));
    CHECK(*document::firstExisting(places) == folder.path("new/data/vectors.txt"));
    // Beside the session as the last resort.
    fs::rename(folder.path("new/data/vectors.txt"), folder.path("new/vectors.txt"));
    CHECK(*document::firstExisting(places) == folder.path("new/vectors.txt"));
    session.embedding->load.path = "sample";
    CHECK(document::embeddingPlaces(*session.embedding, "x.epsilens") ==
          std::vector<std::string>{"sample"});
}

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
