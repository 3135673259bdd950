#include "core/report/report_parts.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/calibration/run.h"
#include "core/calibration/summary.h"

// Ends of the text that resources/report/report.S puts into the program.
extern "C" {
extern const char kEpsilensReportProseBegin[];
extern const char kEpsilensReportProseEnd[];
}

namespace epsilens::report {
namespace {

/// Whole numbers as they are, others with four significant digits.
std::string shownBy(std::string (*format)(double value, int digits), double value) {
    if (!std::isfinite(value)) {
        return kAbsent;
    }
    return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                                : format(value, 4);
}

}  // namespace

std::vector<std::string> proseList(std::string_view name) {
    const std::string_view all(kEpsilensReportProseBegin, kEpsilensReportProseEnd);
    const std::string heading = fmt::format("\n[{}]\n", name);
    std::size_t begin = all.find(heading);
    assert(begin != std::string_view::npos);
    std::vector<std::string> lines;
    for (begin += heading.size(); begin < all.size() && all[begin] != '[';) {
        const std::size_t end = all.find('\n', begin);
        lines.emplace_back(all.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

std::string prose(std::string_view name) {
    return proseList(name).front();
}

std::string shownNumber(double value) {
    return shownBy(formatSignificant, value);
}

std::string shownAtMost(double bound) {
    return shownBy(formatAtMost, bound);
}

std::string shownAtLeast(double bound) {
    return shownBy(formatAtLeast, bound);
}

std::string shownNumber(const std::optional<double>& value) {
    return value ? shownNumber(*value) : kAbsent;
}

std::string decimals(const std::optional<double>& value, int count) {
    return value ? fmt::format("{:.{}f}", *value, count) : kAbsent;
}

std::string shownShare(double share) {
    return fmt::format("{:.1f}%", 100.0 * share);
}

std::string counted(std::int64_t count, std::string_view one, std::string_view more) {
    return fmt::format("{} {}", formatCount(count), count == 1 ? one : more);
}

std::vector<Column> settingColumns(const CalibrationSummary& summary,
                                   const std::vector<Column>& more) {
    std::vector<Column> columns{"ε"};
    if (summary.grid.mechanism.hasLambda()) {
        columns.emplace_back("λ");
    }
    if (summary.grid.mechanism.hasRadius()) {
        columns.insert(columns.end(), {"γ", "β"});
    }
    columns.insert(columns.end(), more.begin(), more.end());
    return columns;
}

std::vector<std::string> shownSettings(const CalibrationSummary& summary, const Cell& cell) {
    std::vector<std::string> fields{formatNumber(cell.epsilon)};
    if (summary.grid.mechanism.hasLambda()) {
        fields.push_back(formatNumber(cell.lambda));
    }
    if (summary.grid.mechanism.hasRadius()) {
        fields.push_back(shownNumber(cell.gamma));
        fields.push_back(cell.beta ? formatNumber(*cell.beta) : kAbsent);
    }
    return fields;
}

std::string settingText(const CalibrationSummary& summary, const Cell& cell) {
    const std::vector<Column> columns = settingColumns(summary);
    const std::vector<std::string> fields = shownSettings(summary, cell);
    std::string text;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (fields[i] != kAbsent) {
            text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", columns[i].title, fields[i]);
        }
    }
    return text;
}

std::string familyText(const mechanism::Mechanism& mechanism, double lambda,
                       const std::optional<double>& gamma, const std::optional<double>& beta,
                       std::string_view is) {
    std::string text;
    if (mechanism.hasLambda()) {
        text = fmt::format("λ{}{}", is, formatNumber(lambda));
    }
    if (beta || gamma) {
        text += fmt::format("{}{}{}{}", text.empty() ? "" : ", ", beta ? "β" : "γ", is,
                            beta ? formatNumber(*beta) : shownNumber(gamma));
    }
    return text;
}

std::string familyText(const CalibrationSummary& summary, const Cell& cell) {
    return familyText(summary.grid.mechanism, cell.lambda, cell.gamma, cell.beta, " = ");
}

std::vector<const Cell*> familyOf(const std::vector<Cell>& cells, const Cell& one) {
    std::vector<const Cell*> family;
    for (const Cell& cell : cells) {
        if (cell.lambda == one.lambda && cell.beta == one.beta &&
            (one.beta || cell.gamma == one.gamma)) {
            family.push_back(&cell);
        }
    }
    std::ranges::stable_sort(family,
                             [](const Cell* a, const Cell* b) { return a->epsilon < b->epsilon; });
    return family;
}

std::string unknownFate(const std::string& policy) {
    return policy == "mask"     ? "replaced by a mask"
           : policy == "random" ? "replaced by any word, each equally likely"
           : policy == "drop"   ? "left out"
           : policy == "keep"   ? "released as they are, UNPROTECTED"
                                : "";
}

std::string statedOr(const std::string& text) {
    return text.empty() ? std::string("not stated") : text;
}

std::string runTitle(const calibration::Provenance& provenance) {
    const calibration::EmbeddingDescription& embedding = provenance.embedding;
    return fmt::format("{}: {} words × {} dimensions, {}", embedding.file,
                       formatCount(embedding.words), embedding.dimensions, embedding.format);
}

std::string selectionSentence(const std::optional<calibration::SelectionDescription>& selection) {
    if (!selection) {
        return {};
    }
    return selection->dataFile.empty()
               ? fmt::format("Words chosen: {}.", selection->words)
               : fmt::format(
                     "Words chosen: {}, of those that occur in {}{} ({} records).",
                     selection->words, selection->dataFile,
                     selection->dataColumn.empty() ? "" : ", column " + selection->dataColumn,
                     formatCount(selection->dataRecords));
}

std::string partialText(const CalibrationSummary& summary) {
    if (!summary.partial) {
        return {};
    }
    return summary.words < summary.wordsAsked
               ? fmt::format("PARTIAL: {} of {} words, the calibration was interrupted",
                             formatCount(summary.words), formatCount(summary.wordsAsked))
               : std::string("PARTIAL: the calibration was interrupted before its end");
}

std::string extremeText(const calibration::Provenance& provenance,
                        const CalibrationSummary& summary,
                        const std::vector<calibration::Limit>& limits) {
    using calibration::LimitAggregate;
    const bool hasExtreme = std::ranges::any_of(limits, [](const calibration::Limit& limit) {
        return limit.aggregate == LimitAggregate::max || limit.aggregate == LimitAggregate::min;
    });
    if (!hasExtreme || summary.words >= provenance.embedding.words) {
        return {};
    }
    return fmt::format(
        "A largest or smallest value is that of the {} words measured; it says nothing about the "
        "other words.",
        formatCount(summary.words));
}

std::string lambdaText(const CalibrationSummary& summary) {
    return summary.grid.lambdas.size() < 2
               ? ""
               : "Equal ε across λ does not mean an equal guarantee: its metric changes.";
}

std::string noneText(const CalibrationSummary& summary, bool hasNone) {
    constexpr int kDigits = 2;
    if (summary.isExact() || !hasNone) {
        return {};
    }
    return fmt::format(
        "A word kept in none of its {} draws is kept with probability ≤ {}% (95%).",
        formatCount(summary.draws),
        formatNumber(roundedUp(100.0 * calibration::largestShareOfNone(summary.draws), kDigits)));
}

std::optional<std::array<double, 2>> spreadInterval(const calibration::Summary& summary) {
    return summary.ci95 && (*summary.ci95)[0] < (*summary.ci95)[1] ? summary.ci95 : std::nullopt;
}

ShownCells shownCells(const calibration::Run& run, std::optional<std::size_t> chosen) {
    constexpr std::size_t kShown = 9;
    const std::vector<double>& all = run.summary->grid.epsilons;
    const std::size_t points = all.size();
    const bool isThinned = calibration::isOfAxis(run) && points > kShown;
    ShownCells shown;
    std::size_t rows = 0;
    for (std::size_t i = 0; i < run.summary->cells.size(); ++i) {
        // The points of the axis are evenly spread by their number.
        const std::size_t point = points > 0 ? i % points : 0;
        rows = point == 0 ? 0 : rows;
        const bool isDue = isThinned && point == rows * (points - 1) / (kShown - 1);
        rows += isDue ? 1 : 0;
        if (!isThinned || isDue || (chosen && point == *chosen % points)) {
            shown.cells.push_back(i);
        }
    }
    if (calibration::isOfAxis(run)) {
        const auto [low, high] = std::minmax_element(all.begin(), all.end());
        shown.note = fmt::format(
            "Measured at {} points of the axis of ε from {} to {}, computed together from the "
            "paths of the draws; tables show {} of them, and the calibration as JSON or CSV has "
            "all.",
            formatCount(points), formatNumber(*low), formatNumber(*high),
            std::lower_bound(shown.cells.begin(), shown.cells.end(), points) - shown.cells.begin());
    }
    return shown;
}

}  // namespace epsilens::report
