#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "core/calibration/calibrate.h"
#include "core/document/descriptions.h"
#include "core/document/fields.h"
#include "core/document/packed_numbers.h"

namespace epsilens::document {
namespace {

using calibration::CalibrationSummary;

// Expectations of TEM may pass R, and shares 1, by what sums in floating point lose.
constexpr double kRounding = 1.0 + 1e-6;

/// Whether the cells are all epsilons of the first curve, then all of the second, and so on.
bool isWholeGrid(const CalibrationSummary& summary) {
    const std::size_t epsilons = summary.grid.epsilons.size();
    bool isWhole = epsilons > 0 && summary.cells.size() % epsilons == 0;
    for (std::size_t i = 0; isWhole && i < summary.cells.size(); ++i) {
        isWhole = summary.cells[i].epsilon == summary.grid.epsilons[i % epsilons];
    }
    return isWhole;
}

/// Whether the values of each word rise.
bool rises(const calibration::CriticalTable& table, std::size_t draws) {
    for (auto word = table.values.begin(); word != table.values.end();) {
        const auto next = word + static_cast<std::ptrdiff_t>(draws);
        if (!std::is_sorted(word, next)) {
            return false;
        }
        word = next;
    }
    return true;
}

template <typename Fields, typename Summary>
void describeTables(Fields& json, Summary& summary, std::int64_t vocabularySize) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    auto& table = summary.perWord;
    const auto words = static_cast<std::size_t>(summary.words);
    const auto draws = static_cast<std::size_t>(summary.draws);
    const std::size_t values = words * summary.cells.size();
    const std::size_t curves =
        summary.cells.size() / std::max<std::size_t>(1, summary.grid.epsilons.size());
    const Packed<double> counts{values, 0.0, summary.draws * kRounding};
    json.field("rows", table.words,
               Packed<embedding::Row>{words, 0, static_cast<embedding::Row>(vocabularySize - 1)});
    json.field("nw", table.nw, counts);
    json.field("sw", table.sw, counts);
    json.field("near", table.near,
               Packed<float>{values, 0.0F, static_cast<float>(kRounding), true});
    json.fieldIf(!table.criticalEpsilonMedian.empty(), "criticalEpsilonMedian",
                 table.criticalEpsilonMedian,
                 Packed<float>{words * curves, 0.0F, static_cast<float>(kInfinity)});
    json.fieldIf(
        !summary.critical.empty(), "criticalEpsilons", summary.critical,
        listOf(
            objectOf([&](auto& entry, auto& curve) {
                entry.field("lambda", curve.lambda, kShare);
                entry.field("values", curve.values, Packed<double>{words * draws, 0.0, kInfinity});
            }),
            curves));
    if constexpr (Fields::kReads) {
        table.cells = summary.cells.size();
        json.demand(std::adjacent_find(table.words.begin(), table.words.end(),
                                       std::greater_equal<>()) == table.words.end(),
                    "rows", "its rows do not rise");
        if (json.has("criticalEpsilons")) {
            json.demand(
                summary.critical.size() == curves, "criticalEpsilons",
                fmt::format("it has {} tables for {} curves", summary.critical.size(), curves));
            json.demand(std::all_of(summary.critical.begin(), summary.critical.end(),
                                    [&](const auto& curve) { return rises(curve, draws); }),
                        "criticalEpsilons", "the values of a word do not rise");
        }
    }
}

}  // namespace

template <typename Fields, typename Summary>
void describeWords(Fields& json, Summary& summary, std::int64_t vocabularySize) {
    bool exists = !summary.perWord.words.empty();
    if constexpr (Fields::kReads) {
        exists = json.has(kWordResults);
        if (exists && (!isWholeGrid(summary) || summary.words > vocabularySize)) {
            json.demand(false, kWordResults,
                        "there are values of single words for what is no grid, or for more words "
                        "than there are");
            return;
        }
    }
    json.fieldIf(exists, kWordResults, summary, objectOf([&](auto& tables, auto& results) {
                     describeTables(tables, results, vocabularySize);
                 }));
}

template void describeWords(FieldWriter& json, const CalibrationSummary& summary,
                            std::int64_t vocabularySize);
template void describeWords(FieldReader& json, CalibrationSummary& summary,
                            std::int64_t vocabularySize);

}  // namespace epsilens::document
