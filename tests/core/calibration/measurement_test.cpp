#include "core/calibration/measurement.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "core/calibration/epsilon_search.h"
#include "core/calibration/word_steps.h"
#include "core/engine/noise_series.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/support/refusal.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::calibration;
using Catch::Matchers::Contains;

namespace {

constexpr int kNearest = 6;
constexpr int kMeasuredDraws = 40;

MeasurementOptions optionsFor(const mechanism::Mechanism& kind) {
    return {{.words = {WordSelection::Kind::all},
             .draws = kMeasuredDraws,
             .seed = 5,
             .nearNeighbours = kNearest},
            kind};
}

// The first two rows are identical: the second is never returned.
engine::SearchSpace space() {
    RowMatrixF vectors = test::anisotropicVectors(70, 4, 311);
    vectors.row(1) = vectors.row(0);
    return test::spaceOf(vectors);
}

/// The run that a measurement stands for, at some epsilons.
CalibrationSummary runAt(const engine::SearchSpace& space, const MeasurementOptions& options,
                         std::vector<double> epsilons) {
    CalibrationOptions run = options.calibration();
    run.grid.epsilons = std::move(epsilons);
    return calibrate(space, run).value();
}

/// Every epsilon at which something changes, by steps that are made for this alone.
std::vector<double> changesOf(const engine::SearchSpace& space, const Measurement& measurement) {
    std::set<double> critical;
    const MeasurementOptions& options = measurement.options();
    const auto series =
        engine::createSeries(space, options.mechanism, options.calibration().grid.usedLambdas())
            .value();
    const auto all = gatherSteps(*series, options.calibration(),
                                 inRunOrder(measurement.words(), options.seed), nullptr, {})
                         .value();
    for (const WordSteps& steps : all) {
        for (const double epsilon : steps.criticalEpsilons(options.draws)) {
            if (epsilon > measurement.origin() && std::isfinite(epsilon)) {
                critical.insert(epsilon);
            }
        }
    }
    return {critical.begin(), critical.end()};
}

}  // namespace

TEST_CASE("A measurement has the values of calibrate() at any epsilon") {
    const auto kind =
        GENERATE(mechanism::Mechanism(mechanism::Laplace{}),
                 mechanism::Mechanism(mechanism::Mahalanobis{0.7}),
                 mechanism::Mechanism(mechanism::Hyperbolic{numeric::RadialLaw::riemannian}));
    const bool isInBall = kind.hasEpsilonBound();
    const engine::SearchSpace embedding =
        isInBall ? test::spaceOf(test::poincareVectors(40, 3, 0.9, 312)) : space();
    MeasurementOptions options = optionsFor(kind);
    options.independentDraws = GENERATE(false, true);
    const auto measured = measure(embedding, options).value();
    CHECK(measured->isInSteps());
    CHECK(measured->origin() == (isInBall ? 2.0 : 0.0));
    CHECK(measured->shown().low > measured->origin());
    // So many that a run searches at few of them and knows the others from the path of a draw; in
    // an order of their own, one of them twice.
    std::vector<double> epsilons =
        isInBall ? spread({2.3, 20.0}, 2.0, 40) : spread({0.05, 55.0}, 0.0, 40);
    std::reverse(epsilons.begin() + 10, epsilons.end());
    epsilons[3] = epsilons[25];
    const CalibrationSummary run = runAt(embedding, measured->options(), epsilons);
    const std::vector<Cell> cells = measured->cellsAt(epsilons);
    REQUIRE(cells.size() == epsilons.size());
    for (std::size_t e = 0; e < epsilons.size(); ++e) {
        CAPTURE(epsilons[e]);
        const Cell& expected = run.cells[e];
        CHECK(cells[e].epsilon == epsilons[e]);
        CHECK(cells[e].lambda == expected.lambda);
        for (const auto summary : {&Cell::nw, &Cell::sw, &Cell::minEntropy, &Cell::shannonEntropy,
                                   &Cell::hartleyEntropy}) {
            // Measurements have no intervals.
            calibration::Summary bare = expected.*summary;
            bare.ci95.reset();
            bare.sdTrue.reset();
            test::requireEqual(cells[e].*summary, bare);
        }
        CHECK(cells[e].kept == expected.kept);
        CHECK(cells[e].near == expected.near);
        CHECK(cells[e].far == expected.far);
        CHECK(cells[e].coverage == expected.coverage);
        CHECK(cells[e].meanDistance == Approx(expected.meanDistance).epsilon(1e-12));
        CHECK(*cells[e].meanCosine == Approx(*expected.meanCosine).epsilon(1e-12));
        const OutputShares shares = measured->sharesAt(epsilons[e]);
        CHECK(shares.kept == Approx(expected.kept).epsilon(1e-12));
        CHECK(shares.near == Approx(expected.near).epsilon(1e-12));
        CHECK(shares.kept + shares.near + shares.far == Approx(1.0));
        for (std::size_t word = 0; word < measured->words().size(); ++word) {
            const MeasuredWord values = measured->wordAt(word, epsilons[e]);
            const std::size_t at = word * epsilons.size() + e;
            CHECK(values.nw == run.perWord.nw[at]);
            CHECK(values.sw == run.perWord.sw[at]);
            CHECK(values.near / kMeasuredDraws == Approx(run.perWord.near[at]).epsilon(1e-6));
        }
    }
    CalibrationOptions again = measured->options().calibration();
    again.grid.epsilons = {10.0};
    again.criticalEpsilons = true;
    const CalibrationSummary critical = calibrate(embedding, again).value();
    for (std::size_t word = 0; word < measured->words().size(); ++word) {
        CHECK(static_cast<float>(measured->halfKept(word)) ==
              critical.perWord.criticalEpsilonMedian[word]);
    }
}

TEST_CASE("The outputs of a word add up to its counts") {
    const engine::SearchSpace embedding = space();
    const auto measured = measure(embedding, optionsFor(mechanism::Laplace{})).value();
    for (const std::size_t word : {std::size_t{0}, std::size_t{1}, std::size_t{33}}) {
        for (const double epsilon : {0.3, 2.0, 9.0}) {
            CAPTURE(word, epsilon);
            const auto outputs = measured->outputsAt(word, epsilon, 1000);
            std::map<calibration::OutputClass, double> counts;
            double all = 0.0;
            for (std::size_t i = 0; i < outputs.size(); ++i) {
                counts[outputs[i].outputClass] += outputs[i].count;
                all += outputs[i].count;
                CHECK((i == 0 || outputs[i - 1].count >= outputs[i].count));
                CHECK((outputs[i].outputClass == calibration::OutputClass::kept) ==
                      (outputs[i].row == measured->words()[word]));
            }
            const MeasuredWord values = measured->wordAt(word, epsilon);
            CHECK(all == kMeasuredDraws);
            CHECK(counts[calibration::OutputClass::kept] == values.nw);
            CHECK(counts[calibration::OutputClass::near] == values.near);
            CHECK(static_cast<double>(outputs.size()) == values.sw);
            CHECK(measured->outputsAt(word, epsilon, 1).front().row == outputs.front().row);
        }
    }
    // The twin of a lower row is never returned: its own vector is near, and never kept.
    CHECK(measured->halfKept(1) == std::numeric_limits<double>::infinity());
    CHECK(measured->outputsAt(1, 1e6, 5).front().row == 0);
    CHECK(measured->outputsAt(1, 1e6, 5).front().outputClass == calibration::OutputClass::near);
}

TEST_CASE("Weights count words in the shares and nowhere else") {
    const engine::SearchSpace embedding = space();
    MeasurementOptions options = optionsFor(mechanism::Mahalanobis{0.4});
    options.words = {WordSelection::Kind::list, 0, {40, 3, 17, 3}};
    const auto alike = measure(embedding, options).value();
    options.weights = {1.0, 2.0, 10.0, 3.0};
    const auto weighted = measure(embedding, options).value();
    // Row 3 is listed twice.
    CHECK(std::vector<double>(weighted->weights().begin(), weighted->weights().end()) ==
          std::vector{5.0, 10.0, 1.0});
    for (const double epsilon : {0.5, 2.0, 6.0}) {
        double kept = 0.0;
        double near = 0.0;
        for (std::size_t word = 0; word < 3; ++word) {
            const MeasuredWord values = weighted->wordAt(word, epsilon);
            kept += weighted->weights()[word] * values.nw;
            near += weighted->weights()[word] * values.near;
        }
        const OutputShares shares = weighted->sharesAt(epsilon);
        CHECK(shares.kept == Approx(kept / (16.0 * kMeasuredDraws)).epsilon(1e-12));
        CHECK(shares.near == Approx(near / (16.0 * kMeasuredDraws)).epsilon(1e-12));
        CHECK(weighted->cellsAt(std::vector{epsilon}).front().nw.mean ==
              alike->cellsAt(std::vector{epsilon}).front().nw.mean);
    }
    const auto refused = [&] { return measure(embedding, options).error().message; };
    options.weights = {1.0, 0.0, 1.0, 1.0};
    CHECK_THAT(refused(), Contains("weight 0") && Contains("above 0"));
    options.weights = {1.0, 2.0};
    CHECK_THAT(refused(), Contains("2 weights") && Contains("4 listed words"));
}

TEST_CASE("The largest epsilon within limits is exact") {
    const engine::SearchSpace embedding = space();
    const auto measured = measure(embedding, optionsFor(mechanism::Mahalanobis{0.5})).value();
    const auto limits =
        GENERATE(test::limitsOf({"nw.p95<=50%"}), test::limitsOf({"nw.mean<=30", "far.mean>=0.1"}),
                 test::limitsOf({"sw.p5>=9", "nw.p95<=95%"}),
                 test::limitsOf({"shannonEntropy.mean>=2.5", "minEntropy.p25>=0.4"}),
                 test::limitsOf({"near.mean>=0.12", "kept.p75<=0.6"}),
                 test::limitsOf({"meanDistance.mean>=1", "meanCosine.mean<=0.9"}));
    CAPTURE(limitText(limits[0]));
    const EpsilonFound found = measured->findLargest(limits, std::nullopt).value();
    REQUIRE(found.epsilon);
    REQUIRE(found.above);
    CHECK(allMet(measured->check(limits, *found.epsilon).value()));
    CHECK_FALSE(allMet(measured->check(limits, *found.above).value()));
    CHECK(found.binding->margin < 0.0);
    // Nothing larger meets the limits: looked at on both sides of every critical epsilon, and
    // densely between.
    std::vector<double> larger = changesOf(embedding, *measured);
    for (int i = 0; *found.above * std::pow(1.001, i) < 1e3; ++i) {
        larger.push_back(*found.above * std::pow(1.001, i));
    }
    std::vector<double> probes;
    for (const double epsilon : larger) {
        for (const double probe : {epsilon * (1.0 - 1e-9), epsilon, epsilon * (1.0 + 1e-9)}) {
            if (probe >= *found.above) {
                probes.push_back(probe);
            }
        }
    }
    for (const Cell& cell : measured->cellsAt(probes)) {
        CHECK_FALSE(test::meets(limits, cell, kMeasuredDraws));
    }
}

TEST_CASE("A search keeps to its bounds and says what is missed by least") {
    const engine::SearchSpace embedding = space();
    const auto measured = measure(embedding, optionsFor(mechanism::Laplace{})).value();
    const auto limits = test::limitsOf({"nw.mean<=50%"});
    const double free = *measured->findLargest(limits, std::nullopt).value().epsilon;
    auto found = measured->findLargest(limits, EpsilonSpan{0.25 * free, 0.5 * free}).value();
    CHECK(*found.epsilon == Approx(0.5 * free).epsilon(1e-5));
    CHECK(*found.epsilon <= 0.5 * free);
    CHECK_FALSE(found.above);
    found = measured->findLargest(limits, EpsilonSpan{2.0 * free, 4.0 * free}).value();
    CHECK_FALSE(found.epsilon);
    CHECK(found.closest == Approx(2.0 * free).epsilon(0.1));
    CHECK(found.closest >= 2.0 * free);
    CHECK(found.binding->limit == limits[0]);
    // More different outputs than draws.
    found = measured->findLargest(test::limitsOf({"sw.min>=41"}), std::nullopt).value();
    CHECK_FALSE(found.epsilon);
    double least = 1e9;
    for (int i = 0; i < 1157; ++i) {  // up to 100
        const double epsilon = 1e-3 * std::pow(1.01, i);
        least = std::min(least, 41.0 - measured->cellsAt(std::vector{epsilon}).front().sw.min);
    }
    CHECK(-found.binding->margin <= least);
    CHECK(measured->findLargest(test::limitsOf({"kw.min>=2"}), std::nullopt).error().code ==
          ErrorCode::unsupported);
    const JobContext stopped = test::stoppedJob();
    CHECK(
        measured->findLargest(test::limitsOf({"sw.min>=41"}), std::nullopt, stopped).error().code ==
        ErrorCode::cancelled);
    CHECK(measure(embedding, optionsFor(mechanism::Laplace{}), stopped).error().code ==
          ErrorCode::cancelled);
}

TEST_CASE("The axis shows where shares move") {
    const engine::SearchSpace embedding = space();
    const auto measured = measure(embedding, optionsFor(mechanism::Laplace{})).value();
    const EpsilonSpan span = measured->shown();
    CHECK(measured->sharesMove());
    CHECK(measured->sharesAt(span.low).kept < 0.3);
    CHECK(measured->sharesAt(span.high).kept > 0.9);
    // Two words whose vectors are the same leave nothing to draw.
    const auto alike = test::spaceOf(RowMatrixF::Constant(2, 2, 1.0F));
    const auto still = measure(alike, optionsFor(mechanism::Laplace{})).value();
    CHECK_FALSE(still->sharesMove());
    CHECK(still->sharesAt(1.0).kept == 0.5);
    CHECK(still->shown().low < still->shown().high);
    CHECK(still->findLargest(test::limitsOf({"nw.mean<=60%"}), std::nullopt).value().epsilon);
    CHECK_FALSE(still->findLargest(test::limitsOf({"nw.mean<=40%"}), std::nullopt).value().epsilon);
}

TEST_CASE("A limit on kept words is missed from the largest epsilon within it on") {
    const auto measurement =
        measure(test::toySpace(70, 4, 311),
                optionsFor(GENERATE(mechanism::Mechanism(mechanism::Mahalanobis{0.5}),
                                    mechanism::Mechanism(mechanism::Tem{}))))
            .value();
    const auto limits = test::limitsOf({"nw.p95<=50%"});
    const LimitSpans spans = limitSpans(*measurement, limits, measurement->shown()).value();
    REQUIRE(spans.outside.size() == 1);
    CHECK(spans.outside.front().low >= *spans.largest.epsilon);
    if (measurement->isInSteps()) {
        CHECK(spans.outside.front().low == *spans.largest.epsilon);
    }
    // As far as the axis can be moved.
    CHECK(spans.outside.front().high == Approx(1e4 * measurement->shown().high));
}

TEST_CASE("Every epsilon outside misses a limit, and every other one meets them") {
    const auto measurement =
        measure(test::toySpace(70, 4, 311), optionsFor(mechanism::Mahalanobis{0.5})).value();
    // Two limits that leave a span between them: words vary enough, and enough of them survive.
    const auto limits = test::limitsOf({"sw.mean>=5", "kept.mean>=10%"});
    const EpsilonSpan shown = measurement->shown();
    const LimitSpans spans = limitSpans(*measurement, limits, shown).value();
    REQUIRE(spans.outside.size() == 2);
    // Borders are known to half the way between two points.
    constexpr double kBetween = 1.05;
    constexpr int kSteps = 1000;
    for (int step = 0; step < kSteps; ++step) {
        const double epsilon =
            shown.low * std::pow(50.0 * shown.high / shown.low, static_cast<double>(step) / kSteps);
        const bool isOutside = std::ranges::any_of(spans.outside, [&](const EpsilonSpan& span) {
            return epsilon > span.low * kBetween && epsilon < span.high / kBetween;
        });
        const bool isInside =
            epsilon > spans.outside[0].high * kBetween && epsilon < spans.outside[1].low / kBetween;
        CAPTURE(epsilon);
        CHECK((!isOutside || !allMet(measurement->check(limits, epsilon).value())));
        CHECK((!isInside || allMet(measurement->check(limits, epsilon).value())));
    }
}

TEST_CASE("What no epsilon meets is outside everywhere, and a search can be stopped") {
    const auto measurement = measure(space(), optionsFor(mechanism::Laplace{})).value();
    const auto limits = test::limitsOf({"sw.mean>=71"});
    const EpsilonSpan shown = measurement->shown();
    const LimitSpans spans = limitSpans(*measurement, limits, shown).value();
    CHECK_FALSE(spans.largest.epsilon);
    REQUIRE(spans.outside.size() == 1);
    CHECK(spans.outside.front().low == Approx(1e-4 * shown.low));
    CHECK(spans.outside.front().high == Approx(1e4 * shown.high));
    CHECK(limitSpans(*measurement, limits, shown, test::stoppedJob()).error().code ==
          ErrorCode::cancelled);
}
