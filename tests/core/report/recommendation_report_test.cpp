#include "core/report/recommendation_report.h"

#include <algorithm>
#include <string>
#include <utility>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/core/report/example_calibration.h"

using namespace epsilens;
using namespace epsilens::calibration;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;

namespace {

LimitCheck checkOf(const char* limit, const Cell& cell) {
    return checkLimit(parseLimit(limit).value(), cell, 4).value();
}

/// The first two settings of the example: one with an epsilon of 1.5, one without.
Recommendation exampleRecommendation() {
    Recommendation result;
    result.run = test::exampleMahalanobis();
    result.limits = {parseLimit("nw.p95<=50%").value(), parseLimit("kept.mean>=0.05").value()};
    result.objective = Objective::changed;
    result.freshSeed = 8;
    for (std::size_t i = 0; i < 2; ++i) {
        SettingRecommendation setting;
        setting.cell = result.run.cells[2 * i];
        setting.guarantee = result.run.guarantees[2 * i];
        setting.cell.nw.p95 = i == 0 ? 1.5 : 3.0;
        setting.searched = {0.25, 32.0};
        setting.everywhere = true;
        for (const Limit& limit : result.limits) {
            setting.checks.push_back(checkLimit(limit, setting.cell, 4).value());
        }
        if (i == 0) {
            setting.epsilon = setting.cell.epsilon;
            setting.above = setting.cell.epsilon + 0.25;
            setting.freshCell = setting.cell;
            setting.freshCell->nw.p95 = 2.5;
            for (const Limit& limit : result.limits) {
                setting.freshChecks.push_back(checkLimit(limit, *setting.freshCell, 4).value());
            }
            Cell above = setting.cell;
            above.nw.p95 = 2.25;
            setting.binding = checkOf("nw.p95<=50%", above);
        } else {
            setting.binding = setting.checks.front();
        }
        result.settings.push_back(std::move(setting));
    }
    result.run.cells = {result.settings[0].cell, result.settings[1].cell};
    result.best = 0;
    return result;
}

Recommendation withoutBest() {
    Recommendation result = exampleRecommendation();
    result.settings.erase(result.settings.begin());
    result.best.reset();
    return result;
}

}  // namespace

TEST_CASE("The text of a recommendation has the limits, the settings and what binds") {
    const std::string text =
        report::recommendationText(test::exampleProvenance(), exampleRecommendation());
    CHECK_THAT(text, Contains("  1  N_w, 95th percentile: at most 50%"));
    CHECK_THAT(text, Contains("  2  kept share, mean: at least 0.05"));
    CHECK_THAT(text, Contains("(seed 8)"));
    CHECK_THAT(text, Contains("37.5%"));    // 1.5 of 4
    CHECK_THAT(text, Contains("62.5% ✗"));  // the fresh 2.5 of 4
    CHECK_THAT(text, Contains("75.0% ✗"));  // 3 of 4
    CHECK_THAT(text, Contains("ε is held down by N_w, 95th percentile: at most 50%; is 56.3%, "
                              "beyond the limit by 6.25% just above") ||
                         Contains("ε is held down by N_w, 95th percentile: at most 50%; is 56.2%, "
                                  "beyond the limit by 6.25% just above"));
    CHECK_THAT(text, Contains("no ε meets all limits; nearest at ε = "));
    CHECK_THAT(text, Contains("with fresh draws N_w, 95th percentile: at most 50%; is 62.5%"));
    CHECK_THAT(text, Contains("Recommended: ε = ") &&
                         Contains("by the least share of words changed") &&
                         Contains("Equal ε across λ does not mean an equal guarantee"));
}

TEST_CASE("A recommendation tells of limits on the largest value and of words counted again") {
    Recommendation result = exampleRecommendation();
    CHECK_THAT(report::recommendationText(test::exampleProvenance(), result),
               !Contains("about the other words") && !Contains("counted again"));
    result.limits[0].aggregate = LimitAggregate::max;
    result.settings[0].cell.worst = WorstWords{10'000, {{3, "b", 4.0, 2'512}}};
    const std::string text = report::recommendationText(test::exampleProvenance(), result);
    CHECK_THAT(text, Contains("it says nothing about the other words (--words all)"));
    CHECK_THAT(text, Contains("counted again with 10,000 fresh draws each: at most 25.1%"));
}

TEST_CASE("Without a best setting the nearest limit is named") {
    const Recommendation result = withoutBest();
    const std::string sentence = report::shortfallSentence(result);
    CHECK_THAT(sentence, Contains("no ε meets all limits; nearest at λ = ") &&
                             Contains("is 75.0%, beyond the limit by 25.0%"));
    CHECK_THAT(report::recommendationText(test::exampleProvenance(), result),
               Contains("none") && !Contains("Recommended"));
    // Of two settings, the one that comes nearer.
    Recommendation both = exampleRecommendation();
    both.settings[0].epsilon.reset();
    both.best.reset();
    CHECK_THAT(report::shortfallSentence(both), Contains("beyond the limit by 6.25%"));
}

TEST_CASE("A recommendation says where it looked, and claims no more than it knows") {
    Recommendation result = withoutBest();
    const auto text = [&] { return report::recommendationText(test::exampleProvenance(), result); };
    CHECK_THAT(text(), Contains("no ε meets all limits; ") &&
                           Contains("(every ε from 0.250 to 32.0 was searched)") &&
                           !Contains("floor"));
    result.limits.pop_back();
    result.settings[0].checks.pop_back();
    CHECK_THAT(text(), Contains("N_w has a floor"));
    result.settings[0].everywhere = false;
    result.settings[0].looked = 1'234;
    CHECK_THAT(text(), Contains("no ε found that meets all limits; ") &&
                           Contains("(1,234 values of ε from 0.250 to 32.0 were tried)") &&
                           !Contains("floor"));
    CHECK_THAT(report::shortfallSentence(result), Contains("no ε found that meets all limits; "));
    result = exampleRecommendation();
    CHECK_THAT(text(), !Contains("were tried"));
    result.settings[0].everywhere = false;
    result.settings[0].looked = 99;
    CHECK_THAT(text(), Contains("99 values of ε from 0.250 to 32.0 were tried; between them a "
                                "larger one may meet the limits"));
}

TEST_CASE("The document of a recommendation has the keys of its schema in their order") {
    const auto json =
        report::recommendationJson(test::exampleProvenance(), exampleRecommendation(), 3);
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items()) {
        keys.push_back(key);
    }
    CHECK(keys == std::vector<std::string>{"schema", "version", "embedding", "mechanism", "limits",
                                           "match", "objective", "run", "best", "settings"});
    CHECK(json["schema"] == "epsilens.recommendation/1");
    CHECK(json["limits"] == ordered_json({"nw.p95<=50%", "kept.mean>=0.05"}));
    CHECK(json["objective"] == "changed");
    CHECK(json["best"] == 0);
    const ordered_json& first = json["settings"][0];
    CHECK(first["epsilon"] == first["cell"]["epsilon"]);
    CHECK(first["above"].get<double>() == first["epsilon"].get<double>() + 0.25);
    CHECK(first["binding"] == ordered_json({{"limit", "nw.p95<=50%"},
                                            {"value", 2.25},
                                            {"bound", 2.0},
                                            {"margin", -0.25},
                                            {"met", false}}));
    CHECK(
        first["searched"] ==
        ordered_json({{"from", 0.25}, {"to", 32.0}, {"everywhere", true}, {"epsilons", nullptr}}));
    CHECK(first["checks"].size() == 2);
    CHECK(first["checks"][0]["met"] == true);
    CHECK(first["fresh"]["seed"] == 8);
    CHECK(first["fresh"]["checks"][0]["met"] == false);
    CHECK(first["fresh"]["cell"]["nw"]["p95"] == 2.5);
    const ordered_json& second = json["settings"][1];
    CHECK(second["epsilon"].is_null());
    CHECK(second["above"].is_null());
    CHECK(second["fresh"].is_null());
}

TEST_CASE("A document without a best setting holds the error of the exit code") {
    const auto json = report::recommendationJson(test::exampleProvenance(), withoutBest(), 3);
    CHECK(json["best"].is_null());
    CHECK(json["error"]["code"] == "limitsNotMet");
    CHECK(json["error"]["exit"] == 3);
    CHECK_THAT(json["error"]["message"].get<std::string>(), Contains("no ε meets all limits"));
    Recommendation partial = withoutBest();
    partial.partial = true;
    partial.settingsAsked = 5;
    CHECK_THAT(report::recommendationText(test::exampleProvenance(), partial),
               Contains("PARTIAL: interrupted after 1 of 5 settings\n"));
    CHECK_FALSE(
        report::recommendationJson(test::exampleProvenance(), partial, 3).contains("error"));
}

TEST_CASE("Limits on figures stand beside those on words, with what was looked at") {
    using namespace epsilens::experiment;
    const Recommendation found = exampleRecommendation();
    FigureLimits figures;
    figures.limits = {parseFigureLimit("attack.gain<=5%").value()};
    LimitsFound within;
    within.epsilon = 1.0;
    within.checks = {checkFigure(figures.limits[0], {0.04, std::array{0.03, 0.045}})};
    within.fresh = {checkFigure(figures.limits[0], {0.048, std::array{0.04, 0.056}})};
    within.above = 1.1;
    within.binding = checkFigure(figures.limits[0], {0.045, std::array{0.04, 0.052}});
    within.searched = {0.25, 16.0};
    within.lookedTo = 2.0;
    within.looked = 23;
    LimitsFound beyond = within;
    beyond.epsilon.reset();
    beyond.binding = checkFigure(figures.limits[0], {0.25, std::array{0.2, 0.3}});
    beyond.closest = 0.25;
    figures.settings = {within, beyond};
    const std::string text = report::recommendationText(test::exampleProvenance(), found, &figures);
    CHECK_THAT(text, Contains("  3  gain of the best attacker over the prior: at most 5%, with "
                              "its whole interval"));
    CHECK_THAT(text, Contains("is 4.00% (3.00% to 4.50%), within the limit by 0.500%"));
    CHECK_THAT(text, Contains("is 4.50% (4.00% to 5.20%), beyond the limit by 0.200% at ε = 1.1"));
    CHECK_THAT(text, Contains("with fresh splits and draws attack.gain: 4.80% (4.00% to 5.60%), "
                              "beyond the limit"));
    CHECK_THAT(text, Contains("23 values of ε from 0.25 to 16 were tried, up to 2"));
    CHECK_THAT(text, Contains("above ε = 16 a limit on words fails"));
    CHECK_THAT(report::shortfallSentence(found, &figures),
               Contains("nearest at λ = ") &&
                   Contains("ε = 0.25: gain of the best attacker over the prior: at most 5%; is "
                            "25.0% (20.0% to 30.0%), beyond the limit by 25.0%"));
    const auto json = report::recommendationJson(test::exampleProvenance(), found, 3, &figures);
    CHECK(json["limits"].back() == "attack.gain<=5%");
    CHECK(json["settings"][0]["figures"]["checks"][0]["met"] == true);
    CHECK(json["settings"][0]["figures"]["fresh"][0]["met"] == false);
    CHECK(json["settings"][1]["figures"]["binding"]["met"] == false);
    CHECK(json["settings"][1]["figures"]["searched"]["lookedTo"] == 2.0);
}
