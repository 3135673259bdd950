#include "core/experiment/known_figures.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/experiment/limited_recommendation.h"
#include "tests/core/calibration/limits_of.h"
#include "tests/core/experiment/two_clusters.h"

// Reference: the same search from nothing.

using namespace epsilens;
using namespace epsilens::experiment;

namespace {

LimitedOptions optionsWithin(const char* risk, const char* use) {
    LimitedOptions options;
    options.evaluation = test::clusteredOptions("mahalanobis");
    options.evaluation.attack.prior = PriorKind::uniform;
    options.evaluation.grid.epsilons = {0.2, 30.0};
    options.figures = {parseFigureLimit(risk).value(), parseFigureLimit(use).value()};
    options.search.calibration.grid = options.evaluation.grid;
    options.search.calibration.words = {calibration::WordSelection::Kind::all, 0, {}};
    return options;
}

void checkSame(const std::vector<FigureCheck>& is, const std::vector<FigureCheck>& expected) {
    REQUIRE(is.size() == expected.size());
    for (std::size_t i = 0; i < is.size(); ++i) {
        CHECK(is[i].figure.value == expected[i].figure.value);
        CHECK(is[i].figure.ci95 == expected[i].figure.ci95);
        CHECK(is[i].margin == expected[i].margin);
    }
}

}  // namespace

TEST_CASE("What is known of a place is what was added first, and of no other place") {
    KnownFigures known;
    const KnownFigures::Place place{
        mechanism::Mechanism(mechanism::Mahalanobis{0.5}), 3, 2.5, {FigureName::Kind::gain, {}}};
    CHECK_FALSE(known.find(place));
    known.add(place, {0.25, std::nullopt});
    known.add(place, {0.75, std::nullopt});
    CHECK(known.find(place)->value == 0.25);
    CHECK(known.size() == 1);
    KnownFigures::Place other = place;
    other.seed = 4;
    CHECK_FALSE(known.find(other));
    other = place;
    other.epsilon = 2.6;
    CHECK_FALSE(known.find(other));
    other = place;
    other.figure.kind = FigureName::Kind::best;
    CHECK_FALSE(known.find(other));
    other = place;
    other.mechanism = mechanism::Mechanism(mechanism::Mahalanobis{0.25});
    CHECK_FALSE(known.find(other));
}

TEST_CASE("A search that knows figures finds what one from nothing does, and measures less") {
    const DataSet data = test::clusteredDocuments(150);
    const auto known = std::make_shared<KnownFigures>();
    LimitedOptions first = optionsWithin("attack.best<=60%", "classify.linear.accuracy>=60%");
    first.known = known;
    REQUIRE(recommendWithin(test::twoClusters(), data, first));
    const std::size_t before = known->size();
    CHECK(before > 0);

    const char* risk = GENERATE("attack.best<=50%", "attack.best<=75%");
    LimitedOptions second = optionsWithin(risk, "classify.linear.accuracy>=65%");
    second.known = std::make_shared<KnownFigures>();
    std::vector<double> fractions;
    const JobContext job{{},
                         [&](const Progress& progress) { fractions.push_back(progress.fraction); }};
    const LimitedRecommendation fromNothing =
        recommendWithin(test::twoClusters(), data, second, job).value();
    CHECK(std::is_sorted(fractions.begin(), fractions.end()));
    const std::size_t all = second.known->size();
    fractions.clear();
    second.known = known;
    const LimitedRecommendation found =
        recommendWithin(test::twoClusters(), data, second, job).value();
    CHECK(std::is_sorted(fractions.begin(), fractions.end()));
    const std::size_t measured = known->size() - before;
    CAPTURE(risk, before, all, measured);
    // Far apart they look at the same epsilons, close to their ends at others.
    CHECK(measured < all);
    // What was measured once is not measured again.
    REQUIRE(recommendWithin(test::twoClusters(), data, second));
    CHECK(known->size() == before + measured);

    REQUIRE(found.figures.settings.size() == fromNothing.figures.settings.size());
    for (std::size_t i = 0; i < found.figures.settings.size(); ++i) {
        const LimitsFound& is = found.figures.settings[i];
        const LimitsFound& expected = fromNothing.figures.settings[i];
        CHECK(is.epsilon == expected.epsilon);
        CHECK(is.above == expected.above);
        CHECK(is.looked == expected.looked);
        CHECK(is.lookedTo == expected.lookedTo);
        checkSame(is.checks, expected.checks);
        checkSame(is.fresh, expected.fresh);
    }
    // Without being given any, a search keeps none.
    second.known.reset();
    CHECK(recommendWithin(test::twoClusters(), data, second)
              .value()
              .figures.settings.front()
              .epsilon == found.figures.settings.front().epsilon);
}

TEST_CASE("The progress of a search never falls, also with limits on words beside those on texts") {
    const DataSet data = test::clusteredDocuments(100);
    LimitedOptions options = optionsWithin("attack.best<=60%", "classify.linear.accuracy>=60%");
    options.search.limits = test::limitsOf({"nw.mean<=60%"});
    std::vector<double> fractions;
    std::vector<std::string> stages;
    const JobContext job{{}, [&](const Progress& progress) {
                             fractions.push_back(progress.fraction);
                             stages.emplace_back(progress.stage);
                         }};
    REQUIRE(recommendWithin(test::twoClusters(), data, options, job));
    CHECK(std::is_sorted(fractions.begin(), fractions.end()));
    const auto isTrying = [](const std::string& stage) {
        return stage.find("trying ε = ") != std::string::npos;
    };
    const auto first = std::find_if(stages.begin(), stages.end(), isTrying);
    const auto last = std::find_if(stages.rbegin(), stages.rend(), isTrying);
    REQUIRE(first != stages.end());
    // It is most of the work, and counts so.
    CHECK(fractions[static_cast<std::size_t>(last.base() - stages.begin()) - 1] -
              fractions[static_cast<std::size_t>(first - stages.begin())] >
          0.3);
}
