#include "core/evaluation/figure_search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/numbers.h"
#include "core/base/random_stream.h"
#include "core/report/recommendation_report.h"
#include "tests/core/calibration/calibration_fixture.h"
#include "tests/core/evaluation/two_clusters.h"
#include "tests/support/refusal.h"

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
using test::evaluated;
using test::twoClusters;

namespace {

using Curve = std::function<double(double)>;

/// Figures that follow curves, each with an interval of a half width; keeps where they were read.
struct Source {
    std::vector<Curve> curves{};
    double half = 0.0;
    std::set<double> epsilons{};
    int measured = 0;

    ReadFigures reader() {
        return [this](std::span<const double> asked, std::span<const std::size_t> figures,
                      const JobContext&) -> Result<Readings> {
            CHECK(std::ranges::is_sorted(asked));
            epsilons.insert(asked.begin(), asked.end());
            Readings readings;
            for (const double epsilon : asked) {
                auto& reading = readings.emplace_back();
                for (const std::size_t figure : figures) {
                    const double value = curves[figure](epsilon);
                    ++measured;
                    reading.push_back(
                        {value, half > 0.0 ? std::optional(std::array{value - half, value + half})
                                           : std::nullopt});
                }
            }
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
// Ratio of neighbouring epsilons of a scan of kSpan, and of a step that was refined by five
// epsilons at a time; both of 3 digits, each rounded by up to 0.5%.
constexpr int kSteps = 2 * kStepsPerDecade;
const double kStep = std::pow(100.0, 1.0 / kSteps) * 1.01;
const double kFine = std::pow(std::pow(kStep, 1.0 / 6.0) * 1.01, 1.0 / 6.0) * 1.01;

bool hasThreeDigits(double value) {
    return formatSignificant(value, 9) ==
           formatSignificant(std::stod(formatSignificant(value, 3)), 9);
}

Result<LimitsFound> findMatch(const ReadFigures& read, const JobContext& job = {}) {
    return findWithinLimits(kSpan, 0.0, {kMatch}, nullptr, read, job);
}

std::vector<FigureLimit> limitsOf(std::initializer_list<const char*> texts) {
    std::vector<FigureLimit> limits;
    for (const char* text : texts) {
        limits.push_back(parseFigureLimit(text).value());
    }
    return limits;
}

LimitsFound foundWithin(const std::vector<FigureLimit>& limits, Source source) {
    return findWithinLimits(kSpan, 0.0, limits, nullptr, source.reader()).value();
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
    const EvaluationSummary summary = evaluated(data, options);
    std::vector<std::vector<FigureValue>> values(summary.cells.size() / epsilons.size());
    for (std::size_t cell = 0; cell < summary.cells.size(); ++cell) {
        values[cell / epsilons.size()].push_back(figureOf(summary, kBaselines + cell, figure));
    }
    return values;
}

/// A search among the settings of attackOptions.
LimitedOptions searchOptions(const char* mechanism, std::vector<FigureLimit> figures) {
    LimitedOptions options;
    options.evaluation = attackOptions(mechanism);
    options.figures = std::move(figures);
    options.search.calibration.grid = options.evaluation.grid;
    options.search.calibration.words = {calibration::WordSelection::Kind::all, 0, {}};
    return options;
}

LimitedOptions matchOptions(const char* mechanism, const char* match) {
    return searchOptions(mechanism, {parseFigureMatch(match).value()});
}

std::string problemOf(const DataSet& data, const LimitedOptions& options) {
    const Error problem = recommendWithin(twoClusters(), data, options).error();
    CHECK(problem.code == ErrorCode::invalidArgument);
    return problem.message;
}

}  // namespace

TEST_CASE("A limit on a figure is read into its parts, and survives being written") {
    const FigureLimit gain = parseFigureLimit(" attack.gain <= 5% ").value();
    CHECK(gain.figure == FigureName{FigureName::Kind::gain});
    CHECK(gain.isUpper());
    CHECK(gain.share() == 0.05);
    CHECK(gain.figure.task() == Task::reconstruct);
    const FigureLimit retained = parseFigureLimit("classify.fasttext.retained>=0.8").value();
    CHECK(retained.figure.classifier == ClassifierKind::fasttext);
    CHECK(retained.figure.task() == Task::classify);
    CHECK_FALSE(retained.figure.isRisk());
    for (const char* text :
         {"attack.best<=29.7%", "attack.gain<=5%", "attack.best<=0.07", "attack.best<=7%",
          "attack.upper<=40%", "classify.linear.accuracy>=0.85", "classify.vectors.macroF1>=55%",
          "classify.linear.retained>=95%"}) {
        CHECK(limitText(parseFigureLimit(text).value()) == text);
    }
    CHECK(limitText(parseFigureMatch("attack.best=20%").value()) == "attack.best=20%");
    CHECK(parseFigureMatch("classify.linear.accuracy=0.8").value().isUpper());
}

TEST_CASE("What is no limit on a figure is refused with what is allowed") {
    for (const auto& [text, allowed] :
         {std::pair("attack.worst<=5%", "attack.gain and attack.upper"),
          std::pair("attack.accuracy<=5%", "attack.best, attack.gain"),
          std::pair("classify.magic.accuracy>=5%", "linear, vectors, fasttext"),
          std::pair("classify.linear>=5%", "classify.linear.retained"),
          std::pair("classify.linear.gain>=5%", "classify.linear.retained"),
          std::pair("attack.gain>=5%", "write it with <="),
          std::pair("attack.gain", "write it with <="),
          std::pair("classify.linear.accuracy<=5%", "write it with >="),
          std::pair("attack.gain<=101%", "0 to 100"), std::pair("attack.gain<=5", "ends with %"),
          std::pair("attack.gain<=nan", "limit")}) {
        CHECK_THAT(parseFigureLimit(text).error().message, Contains(allowed));
    }
    for (const char* text :
         {"", "nw.p95<=5", "attack", "classify.", "classify.<=1", "attack.<=1"}) {
        CHECK_FALSE(parseFigureLimit(text).has_value());
        CHECK_FALSE(parseFigureMatch(text).has_value());
    }
    CHECK_THAT(parseFigureMatch("attack.best<=20%").error().message, Contains("attack.best=20%"));
    CHECK_THAT(parseFigureMatch("attack.best=0%").error().message, Contains("above 0"));
    CHECK_FALSE(namesFigure("nw.p95<=50%"));
    CHECK(namesFigure(" attack.best<=5%"));
}

// Reference: the ends of the intervals, rounded away from the limit.
TEST_CASE("A missed limit is loosened to the next whole percent that the whole interval meets") {
    const FigureLimit most = parseFigureLimit("attack.gain<=0.05").value();
    const FigureLimit least = parseFigureLimit("classify.linear.retained>=95%").value();
    const auto looser = checkFigure(most, {0.2, std::array{0.19, 0.213}}).loosened();
    CHECK(looser == parseFigureLimit("attack.gain<=22%").value());
    CHECK(checkFigure(least, {0.7, std::array{0.643, 0.75}}).loosened() ==
          parseFigureLimit("classify.linear.retained>=64%").value());
    CHECK_FALSE(checkFigure(most, {0.04, std::array{0.03, 0.05}}).loosened());
    CHECK_FALSE(checkFigure(least, {0.1, std::array{-0.2, 0.3}}).loosened());
    CHECK_FALSE(checkFigure(least, {std::nan(""), std::nullopt}).loosened());
}

TEST_CASE("A figure is judged by the end of its interval that is farther from the limit") {
    const FigureLimit most = parseFigureLimit("attack.gain<=5%").value();
    const FigureLimit least = parseFigureLimit("classify.linear.accuracy>=80%").value();
    CHECK(checkFigure(most, {0.05, std::nullopt}).met());
    CHECK_FALSE(checkFigure(most, {0.045, std::array{0.039, 0.051}}).met());
    CHECK(checkFigure(most, {0.045, std::array{0.039, 0.051}}).isValueWithin());
    CHECK_FALSE(checkFigure(most, {0.051, std::array{0.049, 0.053}}).isValueWithin());
    CHECK(checkFigure(most, {0.045, std::array{0.04, 0.05}}).met());
    CHECK_FALSE(checkFigure(least, {0.82, std::array{0.79, 0.85}}).met());
    CHECK(checkFigure(least, {0.82, std::array{0.8, 0.84}}).margin == Approx(0.0).margin(1e-12));
    CHECK(checkFigure(least, {0.82, std::array{0.79, 0.85}}).isValueWithin());
    CHECK_FALSE(checkFigure(least, {0.79, std::array{0.78, 0.81}}).isValueWithin());
    CHECK_FALSE(checkFigure(least, {std::nan(""), std::nullopt}).met());
    CHECK_FALSE(checkFigure(least, {std::nan(""), std::nullopt}).isValueWithin());
}

TEST_CASE("A scan has both ends and even steps of the logarithm above the origin") {
    // Two decades, and the 2.7 of 49.6 / 0.1: 8 steps in each.
    const auto [origin, steps] = GENERATE(std::pair(0.0, 16), std::pair(0.4, 22));
    const std::vector<double> epsilons = scanEpsilons(kSpan, origin);
    REQUIRE(epsilons.size() == static_cast<std::size_t>(steps) + 1);
    CHECK(epsilons.front() == kSpan.low);
    CHECK(epsilons.back() == kSpan.high);
    const double step = std::pow((50.0 - origin) / (0.5 - origin), 1.0 / steps);
    for (std::size_t i = 1; i < epsilons.size(); ++i) {
        CHECK((epsilons[i] - origin) / (epsilons[i - 1] - origin) == Approx(step).epsilon(0.01));
        CHECK((i + 1 == epsilons.size() || hasThreeDigits(epsilons[i] - origin)));
    }
    CHECK(scanEpsilons({1.0, 1.0 + 1e-9}, 0.0) == std::vector{1.0, 1.0 + 1e-9});
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

TEST_CASE("Limits on use alone are searched over the whole span") {
    const auto limits = limitsOf({"classify.linear.accuracy>=50%"});
    // Above a half between 4 and 30 only.
    const LimitsFound is = foundWithin(
        limits, {{[](double epsilon) { return epsilon > 4.0 && epsilon < 30.0 ? 0.7 : 0.2; }}});
    REQUIRE(is.epsilon);
    CHECK(*is.epsilon < 30.0);
    CHECK(*is.epsilon > 30.0 / kFine);
    CHECK(is.lookedTo == 50.0);
    const LimitsFound end = foundWithin(limits, {{[](double) { return 0.7; }}});
    CHECK(end.epsilon == 50.0);
    CHECK_FALSE(end.above);
}

TEST_CASE("Without an epsilon it is said where the limits are missed by least, and by how much") {
    const auto limits = limitsOf({"attack.gain<=20%", "classify.linear.accuracy>=80%"});
    const LimitsFound is = foundWithin(limits, {{rising(20.0), rising(20.0)}});
    CHECK_FALSE(is.epsilon);
    // Risk is kept up to 5, where use is missed by three times as much as a step beyond.
    CHECK(is.closest > 5.0);
    CHECK(is.closest < 5.0 * kStep);
    CHECK(is.binding->limit == limits[1]);
    CHECK(is.binding->margin == Approx(is.closest / (is.closest + 20.0) - 0.8));

    const LimitsFound none =
        foundWithin(limits, {{[](double) { return 0.6; }, [](double) { return 0.9; }}});
    CHECK_FALSE(none.epsilon);
    CHECK(none.closest == kSpan.low);
    CHECK(none.binding->limit == limits[0]);
    CHECK(none.binding->margin == Approx(-0.4));
}

// Reference: the curves at every epsilon that was looked at, in plain order, whatever the search
// measured there.
TEST_CASE("Figures are measured only where they matter, and what is found is what all would find") {
    SeededStream stream({2, StreamPurpose::wordSelection, 0, 0});
    const auto limits = limitsOf(
        {"classify.linear.accuracy>=50%", "attack.gain<=20%", "classify.vectors.macroF1>=45%"});
    int withEpsilon = 0;
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
        const std::vector<double> scan(source.epsilons.begin(), source.epsilons.end());
        std::optional<std::size_t> last;
        std::size_t end = 0;
        for (; end < scan.size() && isWithin(scan[end], true); ++end) {
            last = isWithin(scan[end], false) && scan[end] < mostOfWords ? end : last;
        }
        CAPTURE(trial, end);
        REQUIRE(is.epsilon.has_value() == last.has_value());
        CHECK(is.checks.size() == limits.size());
        CHECK(is.lookedTo == scan.back());
        // All that was measured is told.
        int told = 0;
        for (const TriedEpsilon& tried : is.tried) {
            told += static_cast<int>(tried.checks.size());
            for (const FigureCheck& check : tried.checks) {
                const auto place = std::ranges::find(limits, check.limit);
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
        ++withEpsilon;
        CHECK(*is.epsilon == scan[*last]);
        // What is next misses something, and is near.
        CHECK((!is.above || *is.above / *is.epsilon < kFine));
        CHECK((!is.above || !isWithin(*is.above, true) || !isWithin(*is.above, false) ||
               *is.above >= mostOfWords));
        CHECK(is.above.has_value() == (*is.epsilon < kSpan.high));
        CHECK(is.binding.has_value() ==
              (is.above && (!isWithin(*is.above, true) || !isWithin(*is.above, false))));
    }
    CHECK(withEpsilon > 50);
    CHECK(withEpsilon < 290);
}

TEST_CASE("Use is not measured below the largest epsilon that meets all limits, but for a few") {
    const auto limits = limitsOf({"attack.gain<=50%", "classify.linear.accuracy>=10%"});
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
    const LimitsFound is = findWithinLimits(kSpan, 0.0, limits, nullptr, read).value();
    // 20 / (20 + 20) is a half.
    REQUIRE(is.epsilon);
    CHECK(*is.epsilon <= 20.0);
    CHECK(*is.epsilon > 20.0 / kFine);
    CHECK(attacked.size() > learned.size());
    // The step that is refined with what is below it, five at once at the last, and the one above.
    CHECK(learned.size() <= 5 + 5 + 1);
    // Five steps at once up to 28.1, and as many in the one between 15.8 and 21.1, twice.
    CHECK(*std::ranges::max_element(attacked) == 28.1);
    CHECK(attacked.size() == 15 + 5 * kRefinements);
    // What is found has no more digits than it means: 20.1 is next.
    CHECK(is.epsilon == 19.9);
}

TEST_CASE("A search says what it tries and how far it is, and fails as what it reads does") {
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
    CHECK(stages.front() == "trying ε = 0.500 to 1.58 (round 1 of at most 8)");
    CHECK(std::ranges::is_sorted(fractions));
    // 17 epsilons take four passes, and the end of the search two or four. The second one exceeds
    // the match, so that four are left of six, of which only the first two are needed.
    REQUIRE(fractions.size() == 8);
    CHECK(fractions[1] == Approx(1.0 / 8.0));
    CHECK(fractions[3] == Approx(2.0 / 8.0));
    CHECK(fractions[4] == Approx(2.5 / 6.0));
    CHECK(fractions[7] == Approx(4.0 / 6.0));
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
    REQUIRE(matched.figures.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const LimitsFound& found = matched.figures[i];
        const auto first =
            static_cast<std::size_t>(std::ranges::find_if(values[i],
                                                          [&](const FigureValue& figure) {
                                                              return figure.value > match.share();
                                                          }) -
                                     values[i].begin());
        REQUIRE(first > 0);
        REQUIRE(first < epsilons.size());
        REQUIRE(found.epsilon);
        CHECK(*found.epsilon >= epsilons[first - 1]);
        CHECK(*found.epsilon < epsilons[first]);
        CHECK(found.checks.front().figure.value <= match.share());
        CHECK(matched.settings[i].epsilon == found.epsilon);
    }
}

TEST_CASE("A search goes on with what one that was stopped has measured") {
    const DataSet data = clusteredDocuments(150);
    LimitedOptions options = matchOptions("tem", "attack.best=30%");
    const auto found = [&] { return recommendWithin(twoClusters(), data, options)->figures[0]; };
    const LimitsFound alone = found();
    options.kept = std::make_shared<std::vector<KeptReading>>();
    CHECK_FALSE(recommendWithin(twoClusters(), data, options, test::stoppedAt(0.3)));
    REQUIRE_FALSE(options.kept->empty());
    CHECK(options.kept->front().value.value == alone.tried[0].checks[0].figure.value);
    CHECK(found().epsilon == alone.epsilon);
    options.kept->front().value = {1.0, std::nullopt};
    CHECK_FALSE(found().epsilon);
}

TEST_CASE("A success below that of the prior, and one that no setting reaches, are told") {
    const DataSet data = clusteredDocuments(100);
    LimitedOptions options = matchOptions("tem", "attack.best=0.1%");
    // The commonest of 40 words makes up more than a thousandth of the text.
    options.evaluation.attack.prior = PriorKind::training;
    CHECK_THAT(problemOf(data, options), Contains("by the prior"));
    options = matchOptions("tem", "attack.best=90%");
    options.search.calibration.grid.epsilons = {0.2, 0.3};
    const LimitedRecommendation never = recommendWithin(twoClusters(), data, options).value();
    CHECK_FALSE(never.best);
    CHECK_THAT(report::shortfallSentence(never),
               Contains("attack.best=90%") && Contains("ε = 0.3"));
    CHECK_THAT(problemOf(data, matchOptions("tem", "attack.upper=50%")),
               Contains("tem has no noisy vector"));
    // Without a release one of 40 words is guessed.
    CHECK_THAT(problemOf(data, matchOptions("laplace", "attack.upper=2.5%")),
               Contains("guesses 2.50% of"));
    // Limits that cannot be judged.
    LimitedOptions once = searchOptions("mahalanobis", limitsOf({"classify.linear.accuracy>=60%"}));
    once.evaluation.repeats = 1;
    CHECK_THAT(problemOf(data, once), Contains("two repeats"));
    DataSet unlabelled = data;
    unlabelled.labelColumn.reset();
    unlabelled.classes.clear();
    once.evaluation.repeats = 2;
    CHECK_THAT(problemOf(unlabelled, once), Contains("--label-column"));
}

TEST_CASE("Limits on figures hold where a whole scan says that they do") {
    const DataSet data = clusteredDocuments(150);
    LimitedOptions options = searchOptions(
        "mahalanobis", limitsOf({"attack.best<=60%", "classify.linear.accuracy>=60%"}));
    const LimitedRecommendation found = recommendWithin(twoClusters(), data, options).value();
    const std::vector<double> epsilons = scanEpsilons({0.2, 30.0}, 0.0);
    const auto risk = scanned(data, options.evaluation, options.figures[0].figure, epsilons);
    const auto use = scanned(data, options.evaluation, options.figures[1].figure, epsilons);
    REQUIRE(found.figures.size() == 2);
    for (std::size_t setting = 0; setting < 2; ++setting) {
        std::optional<std::size_t> last;
        for (std::size_t i = 0; i < epsilons.size(); ++i) {
            if (!checkFigure(options.figures[0], risk[setting][i]).met()) {
                break;
            }
            last = checkFigure(options.figures[1], use[setting][i]).met() ? i : last;
        }
        REQUIRE(last);
        const calibration::SettingRecommendation& is = found.settings[setting];
        REQUIRE(is.epsilon);
        CHECK(*is.epsilon >= epsilons[*last]);
        CHECK(*is.epsilon < epsilons[*last + 1]);
        CHECK(is.cell.epsilon == *is.epsilon);
        CHECK(found.figures[setting].epsilon == is.epsilon);
        // Fresh: the evaluation with the next seed.
        EvaluationOptions next = options.evaluation;
        ++next.seed;
        const auto fresh = scanned(data, next, options.figures[1].figure, {*is.epsilon});
        const LimitsFound& figures = found.figures[setting];
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
    CHECK(found.best.has_value());

    // A limit on words below that one holds as well.
    options.search.limits = test::limitsOf({"nw.mean<=20%"});
    const LimitedRecommendation both = recommendWithin(twoClusters(), data, options).value();
    for (std::size_t setting = 0; setting < 2; ++setting) {
        const calibration::SettingRecommendation& is = both.settings[setting];
        if (is.epsilon) {
            CHECK(is.checks.front().met());
            CHECK(*is.epsilon <= *found.settings[setting].epsilon);
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
    const EvaluationSummary all = evaluated(data, whole);
    for (const FigureName::Kind kind : {FigureName::Kind::best, FigureName::Kind::gain}) {
        const FigureName figure{kind, {}};
        const EvaluationOptions alone = optionsFor({figure}, whole);
        REQUIRE(alone.attack.bestAlone);
        const EvaluationSummary best = evaluated(data, alone);
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
    CHECK(std::ranges::count(csv, '\n') == 1 + 2 * 30);
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
