#include "core/document/evaluation_document.h"

#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/calibration/provenance.h"
#include "core/document/kept_document.h"
#include "core/document/session.h"
#include "core/evaluation/evaluation.h"
#include "tests/core/document/tampering.h"
#include "tests/core/evaluation/two_clusters.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"

// Evaluations of real runs on a toy embedding.

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;

namespace {

/// Texts of the two clusters, "label TAB text".
std::string labelledTexts(int documents) {
    std::string text;
    const corpus::DataSet data = test::clusteredDocuments(documents);
    for (const corpus::Document& document : data.documents) {
        text +=
            data.classes.at(static_cast<std::size_t>(document.label)) + "\t" + document.text + "\n";
    }
    return text;
}

document::EvaluationRecord evaluated(const std::string& path) {
    document::EvaluationRequest request;
    request.load.path = "/nowhere/vectors.txt";
    request.data.options.path = path;
    request.data.fingerprint = corpus::fingerprintOf(request.data.options).value();
    request.options = test::clusteredOptions();
    request.options.tasks = {attack::Task::classify, attack::Task::reconstruct,
                             attack::Task::membership};
    const corpus::DataSet data = corpus::readDataSet(request.data.options).value();
    document::EvaluationRecord record{
        calibration::provenanceOf(test::twoClusters().embedding()),
        evaluation::Evaluation::create(test::twoClusters(), data, request.options)
            .value()
            .run()
            .value(),
        {},
        request};
    record.provenance.embedding.sha256 = std::string(64, 'a');
    return record;
}

document::Session sessionOf(document::EvaluationRecord evaluation) {
    document::Session session;
    document::SessionEmbedding embedding;
    embedding.load = evaluation.request->load;
    embedding.sha256 = evaluation.provenance.embedding.sha256;
    session.embedding = embedding;
    session.evaluation = std::move(evaluation);
    return session;
}

struct Example {
    Example() : path(folder.file("mail.tsv", labelledTexts(60))), record(evaluated(path)) {}

    test::TemporaryFolder folder;
    std::string path;
    document::EvaluationRecord record;
};

const Example& example() {
    static const Example kExample;
    return kExample;
}

Result<document::EvaluationRecord> readBack(const std::string& json) {
    return document::readDocument(document::parseJson(json).value(), document::readEvaluation);
}

std::string evaluationComplaint(const ordered_json& session) {
    const auto read = document::readSession(session.dump());
    return read ? std::string() : read.error().message;
}

}  // namespace

TEST_CASE("An evaluation reads back as it was written") {
    document::EvaluationRecord record = example().record;
    record.survival = document::Survival{40, 100, std::vector<calibration::Cell>(4)};
    record.survival->cells[2].nw.mean = 3.5;
    const std::string text = test::evaluationJson(record);
    const auto read = readBack(text);
    INFO((read ? std::string() : read.error().message));
    REQUIRE(read);
    CHECK(test::evaluationJson(*read) == text);
    const evaluation::EvaluationSummary& results = read->summary;
    CHECK(results.options.grid == record.summary.options.grid);
    CHECK(results.cells[3].classify.figures.front().repeats ==
          record.summary.cells[3].classify.figures.front().repeats);
    CHECK(evaluation::tradeOffOf(results).size() == 4);
    CHECK(evaluation::tradeOffOf(results, attack::Task::membership).size() == 4);
}

TEST_CASE("An evaluation that was cancelled or is of another mechanism reads back too") {
    for (const char* name : {"tem", "laplace", "exponential"}) {
        document::EvaluationRecord record = example().record;
        const corpus::DataSet data = corpus::readDataSet(record.request->data.options).value();
        evaluation::EvaluationOptions options = test::clusteredOptions(name);
        options.tasks = {attack::Task::reconstruct};
        options.grid.betas = {0.001, 0.1};
        record.summary = evaluation::Evaluation::create(test::twoClusters(), data, options)
                             .value()
                             .run()
                             .value();
        record.summary.attacks.front().cells.back().reset();
        record.summary.attacks.front().original.reset();
        record.request.reset();
        const std::string text = test::evaluationJson(record);
        const auto read = readBack(text);
        INFO((read ? std::string() : read.error().message));
        REQUIRE(read);
        CHECK(test::evaluationJson(*read) == text);
        CHECK(read->summary.options.grid == record.summary.options.grid);
    }
}

TEST_CASE("No word of the texts is kept, and class names only where that was asked for") {
    document::Session session = sessionOf(example().record);
    // The words are "w0" to "w39".
    REQUIRE_FALSE(session.evaluation->summary.attacks.front().cells.back()->words.empty());
    std::string text = document::sessionJson(session);
    for (int word = 0; word < test::kClusteredWords; ++word) {
        CHECK(text.find("\"w" + std::to_string(word) + "\"") == std::string::npos);
    }
    CHECK(text.find("\"yes\"") == std::string::npos);
    const auto read = document::readSession(text);
    INFO((read ? std::string() : read.error().message));
    REQUIRE(read);
    CHECK(document::sessionJson(*read) == text);
    const evaluation::DataDescription& data = read->evaluation->summary.data;
    CHECK(data.classes == std::vector<std::string>{"class 1", "class 2"});
    CHECK(data.positive == "class 2");
    CHECK(data.commonest.empty());
    session.keepsSentences = true;
    text = document::sessionJson(session);
    CHECK(text.find("\"yes\"") != std::string::npos);
    CHECK(text.find("\"w1\"") == std::string::npos);
}

TEST_CASE("A damaged evaluation in a session is refused by its place, in one sentence") {
    const ordered_json sound =
        ordered_json::parse(document::sessionJson(sessionOf(example().record)));
    // What follows from the rest is not read.
    const std::regex isDerived("/evaluation/run/(attack/channel|onlyWordsNotice|margin)");
    const ordered_json flat = sound.flatten();
    for (const auto& [pointer, value] : flat.items()) {
        // Of each list the first item.
        const bool isFirst = pointer.find_first_of("123456789") == std::string::npos ||
                             pointer.find("/ci95") != std::string::npos;
        if (pointer.starts_with("/evaluation") && isFirst &&
            !std::regex_match(pointer, isDerived)) {
            CAPTURE(pointer);
            ordered_json broken = sound;
            broken[ordered_json::json_pointer(pointer)] =
                sound[ordered_json::json_pointer(pointer)].is_string()
                    ? ordered_json(1)
                    : ordered_json::array({true});
            REQUIRE_THAT(evaluationComplaint(broken), Contains("evaluation"));
        }
    }
    ordered_json broken = sound;
    broken["evaluation"]["cells"].erase(2);
    broken["evaluation"]["differences"].clear();
    CHECK(evaluationComplaint(broken) ==
          "\"evaluation.cells\": these 3 are not the settings of a grid");
    broken = sound;
    std::swap(broken["evaluation"]["cells"][1], broken["evaluation"]["cells"][2]);
    CHECK_THAT(evaluationComplaint(broken), Contains("not the settings of a grid"));
    broken = sound;
    broken["evaluation"]["floor"]["classify"].clear();
    CHECK(evaluationComplaint(broken) == "\"evaluation.floor.classify\": it has no \"linear\"");
    broken = sound;
    broken["evaluation"]["assumptions"]["classify"] = ordered_json::array();
    CHECK_THAT(evaluationComplaint(broken), Contains("no task that attacks"));
    broken = sound;
    broken["evaluation"]["original"]["classify"]["guess"] = ordered_json::object();
    CHECK_THAT(evaluationComplaint(broken), Contains("not one of linear"));
    broken = sound;
    broken["evaluation"]["differences"][0]["second"]["epsilon"] = 4;
    CHECK_THAT(evaluationComplaint(broken), Contains("differences[0].second"));
    broken = sound;
    broken["evaluation"]["embedding"]["sha256"] = std::string(64, 'b');
    CHECK_THAT(evaluationComplaint(broken), Contains("evaluation.embedding.sha256"));
    broken = sound;
    broken["evaluation"]["repeat"] = nullptr;
    CHECK_THAT(evaluationComplaint(broken), Contains("does not hold what it was asked for"));
    broken = sound;
    broken["embedding"] = nullptr;
    CHECK_FALSE(evaluationComplaint(broken).empty());
}

TEST_CASE("Whatever an evaluation holds is found or refused once it is changed") {
    const document::EvaluationRecord& record = example().record;
    const test::TemporaryFolder folder;
    const auto isFound = [&](const ordered_json& document) {
        const auto opened = document::openDocument(folder.file("evaluation.json", document.dump()));
        return !opened ||
               !document::compareWith(opened->evaluations.front(), record).value().empty();
    };
    const ordered_json sound = ordered_json::parse(test::evaluationJson(record));
    REQUIRE_FALSE(isFound(sound));
    const std::regex mayDiffer(
        "/version|/embedding/file|/data/(file|columns)|/run/(threads|peakMemoryMiB|seconds.*)|"
        "/run/attack/priorFile");
    constexpr std::size_t kEvery = test::kSanitized ? 41 : 7;
    test::eachTampering(sound, kEvery, [&](const test::Tampering& tampering) {
        // What it asks for is judged by what comes of it, and a circumstance has to be one.
        const bool isCircumstance = std::regex_match(tampering.pointer, mayDiffer);
        if (!tampering.pointer.starts_with("/repeat") && !isCircumstance) {
            CAPTURE(tampering.what, tampering.pointer);
            CHECK(isFound(tampering.document));
        }
    });
    ordered_json elsewhere = sound;
    elsewhere["version"] = "0.0.0";
    elsewhere["embedding"]["file"] = "other.txt";
    elsewhere["data"]["file"] = "other.csv";
    elsewhere["run"]["threads"] = 7;
    elsewhere["run"]["seconds"]["perturb"] = 7;
    CHECK_FALSE(isFound(elsewhere));
}

TEST_CASE("An evaluation in a session is found to be the same when it is done again") {
    const test::TemporaryFolder folder;
    const std::string from = folder.path("work.epsilens");
    REQUIRE(document::saveSession(from, sessionOf(example().record)));
    const auto opened = document::openDocument(from);
    INFO((opened ? std::string() : opened.error().message));
    REQUIRE(opened);
    CHECK_FALSE(opened->hasRun());
    REQUIRE(document::checkRepeatable(*opened));
    REQUIRE(opened->evaluations.size() == 1);
    const document::StoredEvaluation& stored = opened->evaluations.front();
    CHECK(stored.place == "evaluation.");
    CHECK(document::dataPlace(stored.record.request->data, from) == example().path);
    // It lacks words, and names that nobody asked to be kept.
    document::EvaluationRecord again = example().record;
    again.request = stored.record.request;
    again.survival = document::Survival{40, 100, std::vector<calibration::Cell>(4)};
    CHECK(document::compareWith(stored, again).value().empty());
    again.summary.cells[2].classify.figures.front().value += 1e-3;
    again.summary.attacks[0].cells[1]->figures[2].value = 0.5;
    const auto differences = document::compareWith(stored, again).value();
    REQUIRE(differences.size() == 2);
    CHECK_THAT(differences[0].place, Contains("cells[1].reconstruct."));
    CHECK_THAT(differences[1].place, Contains("cells[2].classify.linear.accuracy.mean"));
}

TEST_CASE("A partial evaluation is not verified") {
    const test::TemporaryFolder folder;
    document::EvaluationRecord partial = example().record;
    partial.summary.partial = true;
    const std::string from = folder.path("work.epsilens");
    REQUIRE(document::saveSession(from, sessionOf(partial)));
    const auto repeatable = document::checkRepeatable(document::openDocument(from).value());
    REQUIRE_FALSE(repeatable);
    CHECK_THAT(repeatable.error().message, Contains("the evaluation is partial"));
}

TEST_CASE("A data set is the same where its bytes and columns are, wherever it lies") {
    document::KeptData moved = example().record.request->data;
    moved.options.path = "/elsewhere/mail.tsv";
    CHECK(document::isSameData(moved, example().record.request->data));
    moved.options.labelColumn = "2";
    CHECK_FALSE(document::isSameData(moved, example().record.request->data));
    document::KeptData unknown = example().record.request->data;
    unknown.fingerprint = {};
    CHECK_FALSE(document::isSameData(unknown, unknown));
    const test::TemporaryFolder folder;
    // Beside the session, where it does not lie at its old place.
    moved = example().record.request->data;
    moved.options.path = "/elsewhere/mail.tsv";
    const std::string beside = folder.file("mail.tsv", "x");
    CHECK(document::dataPlace(moved, folder.path("work.epsilens")) == beside);
}
