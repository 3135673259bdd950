#include "core/document/kept_evaluation.h"

#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/calibration/provenance.h"
#include "core/document/evaluation_document.h"
#include "core/document/kept_document.h"
#include "core/document/session_file.h"
#include "core/document/verification.h"
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

document::KeptEvaluation evaluated(const std::string& path) {
    document::KeptEvaluation kept;
    kept.data.options.path = path;
    kept.data.fingerprint = corpus::fingerprintOf(kept.data.options).value();
    const corpus::DataSet data = corpus::readDataSet(kept.data.options).value();
    evaluation::EvaluationOptions options = test::clusteredOptions();
    options.tasks = {attack::Task::classify, attack::Task::reconstruct, attack::Task::membership};
    kept.results =
        evaluation::Evaluation::create(test::twoClusters(), data, options).value().run().value();
    return kept;
}

document::Session sessionOf(document::KeptEvaluation evaluation) {
    document::Session session;
    document::SessionEmbedding embedding;
    embedding.load.path = "/nowhere/vectors.txt";
    embedding.sha256 = test::twoClusters().embedding().embedding.report.sha256;
    session.embedding = embedding;
    session.evaluation = std::move(evaluation);
    return session;
}

struct Example {
    Example() : path(folder.file("mail.tsv", labelledTexts(60))), kept(evaluated(path)) {}

    test::TemporaryFolder folder;
    std::string path;
    document::KeptEvaluation kept;
};

const Example& example() {
    static const Example kExample;
    return kExample;
}

std::string complaintAbout(const ordered_json& session) {
    const auto read = document::readSession(session.dump());
    return read ? std::string() : read.error().message;
}

}  // namespace

TEST_CASE("An evaluation in a session reads back as it was written") {
    for (const bool keepsNames : {false, true}) {
        document::Session session = sessionOf(example().kept);
        session.keepsSentences = keepsNames;
        const std::string text = document::sessionJson(session);
        const auto read = document::readSession(text);
        INFO((read ? std::string() : read.error().message));
        REQUIRE(read);
        REQUIRE(read->evaluation);
        CHECK(document::sessionJson(*read) == text);
        const evaluation::EvaluationSummary& results = read->evaluation->results;
        CHECK(results.options.grid == example().kept.results.options.grid);
        CHECK(results.cells.size() == 4);
        CHECK(results.cells[3].classify[0].repeats ==
              example().kept.results.cells[3].classify[0].repeats);
        CHECK(results.attacks.size() == 2);
        CHECK(results.differences.size() == 2);
    }
}

TEST_CASE("A session of before reads without an evaluation") {
    ordered_json session = ordered_json::parse(document::sessionJson(sessionOf(example().kept)));
    session.erase("evaluation");
    CHECK_FALSE(document::readSession(session.dump()).value().evaluation);
}

TEST_CASE("No word of the texts is kept, and class names only where that was asked for") {
    document::Session session = sessionOf(example().kept);
    // The words are "w0" to "w39".
    REQUIRE_FALSE(session.evaluation->results.attacks.front().cells.back()->words.empty());
    std::string text = document::sessionJson(session);
    for (int word = 0; word < test::kClusteredWords; ++word) {
        CHECK(text.find("\"w" + std::to_string(word) + "\"") == std::string::npos);
    }
    CHECK(text.find("\"yes\"") == std::string::npos);
    const auto read = document::readSession(text);
    REQUIRE(read);
    const evaluation::DataDescription& data = read->evaluation->results.data;
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
        ordered_json::parse(document::sessionJson(sessionOf(example().kept)));
    const ordered_json flat = sound.flatten();
    for (const auto& [pointer, value] : flat.items()) {
        // Of each list the first item.
        const bool isFirst = pointer.find_first_of("123456789") == std::string::npos ||
                             pointer.find("/ci95") != std::string::npos;
        if (pointer.starts_with("/evaluation") && isFirst) {
            CAPTURE(pointer);
            ordered_json broken = sound;
            broken[ordered_json::json_pointer(pointer)] =
                sound[ordered_json::json_pointer(pointer)].is_object() ? ordered_json(1)
                                                                       : ordered_json::object();
            REQUIRE_THAT(complaintAbout(broken), Contains("evaluation"));
        }
    }
    ordered_json broken = sound;
    broken["evaluation"]["cells"].erase(2);
    CHECK(complaintAbout(broken) ==
          "\"evaluation.cells\": there are 3 of them, and the grid has 4 settings");
    broken = sound;
    broken["evaluation"]["floor"] = ordered_json::array();
    CHECK_THAT(complaintAbout(broken), Contains("as many classifiers"));
    broken = sound;
    broken["evaluation"]["attacks"][1]["task"] = "reconstruct";
    CHECK_THAT(complaintAbout(broken), Contains("comes twice"));
    broken = sound;
    broken["evaluation"]["differences"][0]["second"] = 4;
    CHECK_THAT(complaintAbout(broken), Contains("not there"));
    broken = sound;
    broken["embedding"] = nullptr;
    CHECK_THAT(complaintAbout(broken), Contains("names no embedding"));
}

TEST_CASE("An evaluation that could not be repeated from a session is not kept") {
    document::Session session = sessionOf(example().kept);
    CHECK(document::canBeKept(*session.evaluation));
    session.evaluation->data.fingerprint.sha256.clear();
    CHECK_FALSE(document::canBeKept(*session.evaluation));
    CHECK(ordered_json::parse(document::sessionJson(session))["evaluation"].is_null());
    session = sessionOf(example().kept);
    session.evaluation->results.options.positive = "yes";
    CHECK_FALSE(document::canBeKept(*session.evaluation));
}

TEST_CASE("Whatever an evaluation holds is found or refused once it is changed") {
    document::EvaluationRequest request;
    request.data = example().kept.data;
    request.options = example().kept.results.options;
    const document::EvaluationRecord record{
        calibration::provenanceOf(test::twoClusters().embedding()),
        example().kept.results,
        {},
        std::move(request)};
    const test::TemporaryFolder folder;
    const auto isFound = [&](const ordered_json& document) {
        const auto opened = document::openDocument(folder.file("evaluation.json", document.dump()));
        return !opened ||
               !document::compareWith(opened->requested.front().json, record).value().empty();
    };
    const ordered_json sound = ordered_json::parse(document::evaluationJson(record));
    REQUIRE_FALSE(isFound(sound));
    const std::regex mayDiffer(
        "/version|/embedding/file|/data/(file|columns)|/run/(threads|peakMemoryMiB|seconds.*)|"
        "/run/attack/priorFile");
    constexpr std::size_t kEvery = test::kSanitized ? 41 : 7;
    test::eachTampering(sound, kEvery, [&](const test::Tampering& tampering) {
        // What it asks for is judged by what comes of it.
        if (!tampering.pointer.starts_with("/repeat")) {
            CAPTURE(tampering.what, tampering.pointer);
            CHECK(isFound(tampering.document) != std::regex_match(tampering.pointer, mayDiffer));
        }
    });
}

TEST_CASE("An evaluation in a session is found to be the same when it is done again") {
    const test::TemporaryFolder folder;
    const std::string from = folder.path("work.epsilens");
    REQUIRE(document::saveSession(from, sessionOf(example().kept)));
    const auto opened = document::openDocument(from);
    INFO((opened ? std::string() : opened.error().message));
    REQUIRE(opened);
    CHECK_FALSE(opened->hasRun());
    REQUIRE(document::checkRepeatable(*opened));
    REQUIRE(opened->evaluations.size() == 1);
    CHECK(opened->evaluations.front().first == "evaluation");
    document::KeptEvaluation stored = opened->evaluations.front().second;
    CHECK(document::dataPlace(stored.data, from) == example().path);
    const auto again = document::repeatEvaluation(stored, example().path, test::twoClusters(), 1);
    INFO((again ? std::string() : again.error().message));
    REQUIRE(again);
    CHECK(document::evaluationDifferences(stored, *again).value().empty());

    stored.results.cells[2].classify[0].measures[0].mean += 1e-9;
    stored.results.attacks[0].cells[1]->figures[2].value = 0.5;
    const auto differences = document::evaluationDifferences(stored, *again).value();
    REQUIRE(differences.size() == 2);
    CHECK(differences[0].place == "cells[2].classify[0].measures[0].mean");
    CHECK(differences[1].place == "attacks[0].cells[1].figures[2].value");

    const std::string other = folder.file("mail.tsv", labelledTexts(61));
    const auto refused = document::repeatEvaluation(stored, other, test::twoClusters(), 1);
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message, Contains("these are not the texts"));
}

TEST_CASE("A partial evaluation is not verified") {
    const test::TemporaryFolder folder;
    document::KeptEvaluation partial = example().kept;
    partial.results.partial = true;
    const std::string from = folder.path("work.epsilens");
    REQUIRE(document::saveSession(from, sessionOf(partial)));
    const auto repeatable = document::checkRepeatable(document::openDocument(from).value());
    REQUIRE_FALSE(repeatable);
    CHECK_THAT(repeatable.error().message, Contains("the evaluation is partial"));
}

TEST_CASE("A data set is the same where its bytes and columns are, wherever it lies") {
    document::KeptData moved = example().kept.data;
    moved.options.path = "/elsewhere/mail.tsv";
    CHECK(document::isSameData(moved, example().kept.data));
    moved.options.labelColumn = "2";
    CHECK_FALSE(document::isSameData(moved, example().kept.data));
    document::KeptData unknown = example().kept.data;
    unknown.fingerprint = {};
    CHECK_FALSE(document::isSameData(unknown, unknown));
    const test::TemporaryFolder folder;
    // Beside the session, where it does not lie at its old place.
    moved = example().kept.data;
    moved.options.path = "/elsewhere/mail.tsv";
    const std::string beside = folder.file("mail.tsv", "x");
    CHECK(document::dataPlace(moved, folder.path("work.epsilens")) == beside);
}
