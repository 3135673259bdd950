#include "core/evaluation/estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>

#include "core/numeric/quantile.h"

using namespace epsilens;
using namespace epsilens::evaluation;
using Catch::Matchers::WithinAbs;
using Values = std::vector<double>;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("Student's t agrees with the printed table") {
    // Origin: table of the t distribution, Abramowitz and Stegun 26.10.
    CHECK_THAT(numeric::studentQuantile(4.0, 0.975), WithinAbs(2.776, 5e-4));
    CHECK_THAT(numeric::studentQuantile(1.0, 0.975), WithinAbs(12.706, 5e-4));
    CHECK_THAT(numeric::studentProbability(4.0, 2.776), WithinAbs(0.975, 5e-5));
    CHECK(numeric::studentProbability(4.0, -std::numeric_limits<double>::infinity()) == 0.0);
}

TEST_CASE("An interval is the corrected one of Nadeau and Bengio") {
    // By hand: mean 0.5, variance 0.01, so the error is sqrt(0.01 (1/5 + 3/7)) = 0.0793 and half
    // the interval 2.776 times that, 0.2201.
    const Values values{0.4, 0.4, 0.5, 0.6, 0.6};
    const Estimate estimate = estimateOf(values, {3.0 / 7.0, 0.0});
    CHECK_THAT(estimate.mean, WithinAbs(0.5, 1e-12));
    CHECK_THAT(estimate.standardError, WithinAbs(std::sqrt(0.01 * (0.2 + 3.0 / 7.0)), 1e-12));
    CHECK_THAT((*estimate.ci95)[0], WithinAbs(0.5 - 0.2201, 1e-4));
    // One split for all: the choice of the test documents adds its variance.
    CHECK_THAT(estimateOf(values, {0.0, 0.003}).standardError,
               WithinAbs(std::sqrt(0.01 / 5.0 + 0.003), 1e-12));
    const Estimate high = estimateOf(Values{0.99, 1.0}, {3.0 / 7.0, 0.0});
    CHECK((*high.ci95)[1] > 1.0);
    CHECK((*within(high, 0.0, 1.0).ci95)[1] == 1.0);
    // Values that do not exist do not count, and one value has no interval.
    CHECK(estimateOf(Values{kNaN, 0.5}, {}).mean == 0.5);
    CHECK_FALSE(estimateOf(Values{kNaN, 0.5}, {}).ci95.has_value());
    CHECK(std::isnan(estimateOf(Values{kNaN}, {}).mean));
}

TEST_CASE("Retained is the share of the way from floor to ceiling") {
    const Values floor{0.5, 0.52, 0.48};
    const Values ceiling{0.9, 0.92, 0.88};
    const Values middle{0.7, 0.72, 0.68};
    const auto retained = [](const Values& values, const Values& low, const Values& high) {
        return retainedShare({values, {}}, {low, {}}, {high, {}}, {});
    };
    CHECK_THAT(retained(middle, floor, {0.9, 0.93, 0.87}).mean, WithinAbs(0.5, 1e-12));
    CHECK_THAT(retained(ceiling, floor, {0.9, 0.93, 0.87}).mean, WithinAbs(1.0, 1e-12));
    // It is a share, and so are the ends of its interval; by hand the ratios are 1.25 and -0.25,
    // within 0.5 of which their intervals end.
    const Estimate above = retained({0.95, 1.0, 1.05}, floor, {0.9, 0.93, 0.87});
    CHECK(above.mean == 1.0);
    CHECK((*above.ci95)[0] < 1.0);
    CHECK((*above.ci95)[1] == 1.0);
    const Estimate below = retained({0.35, 0.4, 0.45}, floor, {0.9, 0.93, 0.87});
    CHECK(below.mean == 0.0);
    CHECK((*below.ci95)[0] == 0.0);
    CHECK((*below.ci95)[1] > 0.0);
    // Floor and ceiling that are not told apart.
    CHECK(std::isnan(retained(middle, floor, {0.4, 0.6, 0.53}).mean));
    CHECK(std::isnan(retained({0.7}, {0.5}, {0.9}).mean));
    // As the ceiling in every repeat: no document of 20 differs, of which the interval ends at
    // 0.1611 (Newcombe 1998, table I), of a room of 0.4.
    const Accuracies high{{0.9, 0.93, 0.87}, {}};
    RepeatDesign of20{};
    of20.cases = 20.0;
    const Estimate same = retainedShare(high, {floor, {}}, high, of20);
    CHECK(same.mean == 1.0);
    CHECK_THAT((*same.ci95)[0], WithinAbs(1.0 - 0.1611 / 0.4, 2e-4));
    CHECK_FALSE(retainedShare(high, {floor, {}}, high, {}).ci95.has_value());
    // Of three random splits they count as 20 / (1/3 + 1/2) = 24: 1.96^2 / (24 + 1.96^2) = 0.1380.
    of20.testRatio = 0.5;
    CHECK_THAT((*retainedShare(high, {floor, {}}, high, of20).ci95)[0],
               WithinAbs(1.0 - 0.13798 / 0.4, 2e-4));
    // Repeats of which the difference does not vary show no error.
    CHECK(std::isnan(retained(middle, floor, ceiling).mean));
}

TEST_CASE("Retained counts the choice of test documents that all repeats share") {
    // By hand: 100 documents, of which the ceiling has 90 right, the floor 50 of these and the
    // values 70 of these, in both repeats. With room 0.4 and r = 0.5 a document weighs
    // ((a - f) - 0.5 (c - f)) / 0.4: 1.25 for the 20 that only values and ceiling have, -1.25 for
    // the 20 of the ceiling alone. Their variance is 40 * 1.25^2 / 99, a hundredth of it that of
    // the mean. The repeats do not vary, so that the normal law holds.
    const auto right = [](int count) {
        Values documents(100, 0.0);
        std::fill(documents.begin(), documents.begin() + count, 1.0);
        return documents;
    };
    const Accuracies floor{{0.5, 0.5}, right(50)};
    const Accuracies values{{0.7, 0.7}, right(70)};
    const Accuracies ceiling{{0.9, 0.9}, right(90)};
    const Estimate retained = retainedShare(values, floor, ceiling, {});
    const double error = std::sqrt(40.0 * 1.25 * 1.25 / 99.0 / 100.0);
    CHECK_THAT(retained.mean, WithinAbs(0.5, 1e-12));
    CHECK_THAT(retained.standardError, WithinAbs(error, 1e-12));
    CHECK_THAT((*retained.ci95)[1], WithinAbs(0.5 + 1.95996 * error, 1e-5));
    // Room of 2 documents of 100: 0.02 is under twice sqrt(0.02 * 0.98 / 99) = 0.014.
    CHECK(std::isnan(retainedShare(floor, floor, {{0.52, 0.52}, right(52)}, {}).mean));
}

TEST_CASE("What documents add to the variance of repeats adds degrees of freedom") {
    // Values 0.5 and 0.7: variance of the mean 0.01, one degree. As much by the documents: four
    // degrees (Satterthwaite), of which Student's t is 2.776445.
    const Estimate both = estimateOf(Values{0.5, 0.7}, {0.0, 0.01});
    CHECK_THAT(both.standardError, WithinAbs(std::sqrt(0.02), 1e-12));
    CHECK_THAT((*both.ci95)[0], WithinAbs(0.6 - 2.776445 * std::sqrt(0.02), 1e-6));
    // By the documents alone, whatever the number of repeats.
    for (const Values& equal : {Values{0.6, 0.6}, Values{0.6, 0.6, 0.6, 0.6, 0.6}}) {
        CHECK_THAT((*estimateOf(equal, {0.0, 0.01}).ci95)[1], WithinAbs(0.6 + 1.95996 * 0.1, 1e-5));
    }
}

TEST_CASE("A share over random splits varies at least as that of all documents") {
    // 150 tested of 150 + 350: sqrt(0.9 * 0.1 / 500) although the repeats are nearly equal.
    RepeatDesign design{150.0 / 350.0, 0.0};
    design.cases = 150.0;
    const Estimate estimate = estimateOf(Values{0.9, 0.9, 0.9 + 1e-6, 0.9 - 1e-6}, design);
    CHECK_THAT(estimate.standardError, WithinAbs(std::sqrt(0.09 / 500.0), 1e-6));
    CHECK_THAT((*estimate.ci95)[1], WithinAbs(0.9 + 1.95996 * std::sqrt(0.09 / 500.0), 1e-5));
}

TEST_CASE("Repeats that do not vary have no interval but that of documents") {
    const Values all{1.0, 1.0, 1.0};
    const Estimate plain = estimateOf(all, {0.4, 0.0});
    CHECK(plain.mean == 1.0);
    CHECK_FALSE(plain.ci95.has_value());
    CHECK(std::isnan(plain.standardError));
    // Wilson's interval of 20 of 20, from Newcombe 1998, table I: 0 of 20 ends at 0.1611.
    RepeatDesign shares{0.4, 0.0};
    shares.cases = 20.0;
    CHECK_THAT((*estimateOf(all, shares).ci95)[0], WithinAbs(1.0 - 0.1611, 6e-5));
    CHECK((*estimateOf(all, shares).ci95)[1] == 1.0);
}

TEST_CASE("Holm's procedure, by the example of its author's rule") {
    // By hand: sorted 0.005 x 4, 0.01 x 3, 0.03 x 2, 0.04 x 1, made rising.
    const Values adjusted = holmAdjusted(Values{0.01, 0.04, 0.03, 0.005});
    CHECK_THAT(adjusted[0], WithinAbs(0.03, 1e-12));
    CHECK_THAT(adjusted[1], WithinAbs(0.06, 1e-12));
    CHECK_THAT(adjusted[2], WithinAbs(0.06, 1e-12));
    CHECK_THAT(adjusted[3], WithinAbs(0.02, 1e-12));
}

TEST_CASE("No difference is claimed only within the margin") {
    const RepeatDesign design{3.0 / 7.0, 0.0};
    const Values base{0.700, 0.701, 0.699, 0.700, 0.702};
    const Values same{0.7005, 0.701, 0.6992, 0.7003, 0.702};
    const Values other{0.75, 0.752, 0.748, 0.751, 0.75};
    const Values noisy{0.60, 0.80, 0.70, 0.65, 0.75};
    const auto compared = [&](const Values& first, const Values& second) {
        return compareRepeats({first, {}}, {second, {}}, design, 0.01);
    };
    std::vector<Difference> differences{
        compared(base, same), compared(base, other), compared(base, noisy), compared({0.5}, {0.5}),
        // These do not vary.
        compared({0.75, 1.0}, {0.75, 1.0}), compared({0.75, 1.0}, {0.5, 0.75})};
    decide(differences);
    CHECK(differences[0].verdict == Verdict::withinMargin);
    CHECK(differences[1].verdict == Verdict::different);
    for (std::size_t i = 2; i < differences.size(); ++i) {
        CHECK(differences[i].verdict == Verdict::undecided);
    }
}
