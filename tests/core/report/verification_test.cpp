#include "core/report/verification.h"

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/calibration/calibrate.h"
#include "core/document/calibration_json.h"
#include "core/report/report_json.h"
#include "core/report/verification_report.h"
#include "tests/support/sanitized.h"
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

document::CalibrationRecord toyRun(const mechanism::Mechanism& mechanism) {
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism;
    options.grid.epsilons = {2, 6.5};
    options.grid.lambdas = {0.25};
    options.words.count = 20;
    options.draws = 9;
    auto summary = calibration::calibrate(toySpace(), options);
    REQUIRE(summary);
    auto details = calibration::describeDetails(toySpace(), *summary,
                                                calibration::keptRequest({"toy.txt"}, options));
    REQUIRE(details);
    // Toy words have no well-known pairs.
    calibration::RunDescription run = calibration::describeRun(toySpace().embedding());
    run.embedding.sha256 = toySpace().embedding().embedding.report.sha256;
    run.details = std::move(*details);
    return {std::move(run),
            std::make_shared<const calibration::CalibrationSummary>(std::move(*summary))};
}

std::string reportOf(const mechanism::Mechanism& mechanism) {
    report::Report report{{}, toyRun(mechanism)};
    report.settings.choice = document::Choice{2, std::nullopt, std::nullopt};
    report.settings.limits = {*calibration::parseLimit("nw.p95<=50%")};
    const auto text = report::reportJson(report);
    REQUIRE(text);
    return *text;
}

std::string again(const std::string& document) {
    const auto repetition = report::readRepetition(document);
    INFO((repetition ? "" : repetition.error().message));
    REQUIRE(repetition);
    const auto text = report::repeatRun(*repetition, toySpace(), 1);
    INFO((text ? "" : text.error().message));
    REQUIRE(text);
    return *text;
}

bool isCircumstance(const std::string& pointer) {
    const std::vector<std::string> ignored{"/run/threads", "/run/seconds", "/run/peakMemoryMiB"};
    return std::any_of(ignored.begin(), ignored.end(), [&](const std::string& part) {
        return pointer.find(part) != std::string::npos;
    });
}

/// "cells[1].nw.p95" of "/cells/1/nw/p95".
std::string placeOf(const std::string& pointer) {
    std::string place;
    std::size_t at = 1;
    while (at <= pointer.size()) {
        const std::size_t end = std::min(pointer.find('/', at), pointer.size());
        const std::string part = pointer.substr(at, end - at);
        if (part.find_first_not_of("0123456789") == std::string::npos) {
            place += "[" + part + "]";
        } else {
            place += (place.empty() ? "" : ".") + part;
        }
        at = end + 1;
    }
    return place;
}

/// Coordinates of the picture but for the first few, which stand for the others.
bool isFartherCoordinate(const std::string& pointer) {
    const bool isList = pointer.find("/plane/words/") != std::string::npos ||
                        (pointer.find("/plane/cells/") != std::string::npos &&
                         pointer.find("/draws/") != std::string::npos);
    constexpr int kFirst = 3;
    return isList && std::stoi(pointer.substr(pointer.find_last_of('/') + 1)) > kFirst;
}

}  // namespace

TEST_CASE("A run that is repeated from its document gives the same document") {
    for (const mechanism::Mechanism& kind : std::vector<mechanism::Mechanism>{
             mechanism::Laplace{}, mechanism::Mahalanobis{}, mechanism::Tem{}}) {
        CAPTURE(kind.name());
        const document::CalibrationRecord record = toyRun(kind);
        const std::string calibration = document::calibrationJson(record.run, *record.summary);
        CHECK(report::compareDocuments(calibration, again(calibration))->empty());
        const std::string report = reportOf(kind);
        CHECK(report::compareDocuments(report, again(report))->empty());
    }
}

TEST_CASE("A document from before the picture of the space is repeated without one") {
    ordered_json document = ordered_json::parse(reportOf(mechanism::Mahalanobis{}));
    REQUIRE(document["calibration"].contains("plane"));
    document["calibration"].erase("plane");
    CHECK(report::compareDocuments(document.dump(), again(document.dump()))->empty());
}

TEST_CASE("Statements are compared, and a report from before them is confirmed without") {
    const std::string report = reportOf(mechanism::Mahalanobis{});
    ordered_json document = ordered_json::parse(report);
    document["statements"][0]["sentences"][0] = "Mechanism: another";
    const auto differences = report::compareDocuments(document.dump(), report);
    REQUIRE(differences->size() == 1);
    CHECK(differences->front().place == "statements[0].sentences[0]");
    CHECK(report::statementsLeftOut(document.dump(), report)->empty());
    document["version"] = "0.0.9";
    CHECK(report::compareDocuments(document.dump(), report)->empty());
    CHECK(*report::statementsLeftOut(document.dump(), report) == "written by version 0.0.9");
    document.erase("statements");
    CHECK(report::compareDocuments(document.dump(), again(document.dump()))->empty());
    CHECK(*report::statementsLeftOut(document.dump(), report) == "absent");
    // A calibration says nothing in words.
    CHECK(report::statementsLeftOut(document["calibration"].dump(), report)->empty());
    CHECK_FALSE(report::statementsLeftOut("{", report));
}

TEST_CASE("What verify says tells that statements were not compared") {
    const std::string whole = report::differencesText({});
    CHECK(whole == "verified: the run was done again and every value is the same\n");
    const report::VerificationResult without{{}, "absent"};
    CHECK(report::differencesText(without) ==
          "verified: the run was done again and every value is the same; statements in words were "
          "not compared (absent)\n");
    CHECK_THAT(report::differencesText({{{"cells[0].kept", "1", "2"}}, "absent"}),
               Contains("1 value differs") && Contains("not compared (absent)\n"));
    CHECK(ordered_json::parse(report::differencesJson({}))["statementsLeftOut"].is_null());
    CHECK(ordered_json::parse(report::differencesJson(without))["statementsLeftOut"] == "absent");
}

TEST_CASE("A document from before words that share a vector were counted is confirmed without") {
    ordered_json document = ordered_json::parse(reportOf(mechanism::Laplace{}));
    REQUIRE(document["calibration"]["embedding"].contains("sharedVectors"));
    document["calibration"]["embedding"].erase("sharedVectors");
    CHECK(report::compareDocuments(document.dump(), again(document.dump()))->empty());
    CHECK(report::compareDocuments(document["calibration"].dump(),
                                   again(document["calibration"].dump()))
              ->empty());
}

TEST_CASE("Whichever number of the results is changed, verifying names it") {
    const std::string report = reportOf(mechanism::Mahalanobis{});
    const ordered_json sound = ordered_json::parse(report);
    const std::string repeated = again(report);
    // Every number is changed but under the sanitizers, which look at what the code does.
    constexpr int kEvery = test::kSanitized ? 8 : 1;
    int numbers = 0;
    const ordered_json flat = sound.flatten();
    for (const auto& [pointer, value] : flat.items()) {
        const bool isInput =
            pointer.rfind("/report/", 0) == 0 || pointer.find("/repeat/") != std::string::npos;
        if (!value.is_number() || isInput || isCircumstance(pointer) ||
            isFartherCoordinate(pointer)) {
            continue;
        }
        if (numbers++ % kEvery != 0) {
            continue;
        }
        CAPTURE(pointer);
        ordered_json broken = sound;
        broken[ordered_json::json_pointer(pointer)] = value.get<double>() + 1;
        const std::string text = broken.dump();
        // What the file asks to be repeated does not depend on the number.
        REQUIRE(report::readRepetition(text));
        const auto differences = report::compareDocuments(text, repeated);
        REQUIRE(differences);
        REQUIRE(differences->size() == 1);
        CHECK_THAT(differences->front().place, Catch::Matchers::StartsWith(placeOf(pointer)));
    }
    CHECK(numbers > 180);
}

TEST_CASE("The smallest change of a number is found, another way to write it is not one") {
    const std::string report = reportOf(mechanism::Laplace{});
    ordered_json document = ordered_json::parse(report);
    ordered_json& mean = document["calibration"]["cells"][0]["nw"]["mean"];
    mean = std::nextafter(mean.get<double>(), 1e9);
    const auto differences = report::compareDocuments(document.dump(), report);
    REQUIRE(differences->size() == 1);
    CHECK(differences->front().place == "calibration.cells[0].nw.mean (ε = 2)");
    ordered_json whole = ordered_json::parse(report);
    whole["calibration"]["cells"][0]["epsilon"] = 2;
    CHECK(report::compareDocuments(whole.dump(), report)->empty());
}

TEST_CASE("Inputs that are changed change the results, or the repetition is refused") {
    const ordered_json sound = ordered_json::parse(reportOf(mechanism::Mahalanobis{}));
    for (const auto& [key, value] :
         std::vector<std::pair<std::string, ordered_json>>{{"seed", 2},
                                                           {"draws", 10},
                                                           {"epsilons", {2, 7}},
                                                           {"lambdas", {0.5}},
                                                           {"nearNeighbours", 3}}) {
        CAPTURE(key);
        ordered_json broken = sound;
        broken["calibration"]["repeat"][key] = value;
        CHECK_FALSE(report::compareDocuments(broken.dump(), again(broken.dump()))->empty());
    }
    ordered_json broken = sound;
    broken["calibration"]["repeat"]["draws"] = 0;
    CHECK_THAT(report::readRepetition(broken.dump()).error().message,
               Contains("calibration.repeat.draws"));
}

TEST_CASE("Members that one document alone has are differences, circumstances are not") {
    const std::string report = reportOf(mechanism::Laplace{});
    ordered_json document = ordered_json::parse(report);
    document["calibration"]["run"]["threads"] = 99;
    document["calibration"]["run"]["seconds"]["load"] = 99;
    document["calibration"]["run"]["peakMemoryMiB"] = 99;
    document["calibration"]["version"] = "0.0.1";
    document["version"] = "0.0.1";
    document["build"] = "another compiler";
    document["calibration"]["repeat"]["path"] = "/another/place";
    CHECK(report::compareDocuments(document.dump(), report)->empty());
    document["calibration"]["cells"][0].erase("kept");
    document["calibration"]["cells"][1]["extra"] = 5;
    document["calibration"]["cells"].push_back(1);
    const auto differences = report::compareDocuments(document.dump(), report);
    REQUIRE(differences->size() == 3);
    CHECK(differences->at(0).stored == "absent");
    CHECK(differences->at(1).found == "absent");
    CHECK(differences->at(2).place == "calibration.cells[2]");
}

TEST_CASE("Documents whose settings are no list are compared all the same") {
    for (const std::string cells : {"1", "null", "\"cells\"", "{}", "[1]"}) {
        CAPTURE(cells);
        const std::string document = R"({"cells":)" + cells + "}";
        const auto none = report::compareDocuments(document, document);
        REQUIRE(none);
        CHECK(none->empty());
        const auto one = report::compareDocuments(R"({"cells":[]})", document);
        REQUIRE(one);
        CHECK_FALSE(one->empty());
    }
}

TEST_CASE("Other vectors, a partial run and a run without its request cannot be verified") {
    ordered_json document = ordered_json::parse(reportOf(mechanism::Laplace{}));
    ordered_json& calibration = document["calibration"];
    calibration["embedding"]["sha256"] = std::string(64, 'b');
    const auto other = report::repeatRun(*report::readRepetition(document.dump()), toySpace(), 1);
    REQUIRE_FALSE(other);
    CHECK(other.error().code == ErrorCode::badFile);
    calibration["run"]["partial"] = true;
    const auto partial = report::readRepetition(document.dump());
    REQUIRE_FALSE(partial);
    CHECK(partial.error().code == ErrorCode::unsupported);
    calibration.erase("repeat");
    CHECK_THAT(report::readRepetition(document.dump()).error().message, Contains("asked for"));
}
