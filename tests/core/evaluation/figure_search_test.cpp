#include "core/evaluation/figure_search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/numbers.h"
#include "core/base/random_stream.h"
#include "core/report/recommendation_report.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/core/evaluation/two_clusters.h"

// References: closed forms of monotone figures; of others, looking at every epsilon that was read.
// Reference: one evaluation of all mechanisms at all epsilons of a scan, which shares neither the
// order nor the grouping of the search.

using namespace epsilens;
using namespace epsilens::corpus;
using namespace epsilens::attack;
using namespace epsilens::evaluation;
using calibration::EpsilonSpan;
using Catch::Matchers::Contains;
using test::clusteredDocuments;
using test::clusteredOptions;
using test::twoClusters;

namespace {

using Curve = std::function<double(double)>;

/// An epsilon and the figures that were read there.
struct Reading {
    double epsilon = 0.0;
    std::vector<FigureValue> figures{};
};

/// Figures that follow curves, each with an interval of a half width; keeps what was read.
struct Source {
    std::vector<Curve> curves{};
    double half = 0.0;
    std::vector<Reading> all{};
    int measured = 0;

    ReadFigures reader() {
        return [this](std::span<const double> epsilons, std::span<const std::size_t> figures,
                      const JobContext&) -> Result<Readings> {
            CHECK(std::is_sorted(epsilons.begin(), epsilons.end()));
            Readings readings;
            for (const double epsilon : epsilons) {
                Reading reading{epsilon, {}};
                for (const std::size_t figure : figures) {
                    const double value = curves[figure](epsilon);
                    ++measured;
                    reading.figures.push_back(
                        {value, half > 0.0 ? std::optional(std::array{value - half, value + half})
                                           : std::nullopt});
                }
                readings.push_back(reading.figures);
                all.push_back(reading);
            }
            std::sort(all.begin(), all.end(),
                      [](const Reading& a, const Reading& b) { return a.epsilon < b.epsilon; });
            return readings;
        };
    }
};

/// Reaches a half at `middle`.
Curve rising(double middle) {
    return [middle](double epsilon) { return epsilon / (epsilon + middle); };
}

const FigureLimit kMatch = parseFigureMatch("attack.best=20%").value();
const EpsilonSpan kSpan{0.5, 50.0};
// Ratio of neighbouring epsilons of a scan of kSpan, and of a step that was halved; 6 digits
// beside.
constexpr int kSteps = 2 * kStepsPerDecade;
const double kStep = std::pow(100.0, 1.0 / kSteps) * (1.0 + 2e-5);
const double kFine = std::pow(kStep, std::pow(0.5, kHalvings)) * (1.0 + 2e-5);

Result<LimitsFound> findMatch(const ReadFigures& read, const JobContext& job = {}) {
    return findWithinLimits(kSpan, 0.0, {kMatch}, nullptr, read, job);
}

EvaluationOptions attackOptions(const char* mechanism) {
    EvaluationOptions options = clusteredOptions(mechanism);
    options.attack.prior = PriorKind::uniform;
    options.tasks = {Task::reconstruct};
    options.grid.epsilons = {0.2, 30.0};
    return options;
}

/// All epsilons of a scan, and values of a figure there, by mechanism.
std::vector<std::vector<FigureValue>> scanned(const DataSet& data, EvaluationOptions options,
                                              const FigureName& figure,
                                              const std::vector<double>& epsilons) {
    options = optionsFor({figure}, std::move(options));
    options.grid.epsilons = epsilons;
    const EvaluationSummary summary =
        Evaluation::create(twoClusters(), data, options).value().run().value();
    std::vector<std::vector<FigureValue>> values(summary.cells.size() / epsilons.size());
    for (std::size_t cell = 0; cell < summary.cells.size(); ++cell) {
        values[cell / epsilons.size()].push_back(figureOf(summary, kBaselines + cell, figure));
    }
    return values;
}

/// A search for where the settings of attackOptions have a value.
LimitedOptions matchOptions(const char* mechanism, const char* match) {
    LimitedOptions options;
    options.evaluation = attackOptions(mechanism);
    options.figures = {parseFigureMatch(match).value()};
    options.search.calibration.grid = options.evaluation.grid;
    options.search.calibration.words = {calibration::WordSelection::Kind::all, 0, {}};
    return options;
}

}  // namespace

TEST_CASE("A scan has both ends and even steps of the logarithm above the origin") {
    // Two decades, and the 2.7 of 49.6 / 0.1: 8 steps in each.
    const auto [origin, steps] = GENERATE(std::pair(0.0, 16), std::pair(0.4, 22));
    const std::vector<double> epsilons = scanEpsilons(kSpan, origin);
    REQUIRE(epsilons.size() == static_cast<std::size_t>(steps) + 1);
    CHECK(epsilons.front() == kSpan.low);
    CHECK(epsilons.back() == kSpan.high);
    const double step = std::pow((50.0 - origin) / (0.5 - origin), 1.0 / steps);
    for (std::size_t i = 1; i < epsilons.size(); ++i) {
        CHECK((epsilons[i] - origin) / (epsilons[i - 1] - origin) == Approx(step).epsilon(1e-4));
    }
    // No digits are left between the ends: still rising, and within them.
    const std::vector<double> narrow = scanEpsilons({1.0, 1.0 + 1e-9}, 0.0);
    CHECK(std::is_sorted(narrow.begin(), narrow.end()));
    CHECK(std::adjacent_find(narrow.begin(), narrow.end()) == narrow.end());
    CHECK(scanEpsilons({2.0, 2.0}, 0.0) == std::vector{2.0});
}

TEST_CASE("A value that is exceeded from the start, or never, is not matched") {
    Source above{{[](double) { return 0.5; }}, 0.1};
    const LimitsFound first = findMatch(above.reader()).value();
    CHECK_FALSE(first.epsilon);
    CHECK(first.checks.front().figure.value == 0.5);
    CHECK(first.closest == kSpan.low);
    // Exceeded: nothing larger is looked at than what was asked for at once.
    CHECK(first.tried.size() < kSteps);
    Source below{{[](double) { return 0.15; }}, 0.1};
    const LimitsFound never = findMatch(below.reader()).value();
    CHECK_FALSE(never.epsilon);
    CHECK(never.closest == kSpan.high);
    CHECK(never.tried.size() == kSteps + 1);
    Source none{{[](double) { return std::nan(""); }}};
    CHECK_FALSE(findMatch(none.reader()).value().epsilon);
}

TEST_CASE("Whatever the figure, a match is the largest of a run of what was read from the start") {
    SeededStream stream({1, StreamPurpose::wordSelection, 0, 0});
    for (int trial = 0; trial < 200; ++trial) {
        const double middle = 5.0 + 30.0 * stream.uniform();
        const double swing = 0.2 * stream.uniform();
        const double phase = 6.0 * stream.uniform();
        Source source{{[=](double epsilon) {
                          return epsilon / (epsilon + middle) +
                                 swing * std::sin(phase + 9.0 * std::log(epsilon));
                      }},
                      0.03};
        const LimitsFound found = findMatch(source.reader()).value();
        std::optional<double> expected;
        for (const Reading& reading : source.all) {
            if (reading.figures.front().value > kMatch.share()) {
                break;
            }
            expected = reading.epsilon;
        }
        CAPTURE(trial);
        const bool isExceeded = std::any_of(
            source.all.begin(), source.all.end(),
            [](const Reading& reading) { return reading.figures.front().value > kMatch.share(); });
        CHECK(found.epsilon == (isExceeded ? expected : std::nullopt));
        CHECK((!found.epsilon || *found.above / *found.epsilon < kFine));
        CHECK(found.tried.size() == source.all.size());
        CHECK(found.lookedTo == source.all.back().epsilon);
    }
}

TEST_CASE("Limits on use alone are searched over the whole span") {
    const std::vector<FigureLimit> limits{
        parseFigureLimit("classify.linear.accuracy>=50%").value()};
    // Above a half between 4 and 30 only.
    Source source{{[](double epsilon) { return epsilon > 4.0 && epsilon < 30.0 ? 0.7 : 0.2; }}};
    const LimitsFound found =
        findWithinLimits(kSpan, 0.0, limits, nullptr, source.reader()).value();
    REQUIRE(found.epsilon);
    CHECK(*found.epsilon < 30.0);
    CHECK(*found.epsilon > 30.0 / kFine);
    CHECK(found.lookedTo == 50.0);
    Source always{{[](double) { return 0.7; }}};
    const LimitsFound end = findWithinLimits(kSpan, 0.0, limits, nullptr, always.reader()).value();
    CHECK(end.epsilon == 50.0);
    CHECK_FALSE(end.above);
}

TEST_CASE("Without an epsilon it is said where the limits are missed by least, and by how much") {
    const std::vector<FigureLimit> limits{
        parseFigureLimit("attack.gain<=20%").value(),
        parseFigureLimit("classify.linear.accuracy>=80%").value()};
    Source source{{rising(20.0), rising(20.0)}};
    const LimitsFound found =
        findWithinLimits(kSpan, 0.0, limits, nullptr, source.reader()).value();
    CHECK_FALSE(found.epsilon);
    // Risk is kept up to 5, where use is missed by three times as much as a step beyond.
    CHECK(found.closest > 5.0);
    CHECK(found.closest < 5.0 * kStep);
    CHECK(found.binding->limit == limits[1]);
    CHECK(found.binding->margin == Approx(found.closest / (found.closest + 20.0) - 0.8));

    Source risky{{[](double) { return 0.6; }, [](double) { return 0.9; }}};
    const LimitsFound none = findWithinLimits(kSpan, 0.0, limits, nullptr, risky.reader()).value();
    CHECK_FALSE(none.epsilon);
    CHECK(none.closest == kSpan.low);
    CHECK(none.binding->limit == limits[0]);
    CHECK(none.binding->margin == Approx(-0.4));
}

// Reference: the curves at every epsilon that was looked at, in plain order, whatever the search
// measured there.
TEST_CASE("Figures are measured only where they matter, and what is found is what all would find") {
    SeededStream stream({2, StreamPurpose::wordSelection, 0, 0});
    const std::vector<FigureLimit> limits{
        parseFigureLimit("classify.linear.accuracy>=50%").value(),
        parseFigureLimit("attack.gain<=20%").value(),
        parseFigureLimit("classify.vectors.macroF1>=45%").value()};
    int found = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const auto waving = [&](double most) {
            const double middle = 0.1 * most + most * stream.uniform();
            const double swing = 0.2 * stream.uniform();
            const double phase = 6.0 * stream.uniform();
            return Curve([=](double epsilon) {
                return epsilon / (epsilon + middle) +
                       swing * std::sin(phase + 7.0 * std::log(epsilon));
            });
        };
        Source source{{waving(3.0), waving(40.0), waving(5.0)}, 0.01};
        const double mostOfWords = 60.0 * stream.uniform();
        const auto also = [&](double epsilon) -> Result<bool> { return epsilon < mostOfWords; };
        const auto isWithin = [&](double epsilon, bool risk) {
            for (std::size_t i = 0; i < limits.size(); ++i) {
                const double value = source.curves[i](epsilon);
                const bool isMet =
                    checkFigure(limits[i], {value, std::array{value - 0.01, value + 0.01}}).met();
                if (limits[i].figure.isRisk() == risk && !isMet) {
                    return false;
                }
            }
            return true;
        };
        const LimitsFound is = findWithinLimits(kSpan, 0.0, limits, also, source.reader()).value();
        std::vector<double> scan;
        for (const Reading& reading : source.all) {
            if (scan.empty() || scan.back() != reading.epsilon) {
                scan.push_back(reading.epsilon);
            }
        }
        std::optional<std::size_t> last;
        std::size_t end = 0;
        for (; end < scan.size() && isWithin(scan[end], true); ++end) {
            last = isWithin(scan[end], false) && scan[end] < mostOfWords ? end : last;
        }
        CAPTURE(trial, end);
        REQUIRE(is.epsilon.has_value() == last.has_value());
        CHECK(is.checks.size() == limits.size());
        // All that was measured is told.
        int told = 0;
        for (const TriedEpsilon& tried : is.tried) {
            told += static_cast<int>(tried.checks.size());
            for (const FigureCheck& check : tried.checks) {
                const auto place = std::find(limits.begin(), limits.end(), check.limit);
                CHECK(
                    check.figure.value ==
                    source.curves[static_cast<std::size_t>(place - limits.begin())](tried.epsilon));
            }
        }
        CHECK(told == source.measured);
        CHECK(source.measured <= static_cast<int>(is.tried.size() * limits.size()));
        if (!last) {
            // None of those told of in full misses a limit by less.
            const auto missed = [](const std::vector<FigureCheck>& checks) {
                return std::ranges::min(checks, {}, &FigureCheck::margin).margin;
            };
            for (const TriedEpsilon& tried : is.tried) {
                if (tried.checks.size() == limits.size()) {
                    CHECK(std::min(missed(tried.checks), 0.0) <= std::min(missed(is.checks), 0.0));
                }
            }
            CHECK(std::ranges::find(is.tried, is.closest, &TriedEpsilon::epsilon)->checks.size() ==
                  limits.size());
            continue;
        }
        ++found;
        CHECK(*is.epsilon == scan[*last]);
        // What is next misses something, and is near.
        CHECK((!is.above || *is.above / *is.epsilon < kFine));
        CHECK((!is.above || !isWithin(*is.above, true) || !isWithin(*is.above, false) ||
               *is.above >= mostOfWords));
        CHECK(is.above.has_value() == (*is.epsilon < kSpan.high));
        CHECK(is.binding.has_value() ==
              (is.above && (!isWithin(*is.above, true) || !isWithin(*is.above, false))));
    }
    CHECK(found > 50);
    CHECK(found < 290);
}

TEST_CASE("Use is not measured below the largest epsilon that meets all limits, but for a few") {
    const std::vector<FigureLimit> limits{
        parseFigureLimit("attack.gain<=50%").value(),
        parseFigureLimit("classify.linear.accuracy>=10%").value()};
    std::vector<double> attacked;
    std::vector<double> learned;
    const Source source{{rising(20.0), rising(1.0)}};
    const ReadFigures read = [&](std::span<const double> epsilons,
                                 std::span<const std::size_t> figures, const JobContext&) {
        Readings readings;
        REQUIRE(figures.size() == 1);
        for (const double epsilon : epsilons) {
            (figures.front() == 0 ? attacked : learned).push_back(epsilon);
            readings.push_back({{source.curves[figures.front()](epsilon), std::nullopt}});
        }
        return Result<Readings>(readings);
    };
    const LimitsFound found = findWithinLimits(kSpan, 0.0, limits, nullptr, read).value();
    // 20 / (20 + 20) is a half.
    REQUIRE(found.epsilon);
    CHECK(*found.epsilon <= 20.0);
    CHECK(*found.epsilon > 20.0 / kFine);
    CHECK(attacked.size() > learned.size());
    // The two ends of the step that is halved, and eight at once at the last.
    CHECK(learned.size() <= 2 + 8);
    // Five steps at once up to 28.1, and the halvings of the one between 15.8 and 21.1.
    CHECK(*std::max_element(attacked.begin(), attacked.end()) == Approx(28.1171).epsilon(1e-5));
    CHECK(attacked.size() == 15 + kHalvings);
}

TEST_CASE("A search says what it tries, and how far it is") {
    Source source{{rising(20.0)}};
    std::vector<std::string> stages;
    std::vector<double> fractions;
    const ReadFigures read = [plain = source.reader()](std::span<const double> epsilons,
                                                       std::span<const std::size_t> figures,
                                                       const JobContext& job) {
        job.progress(0.5, "what goes on within");
        return plain(epsilons, figures, job);
    };
    const JobContext job{{}, [&](const Progress& progress) {
                             stages.emplace_back(progress.stage);
                             fractions.push_back(progress.fraction);
                         }};
    REQUIRE(findMatch(read, job).value().epsilon);
    // Epsilons are 0.5 times powers of 10^(1/8).
    CHECK(stages.front() == "trying ε = 0.500 to 1.58");
    CHECK(std::is_sorted(fractions.begin(), fractions.end()));
}

TEST_CASE("A search fails as what it reads does") {
    const ReadFigures cancelled = [](std::span<const double>, std::span<const std::size_t>,
                                     const JobContext&) {
        return Result<Readings>(tl::unexpected(Error{ErrorCode::cancelled, "cancelled"}));
    };
    CHECK(findMatch(cancelled).error().code == ErrorCode::cancelled);
}

TEST_CASE("Settings are matched where a whole scan finds them") {
    const auto [mechanism, text] =
        GENERATE(std::pair("mahalanobis", "attack.best=30%"), std::pair("tem", "attack.best=30%"),
                 std::pair("mahalanobis", "attack.upper=50%"));
    CAPTURE(mechanism, text);
    const DataSet data = clusteredDocuments(150);
    const LimitedOptions options = matchOptions(mechanism, text);
    const LimitedRecommendation matched = recommendWithin(twoClusters(), data, options).value();
    const std::vector<double> epsilons = scanEpsilons({0.2, 30.0}, 0.0);
    const FigureLimit& match = options.figures.front();
    const auto values = scanned(data, options.evaluation, match.figure, epsilons);
    REQUIRE(matched.figures.settings.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const LimitsFound& found = matched.figures.settings[i];
        const auto first = static_cast<std::size_t>(
            std::find_if(values[i].begin(), values[i].end(),
                         [&](const FigureValue& figure) { return figure.value > match.share(); }) -
            values[i].begin());
        REQUIRE(first > 0);
        REQUIRE(first < epsilons.size());
        REQUIRE(found.epsilon);
        CHECK(*found.epsilon >= epsilons[first - 1]);
        CHECK(*found.epsilon < epsilons[first]);
        CHECK(found.checks.front().figure.value <= match.share());
        CHECK(matched.found.settings[i].epsilon == found.epsilon);
    }
}

TEST_CASE("A success below that of the prior, and one that no setting reaches, are told") {
    const DataSet data = clusteredDocuments(100);
    LimitedOptions options = matchOptions("tem", "attack.best=0.1%");
    // The commonest of 40 words makes up more than a thousandth of the text.
    options.evaluation.attack.prior = PriorKind::training;
    const auto refused = recommendWithin(twoClusters(), data, options);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::invalidArgument);
    CHECK_THAT(refused.error().message, Contains("by the prior"));
    options = matchOptions("tem", "attack.best=90%");
    options.search.calibration.grid.epsilons = {0.2, 0.3};
    const LimitedRecommendation never = recommendWithin(twoClusters(), data, options).value();
    CHECK_FALSE(never.found.best);
    CHECK_THAT(report::shortfallSentence(never.found, &never.figures),
               Contains("attack.best=90%") && Contains("ε = 0.3"));
    CHECK_THAT(recommendWithin(twoClusters(), data, matchOptions("tem", "attack.upper=50%"))
                   .error()
                   .message,
               Contains("tem has no noisy vector"));
    // Without a release one of 40 words is guessed.
    CHECK_THAT(recommendWithin(twoClusters(), data, matchOptions("laplace", "attack.upper=2.5%"))
                   .error()
                   .message,
               Contains("guesses 2.50% of"));
}

TEST_CASE("Limits on figures hold where a whole scan says that they do") {
    const DataSet data = clusteredDocuments(150);
    LimitedOptions options;
    options.evaluation = attackOptions("mahalanobis");
    options.figures = {parseFigureLimit("attack.best<=60%").value(),
                       parseFigureLimit("classify.linear.accuracy>=60%").value()};
    calibration::CalibrationOptions& calibration = options.search.calibration;
    calibration.grid = options.evaluation.grid;
    calibration.words = {calibration::WordSelection::Kind::all, 0, {}};
    const LimitedRecommendation found = recommendWithin(twoClusters(), data, options).value();
    const std::vector<double> epsilons = scanEpsilons({0.2, 30.0}, 0.0);
    const auto risk = scanned(data, options.evaluation, options.figures[0].figure, epsilons);
    const auto use = scanned(data, options.evaluation, options.figures[1].figure, epsilons);
    REQUIRE(found.figures.settings.size() == 2);
    for (std::size_t setting = 0; setting < 2; ++setting) {
        std::optional<std::size_t> last;
        for (std::size_t i = 0; i < epsilons.size(); ++i) {
            if (!checkFigure(options.figures[0], risk[setting][i]).met()) {
                break;
            }
            last = checkFigure(options.figures[1], use[setting][i]).met() ? i : last;
        }
        REQUIRE(last);
        const calibration::SettingRecommendation& is = found.found.settings[setting];
        REQUIRE(is.epsilon);
        CHECK(*is.epsilon >= epsilons[*last]);
        CHECK(*is.epsilon < epsilons[*last + 1]);
        CHECK(is.cell.epsilon == *is.epsilon);
        CHECK(found.figures.settings[setting].epsilon == is.epsilon);
        // Fresh: the evaluation with the next seed.
        EvaluationOptions next = options.evaluation;
        ++next.seed;
        const auto fresh = scanned(data, next, options.figures[1].figure, {*is.epsilon});
        const LimitsFound& figures = found.figures.settings[setting];
        CHECK(figures.fresh[1].figure.value == fresh[setting].front().value);
        // It is whole, so that the command line gives the same.
        const EvaluationOptions& again = figures.again.value().options;
        CHECK(again.seed == next.seed);
        CHECK(again.grid.epsilons == std::vector{*is.epsilon});
        CHECK_FALSE(again.attack.bestAlone);
        for (const FigureCheck& check : figures.fresh) {
            CHECK(figureOf(*figures.again, kBaselines, check.limit.figure).value ==
                  check.figure.value);
        }
    }
    CHECK(found.found.best.has_value());

    // A limit on words below that one holds as well.
    options.search.limits = test::limitsOf({"nw.mean<=20%"});
    const LimitedRecommendation both = recommendWithin(twoClusters(), data, options).value();
    for (std::size_t setting = 0; setting < 2; ++setting) {
        const calibration::SettingRecommendation& is = both.found.settings[setting];
        if (is.epsilon) {
            CHECK(is.checks.front().met());
            CHECK(*is.epsilon <= *found.found.settings[setting].epsilon);
        }
    }
}

// Reference: the whole evaluation, which measures everything at once.
TEST_CASE("The best attacker alone is the one of a whole evaluation") {
    const char* mechanism = GENERATE("mahalanobis", "tem", "laplace");
    CAPTURE(mechanism);
    const DataSet data = clusteredDocuments(120);
    EvaluationOptions whole = attackOptions(mechanism);
    whole.attack.prior = PriorKind::training;
    whole.tasks = {Task::classify, Task::reconstruct};
    whole.grid.epsilons = {0.2, 1.0, 3.0, 30.0};
    const EvaluationSummary all =
        Evaluation::create(twoClusters(), data, whole).value().run().value();
    for (const FigureName::Kind kind : {FigureName::Kind::best, FigureName::Kind::gain}) {
        const FigureName figure{kind, {}};
        const EvaluationOptions alone = optionsFor({figure}, whole);
        REQUIRE(alone.attack.bestAlone);
        const EvaluationSummary best =
            Evaluation::create(twoClusters(), data, alone).value().run().value();
        REQUIRE(best.cells.size() == all.cells.size());
        for (std::size_t cell = 0; cell < all.cells.size(); ++cell) {
            const FigureValue is = figureOf(best, kBaselines + cell, figure);
            const FigureValue expected = figureOf(all, kBaselines + cell, figure);
            CHECK(is.value == expected.value);
            CHECK(is.ci95 == expected.ci95);
        }
        CHECK(figureAt(best, kBaselines, "reconstruct.prior")->value ==
              figureAt(all, kBaselines, "reconstruct.prior")->value);
    }
    CHECK_FALSE(optionsFor({{FigureName::Kind::upper, {}}}, whole).attack.bestAlone);
}

TEST_CASE("Limits on figures that cannot be judged are refused") {
    const DataSet data = clusteredDocuments(60);
    LimitedOptions options;
    options.evaluation = attackOptions("mahalanobis");
    options.evaluation.repeats = 1;
    options.search.calibration.grid = options.evaluation.grid;
    options.figures = {parseFigureLimit("classify.linear.accuracy>=60%").value()};
    CHECK_THAT(recommendWithin(twoClusters(), data, options).error().message,
               Contains("two repeats"));
    DataSet unlabelled = data;
    unlabelled.labelColumn.reset();
    unlabelled.classes.clear();
    options.evaluation.repeats = 2;
    CHECK_THAT(recommendWithin(twoClusters(), unlabelled, options).error().message,
               Contains("--label-column"));
}

TEST_CASE("Study text is what a setting makes of the documents, and does not depend on threads") {
    const DataSet data = clusteredDocuments(30);
    EvaluationOptions options = clusteredOptions("laplace");
    // No word moves at the second epsilon.
    options.grid.epsilons = {0.5, 500.0};
    const auto textOf = [&](int threads) {
        options.threads = threads;
        return studyText(Evaluation::create(twoClusters(), data, options).value()).value();
    };
    const std::string csv = textOf(1);
    CHECK(textOf(3) == csv);
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + 2 * 30);
    int kept = 0;
    for (std::size_t i = 0; i < data.documents.size(); ++i) {
        const Document& document = data.documents[i];
        const std::string start = "laplace,500,,,," + std::to_string(i + 1) + ",";
        const std::string end = "," + data.classes[static_cast<std::size_t>(document.label)] + "," +
                                document.text + "\n";
        const std::size_t line = csv.find("\n" + start);
        REQUIRE(line != std::string::npos);
        kept += csv.substr(line + 1, csv.find('\n', line + 1) - line).ends_with(end) ? 1 : 0;
    }
    CHECK(kept == 30);
    CHECK(checkStudyName("folder/texts.study.csv").has_value());
    CHECK_FALSE(checkStudyName("study/texts.csv").has_value());
}
