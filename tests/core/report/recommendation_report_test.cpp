#include "core/report/recommendation_report.h"

#include <string>
#include <utility>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/report/command_fields.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/report_text.h"

using namespace epsilens;
using namespace epsilens::attack;
using namespace epsilens::evaluation;
using namespace epsilens::calibration;
using Catch::Matchers::Contains;

namespace {

/// The first two settings of the example: one with an epsilon of 1.5, one without.
LimitedRecommendation exampleRecommendation() {
    LimitedRecommendation result;
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
        setting.checks = checkLimits(result.limits, setting.cell, 4).value();
        if (i == 0) {
            setting.epsilon = setting.cell.epsilon;
            setting.above = setting.cell.epsilon + 0.25;
            setting.freshCell = setting.cell;
            setting.freshCell->nw.p95 = 2.5;
            setting.freshChecks = checkLimits(result.limits, *setting.freshCell, 4).value();
            Cell above = setting.cell;
            above.nw.p95 = 2.25;
            setting.binding = checkLimit(result.limits[0], above, 4).value();
        } else {
            setting.binding = setting.checks.front();
        }
        result.settings.push_back(std::move(setting));
    }
    result.run.cells = {result.settings[0].cell, result.settings[1].cell};
    result.best = 0;
    return result;
}

nlohmann::ordered_json jsonOf(const LimitedRecommendation& result) {
    Provenance provenance = test::exampleProvenance();
    const auto fields = report::recommendationFields(provenance, 3);
    CHECK(test::isReadBack(fields, result));
    provenance = test::exampleProvenance();
    return fields.write(result);
}

std::string recommended(const LimitedRecommendation& result) {
    return report::recommendationText(test::exampleProvenance(), result);
}

}  // namespace

TEST_CASE("A recommendation as text and as JSON is as approved") {
    const LimitedRecommendation result = exampleRecommendation();
    test::checkApproved("recommendation.txt", recommended(result));
    test::checkApproved("recommendation.json", jsonOf(result).dump(1));
    // 1.5 of 4 in the search, 2.5 with fresh draws, which misses the limit; 2.25 just above.
    CHECK_THAT(recommended(result), Contains("1.50  2.50 ✗"));
}

TEST_CASE("A recommendation tells of limits on the largest value and of words counted again") {
    LimitedRecommendation result = exampleRecommendation();
    CHECK_THAT(recommended(result), !Contains("about the other words") && !Contains("fresh draws"));
    result.limits[0].aggregate = LimitAggregate::max;
    result.settings[0].cell.worst = WorstWords{10'000, {{3, "b", 4.0, 2'512}}};
    CHECK_THAT(recommended(result), Contains("it says nothing about the other words") &&
                                        Contains("at most 25.1% of 10,000 fresh draws"));
}

TEST_CASE(
    "Without a best setting the nearest limit is named, and no more is claimed than is known") {
    LimitedRecommendation result = exampleRecommendation();
    result.settings.erase(result.settings.begin());
    result.best.reset();
    const auto shortfall = [&result] { return report::shortfallSentence(result); };
    CHECK_THAT(shortfall(), Contains("no ε meets all limits; nearest at λ = ") &&
                                Contains("are kept in at most 2 of 4 draws: NO, 3"));
    CHECK_THAT(recommended(result), Contains("none") && !Contains("Recommended") &&
                                        Contains("every ε from 0.250 to 32.0"));
    const auto json = jsonOf(result);
    CHECK(json["best"].is_null());
    CHECK(json["error"]["code"] == "limitsNotMet");
    CHECK(json["error"]["exit"] == 3);
    CHECK(json["error"]["message"] == shortfall());
    result.settings[0].everywhere = false;
    result.settings[0].looked = 1'234;
    CHECK_THAT(recommended(result), Contains("1,234 values from 0.250 to 32.0") &&
                                        Contains("a larger one may meet the limits"));
    CHECK_THAT(shortfall(), Contains("no ε found that meets all limits; "));
    result.partial = result.run.partial = true;
    result.settingsAsked = 5;
    CHECK_THAT(recommended(result), Contains("PARTIAL: interrupted after 1 of 5 settings\n"));
    CHECK_FALSE(jsonOf(result).contains("error"));
    // Of two settings, the one that comes nearer.
    result = exampleRecommendation();
    result.settings[0].epsilon.reset();
    result.best.reset();
    CHECK_THAT(shortfall(), Contains("NO, 2.25"));
}

TEST_CASE("Limits on figures stand beside those on words, with what was looked at") {
    LimitedRecommendation found = exampleRecommendation();
    const FigureLimit limit = parseFigureLimit("attack.gain<=5%").value();
    found.figureLimits = {limit};
    LimitsFound within;
    within.epsilon = 1.0;
    within.checks = {checkFigure(limit, {0.04, std::array{0.03, 0.045}})};
    within.fresh = {checkFigure(limit, {0.048, std::array{0.04, 0.056}})};
    within.above = 1.1;
    within.binding = checkFigure(limit, {0.045, std::array{0.04, 0.052}});
    within.searched = {0.25, 16.0};
    within.lookedTo = 2.0;
    within.tried.resize(23);
    LimitsFound beyond = within;
    beyond.epsilon.reset();
    beyond.binding = checkFigure(limit, {0.25, std::array{0.2, 0.3}});
    beyond.closest = 0.25;
    found.figures = {within, beyond};
    test::checkApproved("recommendation_on_texts.txt", recommended(found));
    test::checkApproved("recommendation_on_texts.json", jsonOf(found).dump(1));
    CHECK_THAT(report::shortfallSentence(found),
               Contains("nearest at λ = ") &&
                   Contains("an attacker guesses at most 5 of 100 words more than without the "
                            "release: NO, 25 (20 to 30)"));
}
