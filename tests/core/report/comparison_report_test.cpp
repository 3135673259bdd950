#include "core/report/comparison_report.h"

#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/core/report/example_calibration.h"
#include "tests/core/report/report_text.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using report::ComparisonReport;
using report::ComparisonRow;

namespace {

ComparisonRow row(const mechanism::Mechanism& mechanism, double loss, double near,
                  std::optional<double> cap = {}) {
    ComparisonRow made{mechanism, 0.5, {}, 4.0, loss, {}};
    made.setting.epsilon = loss / 4.0;
    made.setting.shares = {0.5, near, 0.5 - near};
    made.setting.guarantee.epsilon = made.setting.guarantee.bound = loss / 4.0;
    made.setting.guarantee.cap = cap;
    return made;
}

ComparisonReport comparisonOf(std::vector<ComparisonRow> rows) {
    ComparisonReport made;
    made.pair = report::RowPair(0, 1);
    made.pairText = "paris against london";
    made.rows = std::move(rows);
    return made;
}

std::vector<std::string_view> ranking(const ComparisonReport& report) {
    std::vector<std::string_view> names;
    for (const ComparisonRow* row : rankedRows(report, 0.5)) {
        names.push_back(row->mechanism.name());
    }
    return names;
}

}  // namespace

TEST_CASE("the best promise leads, and of nearly equal ones one with a cap") {
    using Names = std::vector<std::string_view>;
    const ComparisonRow laplace = row(mechanism::Laplace{}, 32.0, 0.14);
    const ComparisonRow exponential = row(mechanism::Exponential{}, 10.44, 0.07);
    CHECK(ranking(comparisonOf({laplace, exponential, row(mechanism::Tem{}, 10.45, 0.07, 32.0)})) ==
          Names{"tem", "exponential", "laplace"});
    CHECK(ranking(comparisonOf({laplace, exponential, row(mechanism::Tem{}, 10.9, 0.07, 32.0)})) ==
          Names{"exponential", "tem", "laplace"});
    // Without a pair there is nothing to rank by.
    ComparisonReport without = comparisonOf({laplace, exponential});
    without.pair.reset();
    CHECK(ranking(without) == Names{"laplace", "exponential"});
    CHECK(comparisonSentence(without, 0.5).empty());
    CHECK(rankedRows(comparisonOf({laplace}), 0.4).empty());
}

TEST_CASE("two sentences say what a comparison found") {
    // exp(10.45) is 34,544, rounded up; exp(31.99) is 7.8e13.
    CHECK(
        comparisonSentence(comparisonOf({row(mechanism::Laplace{}, 31.99, 0.14),
                                         row(mechanism::Tem{}, 10.45, 0.07, 32.0)}),
                           0.5) ==
        "At 50 of 100 words kept, Truncated exponential (TEM) promises ×34,600 for paris "
        "against london; Multivariate Laplace promises nothing of use (×10¹⁴). The first replaces "
        "7, the second 14 of 100 words by near ones.");
    // exp(15) is 3.3e6: beyond a million nothing is promised.
    CHECK(
        comparisonSentence(comparisonOf({row(mechanism::Laplace{}, 31.99, 0.14),
                                         row(mechanism::Tem{}, 15.0, 0.07, 32.0)}),
                           0.5) ==
        "At 50 of 100 words kept, no mechanism promises anything of use for paris against london: "
        "Truncated exponential (TEM) leaves odds of up to ×10⁷, Multivariate Laplace ×10¹⁴. A "
        "smaller ε promises more and keeps fewer words.");
}

TEST_CASE("a comparison as text and as JSON is as approved") {
    const auto embedding = test::toyEmbedding(test::anisotropicVectors(10, 4, 7));
    ComparisonReport made = comparisonOf(
        {row(mechanism::Mahalanobis{1.0}, 34.95, 0.12), row(mechanism::Tem{}, 10.45, 0.07)});
    made.provenance = test::exampleProvenance();
    for (ComparisonRow& one : made.rows) {
        one.figures = {{{evaluation::FigureName::Kind::best}, {0.25, {}}}};
    }
    made.missing = {{mechanism::Hyperbolic{}, "no ball"}};
    test::checkApproved("comparison.txt", comparisonText(made));
    test::checkApproved("comparison.json", comparisonJson(made, embedding->vocabulary()).dump(1));
    made.pair.reset();
    made.rows[0].pairDistance.reset();
    const auto without = comparisonJson(made, embedding->vocabulary());
    CHECK(without["pair"].is_null());
    CHECK(without["rows"][0]["pairLogOdds"].is_null());
}
