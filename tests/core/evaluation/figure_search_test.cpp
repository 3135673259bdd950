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

// References: closed forms of monotone figures; of others, looking at every epsilon that was read.

using namespace epsilens;
using namespace epsilens::corpus;
using namespace epsilens::attack;
using namespace epsilens::evaluation;
using calibration::EpsilonSpan;

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
    CHECK(first.looked < kSteps);
    Source below{{[](double) { return 0.15; }}, 0.1};
    const LimitsFound never = findMatch(below.reader()).value();
    CHECK_FALSE(never.epsilon);
    CHECK(never.closest == kSpan.high);
    CHECK(never.looked == kSteps + 1);
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
        CHECK(found.looked == static_cast<int>(source.all.size()));
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
        CHECK(is.looked == static_cast<int>(is.tried.size()));
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
        CHECK(source.measured <= is.looked * static_cast<int>(limits.size()));
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
