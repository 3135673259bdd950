#include "core/base/ordered.h"
#include "core/document/kept_document.h"

#include <cmath>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/calibration/calibrate.h"
#include "core/calibration/density_profile.h"
#include "core/calibration/run.h"
#include "core/document/calibration_document.h"
#include "core/document/json_parts.h"
#include "core/document/report_document.h"
#include "tests/core/document/tampering.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/toy_embedding.h"

// Documents of real runs on a toy embedding; every change to them has to be found.

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;

namespace {

const engine::SearchSpace& toySpace() {
    static const engine::SearchSpace kSpace(test::toyEmbedding(test::anisotropicVectors(60, 4, 5)));
    return kSpace;
}

calibration::Run toyRun(const mechanism::Mechanism& mechanism) {
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism;
    options.grid.epsilons = {2, 6.5};
    options.grid.lambdas = {0.25};
    options.words.count = 20;
    options.draws = 9;
    auto summary = calibration::calibrate(toySpace(), options);
    REQUIRE(summary);
    auto run = calibration::describeRun(toySpace(), std::move(*summary),
                                        calibration::keptRequest({"toy.txt"}, options));
    REQUIRE(run);
    return *run;
}

std::string reportOf(const mechanism::Mechanism& mechanism) {
    document::Report report{{}, toyRun(mechanism)};
    report.settings.choice = calibration::Choice{2, std::nullopt, std::nullopt};
    report.settings.limits = {*calibration::parseLimit("nw.p95<=50%")};
    const auto profile = calibration::densityProfile(toySpace(), 1).value();
    std::vector<embedding::Row> all = indicesBelow<embedding::Row>(profile.distances.size());
    report.settings.density = calibration::densityFigures(profile, all);
    const embedding::Vocabulary& vocabulary = toySpace().embedding().vocabulary();
    const std::vector<std::string> texts{
        std::string(vocabulary.word(3)) + ", " + std::string(vocabulary.word(8)),
        std::string(vocabulary.word(11))};
    report.examples = document::examplesOfChoice(report, texts, toySpace()).value();
    REQUIRE(report.examples.size() == 2);
    report.compared =
        document::compareChoice(report, document::measureOthers(report, toySpace(), 1).value(),
                                vocabulary)
            .value();
    REQUIRE(report.compared->rows.size() == 4);
    return document::reportJson(report).value();
}

Result<document::KeptDocument> opened(const std::string& json) {
    const test::TemporaryFolder folder;
    return document::openDocument(folder.file("document.json", json));
}

ordered_json again(const std::string& document) {
    const auto kept = opened(document);
    INFO((kept ? "" : kept.error().message));
    REQUIRE(kept);
    REQUIRE(document::checkRepeatable(*kept));
    auto found = document::repeatRun(*kept, toySpace(), 1);
    INFO((found ? "" : found.error().message));
    REQUIRE(found);
    return *found;
}

std::vector<document::Difference> differences(const std::string& document,
                                              const ordered_json& found) {
    const auto kept = opened(document);
    INFO((kept ? "" : kept.error().message));
    REQUIRE(kept);
    const auto differences = document::compareWith(*kept, found);
    REQUIRE(differences);
    return *differences;
}

/// Whether a document is refused, or what it holds is not confirmed by the run that it asks for.
bool isFound(const ordered_json& document) {
    const auto kept = opened(document.dump());
    if (!kept || !document::checkRepeatable(*kept)) {
        return true;
    }
    const auto found = document::repeatRun(*kept, toySpace(), 1);
    return !found || !document::compareWith(*kept, *found).value().empty();
}

/// What a run that is done again need not confirm: what the analyst says and asks to be shown,
/// where files lie, and what machine and version make of it.
bool mayDiffer(const test::Tampering& tampering, bool isReport) {
    static const std::regex kChanged(
        "/version|/build|/calibration/version|"
        "/report/(title|purpose|author|date|textSource|alternatives|reason|epsilonOrigin)|"
        "(/calibration)?/embedding/file|(/calibration)?/repeat/(path|strict)|"
        "(/calibration)?/run/(threads|peakMemoryMiB|seconds/.*)");
    // The last example alone: the draws of each follow those of the ones before it.
    static const std::regex kRemoved("/version|/build|/examples|/examples/1|/compared");
    if (tampering.what == "changed") {
        return std::regex_match(tampering.pointer, kChanged);
    }
    return isReport && tampering.what == "removed" && std::regex_match(tampering.pointer, kRemoved);
}

/// Whether an option changes no result: one of another mechanism, or more near neighbours than
/// there are words. Without it the file is refused all the same, but for an item of a list.
bool isWithoutEffect(const test::Tampering& tampering, const mechanism::Mechanism& kind) {
    static const std::regex kOfExact(
        ".*/repeat/(lambdas(/.*)?|independentDraws|rerunWorst|nearNeighbours)");
    static const std::regex kOfNoise(".*/repeat/(betas(/.*)?|nearNeighbours)");
    static const std::regex kItem(".*/[0-9]+");
    return std::regex_match(tampering.pointer, kind.isExact() ? kOfExact : kOfNoise) &&
           (tampering.what != "removed" || std::regex_match(tampering.pointer, kItem));
}

}  // namespace

TEST_CASE("Whatever a file holds is found or refused once it is changed, removed or added to") {
    const mechanism::Mechanism kind = GENERATE(mechanism::Mechanism(mechanism::Mahalanobis{}),
                                               mechanism::Mechanism(mechanism::Tem{}));
    const bool isReport = GENERATE(true, false);
    CAPTURE(kind.name(), isReport);
    const ordered_json sound = ordered_json::parse(
        isReport ? reportOf(kind)
                 : document::jsonText(document::calibrationDocument(toyRun(kind))));
    REQUIRE_FALSE(isFound(sound));
    // One of three, each in a full run; fewer under the sanitizers, which look at what the code
    // does.
    const std::size_t every = test::kSanitized ? 11 : test::repetitions(10) == 10 ? 1 : 3;
    const std::size_t count =
        test::eachTampering(sound, every, [&](const test::Tampering& tampering) {
            if (!isWithoutEffect(tampering, kind)) {
                CAPTURE(tampering.what, tampering.pointer);
                CHECK(isFound(tampering.document) != mayDiffer(tampering, isReport));
            }
        });
    CHECK(count > 300);
}

TEST_CASE("A change beyond rounding is found, another way to write a number is not one") {
    const std::string report = reportOf(mechanism::Laplace{});
    const ordered_json found = again(report);
    ordered_json document = ordered_json::parse(report);
    ordered_json& mean = document["calibration"]["cells"][0]["nw"]["mean"];
    const auto original = mean.get<double>();
    for (const double rounded : {std::nextafter(original, 1e9), original * (1.0 - 0.9e-9)}) {
        mean = rounded;
        CHECK(differences(document.dump(), found).empty());
    }
    mean = original * (1.0 + 1.1e-9);
    const auto changed = differences(document.dump(), found);
    REQUIRE(changed.size() == 1);
    CHECK(changed.front().place == "calibration.cells[0].nw.mean");
    ordered_json whole = ordered_json::parse(report);
    whole["calibration"]["cells"][0]["epsilon"] = 2;
    CHECK(differences(whole.dump(), found).empty());
}

TEST_CASE("Pairs of words that somebody asked for are measured again") {
    const embedding::PreparedEmbedding& vectors = toySpace().embedding();
    const std::string first(vectors.vocabulary().word(7));
    const std::string second(vectors.vocabulary().word(12));
    document::Report report{{}, toyRun(mechanism::Laplace{})};
    const std::size_t wellKnown = report.run.pairs.size();
    report.run.pairs =
        calibration::pairDistances(toySpace(), report.run.summary->grid,
                                   calibration::pairsWith(report.run, {first, second}))
            .value();
    REQUIRE(report.run.pairs.size() == wellKnown + 1);
    CHECK(report.run.pairs.front().first == first);
    const double apart =
        (vectors.vectors().row(7).cast<double>() - vectors.vectors().row(12).cast<double>()).norm();
    CHECK(report.run.pairs.front().distance == Approx(apart).epsilon(1e-12));
    // Asked for again, in either order, it is there already.
    CHECK(calibration::pairsWith(report.run, {second, first}) == calibration::pairsOf(report.run));

    const std::string text = document::reportJson(report).value();
    CHECK(differences(text, again(text)).empty());
}

TEST_CASE("Members that one document alone has are differences, circumstances are not") {
    document::Report kept{{}, toyRun(mechanism::Laplace{})};
    kept.run.provenance.selection = {"20", "mail.csv", "text", 5};
    const std::string report = document::reportJson(kept).value();
    const ordered_json found = again(report);
    ordered_json document = ordered_json::parse(report);
    document["calibration"]["run"]["threads"] = 99;
    document["calibration"]["run"]["seconds"]["load"] = 99;
    document["calibration"]["run"]["peakMemoryMiB"] = 99;
    document["calibration"]["version"] = "0.0.1";
    document["version"] = "0.0.1";
    document["build"] = "another compiler";
    document["calibration"]["repeat"]["path"] = "/another/place";
    CHECK(differences(document.dump(), found).empty());
    document["calibration"]["embedding"].erase("sharedVectors");
    // That of an evaluation may be called otherwise; this one chose the words.
    document["calibration"]["run"]["selection"]["data"]["file"] = "other.csv";
    document["calibration"]["cells"][1]["extra"] = {{"of", 5}};
    const auto changed = differences(document.dump(), found);
    REQUIRE(changed.size() == 3);
    CHECK(changed[0].place == "calibration.embedding.sharedVectors");
    CHECK(changed[0].stored == "absent");
    CHECK(changed[1].place == "calibration.run.selection.data.file");
    CHECK(changed[2].place == "calibration.cells[1].extra");
    CHECK(changed[2].stored == "{…}");
    CHECK(changed[2].found == "absent");
}

// Sums in float32 differ by up to 8e-7 between processors and between ways to form them.
TEST_CASE("Statistics that are summed exactly are confirmed up to how sums are rounded") {
    const std::string exact = reportOf(mechanism::Tem{});
    const ordered_json found = again(exact);
    const auto changedBy = [&](const std::string& text, const ordered_json& repeated, double part,
                               const char* statistic) {
        ordered_json document = ordered_json::parse(text);
        ordered_json& value = document["calibration"]["cells"][0][statistic];
        ordered_json& number = value.is_object() ? value["mean"] : value;
        number = number.get<double>() * (1.0 + part);
        return differences(document.dump(), repeated).size();
    };
    CHECK(changedBy(exact, found, 8e-7, "nw") == 0);
    CHECK(changedBy(exact, found, -8e-6, "sw") == 0);
    CHECK(changedBy(exact, found, 2e-5, "nw") == 1);
    // Of a share below 1, as much of 1.
    const double kept = found["calibration"]["cells"][0]["kept"].get<double>();
    CHECK(changedBy(exact, found, 0.9e-5 / kept, "kept") == 0);
    CHECK(changedBy(exact, found, 1.1e-5 / kept, "kept") == 1);
    const std::string sampled = reportOf(mechanism::Laplace{});
    CHECK(changedBy(sampled, again(sampled), 8e-7, "nw") == 1);
}

TEST_CASE("Words of an exact list may stand for each other only where their N_w are the same") {
    const ordered_json list = ordered_json::parse(R"({"worstWords": [
        {"word": "a", "row": 1, "nw": 9.0, "sw": 2.0},
        {"word": "b", "row": 2, "nw": 8.0, "sw": 3.0},
        {"word": "c", "row": 3, "nw": 8.000001, "sw": 4.0}]})");
    const auto places = [&](const std::vector<std::string>& words, double count,
                            const document::Deviation& deviation) {
        ordered_json other = list;
        for (std::size_t i = 0; i < words.size(); ++i) {
            ordered_json& entry = other["worstWords"][i];
            entry["word"] = words[i];
            entry["row"] = words[i].front() - 'a' + 1;
        }
        other["worstWords"][1]["nw"] = count;
        const auto document = document::parseJson(other.dump());
        REQUIRE(document);
        std::optional<Error> problem;
        std::vector<std::string> found;
        for (const auto& difference : document::differencesBetween(
                 document::JsonNode(*document, problem), list, deviation)) {
            found.push_back(difference.place);
        }
        return found;
    };
    using Places = std::vector<std::string>;
    CHECK(places({"a", "c", "d"}, 8.0, document::kOfExactSums).empty());
    CHECK(places({"d", "b", "c"}, 8.0, document::kOfExactSums) ==
          Places{"worstWords[0].word", "worstWords[0].row"});
    CHECK(places({"a", "c", "b"}, 8.1, document::kOfExactSums) ==
          Places{"worstWords[1].word", "worstWords[1].row", "worstWords[1].nw"});
    CHECK(places({"a", "c", "b"}, 8.0, {}).size() == 4);
}

TEST_CASE("Documents of any shape are compared") {
    const ordered_json list = ordered_json::parse(R"({"cells": [1, {"a": [true]}]})");
    const auto compared = [&](const char* text) {
        const auto document = document::parseJson(text);
        REQUIRE(document);
        std::optional<Error> problem;
        return document::differencesBetween(document::JsonNode(*document, problem), list);
    };
    CHECK(compared(R"({"cells": [1.0, {"a": [true]}]})").empty());
    CHECK(compared(R"({"cells": [1, {"a": [true]}, 3]})").front().place == "cells[2]");
    CHECK(compared(R"({"cells": [1]})").front().found == "{…}");
    CHECK(compared(R"({"cells": [1, {"a": [1]}]})").front().place == "cells[1].a[0]");
    for (const char* text : {"1", "null", "[]", R"({"cells": {}})", R"({"cells": "cells"})"}) {
        CAPTURE(text);
        CHECK(compared(text).size() == 1);
    }
}

TEST_CASE("Other vectors, a partial run and a run without its request cannot be verified") {
    ordered_json document = ordered_json::parse(reportOf(mechanism::Laplace{}));
    ordered_json& calibration = document["calibration"];
    calibration["embedding"]["sha256"] = std::string(64, 'b');
    const auto other = document::repeatRun(*opened(document.dump()), toySpace(), 1);
    REQUIRE_FALSE(other);
    CHECK(other.error().code == ErrorCode::badFile);
    calibration["run"]["partial"] = true;
    const auto partial = document::checkRepeatable(*opened(document.dump()));
    REQUIRE_FALSE(partial);
    CHECK(partial.error().code == ErrorCode::unsupported);
    calibration.erase("repeat");
    CHECK_THAT(opened(document.dump()).error().message, Contains("it has no \"repeat\""));
}
