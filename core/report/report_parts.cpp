#include "core/report/report_parts.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/numbers.h"
#include "core/calibration/run.h"
#include "core/calibration/summary.h"
#include "core/document/session.h"
#include "core/report/memo_words.h"

// Ends of the text that resources/report/report.S puts into the program.
extern "C" {
extern const char kEpsilensReportProseBegin[];
extern const char kEpsilensReportProseEnd[];
}

namespace epsilens::report {
namespace {

using calibration::Summary;
using mechanism::Guarantee;

/// Whole numbers as they are, others with four significant digits.
std::string shownBy(std::string (*format)(double value, int digits), double value) {
    if (!std::isfinite(value)) {
        return kAbsent;
    }
    return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                                : format(value, 4);
}

/// How the numbers of a statistic are written.
struct Digits {
    std::optional<int> decimals{};  ///< of mean and spread; nothing: exact, or without an interval
    bool isCounted = false;         ///< values of single words are whole numbers

    /// As many decimals as the width of the interval leaves certain, none where that is 1 or more.
    static Digits of(const Summary& summary, bool isCounted) {
        constexpr int kMost = 4;
        const auto interval = spreadInterval(summary);
        if (!interval) {
            return {{}, isCounted};
        }
        const double width = (*interval)[1] - (*interval)[0];
        return {std::clamp(static_cast<int>(std::ceil(-std::log10(width))), 0, kMost), isCounted};
    }
    [[nodiscard]] std::string mean(double value) const {
        return decimals && std::isfinite(value) ? report::decimals(value, *decimals)
                                                : shownNumber(value);
    }
    [[nodiscard]] std::string word(double value) const {
        return decimals && isCounted && std::isfinite(value) ? report::decimals(value, 0)
                                                             : mean(value);
    }
    [[nodiscard]] std::string interval(const Summary& summary) const {
        const auto interval = spreadInterval(summary);
        return interval ? fmt::format("{} to {}", mean((*interval)[0]), mean((*interval)[1]))
                        : kAbsent;
    }
};

/// A share of the outputs, as certain as the number of kept draws.
std::string shareOf(const Summary& kept, int draws, double share) {
    const auto interval = spreadInterval(kept);
    const double width = interval ? 100.0 * ((*interval)[1] - (*interval)[0]) / draws : 0.0;
    return width >= 1.0 ? decimals(100.0 * share, 0) + "%" : shownShare(share);
}

/// A statistic over the words of a cell.
struct NamedSummary {
    std::string name{};
    const Summary& values;
    bool isCounted = false;  ///< a whole number for each word
};

bool hasEuclideanFactors(const Guarantee& guarantee) {
    return guarantee.euclidean && guarantee.metric != mechanism::Metric::euclidean;
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

std::string joined(std::vector<std::string> parts, std::string_view between) {
    std::erase(parts, std::string());
    return fmt::to_string(fmt::join(parts, between));
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
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (fields[i] != kAbsent) {
            parts.push_back(fmt::format("{} = {}", columns[i].title, fields[i]));
        }
    }
    return joined(std::move(parts), ", ");
}

std::string familyText(const mechanism::Mechanism& mechanism,
                       const calibration::CellSetting& setting, std::string_view is) {
    const auto& [epsilon, lambda, gamma, beta] = setting;
    return joined({mechanism.hasLambda() ? fmt::format("λ{}{}", is, formatNumber(lambda)) : "",
                   beta    ? fmt::format("β{}{}", is, formatNumber(*beta))
                   : gamma ? fmt::format("γ{}{}", is, shownNumber(gamma))
                           : ""},
                  ", ");
}

std::string familyText(const CalibrationSummary& summary, const Cell& cell) {
    return familyText(summary.grid.mechanism, cell, " = ");
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

calibration::Interval spreadInterval(const calibration::Summary& summary) {
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

Table statisticsTable(const CalibrationSummary& summary, const Cell& cell) {
    // Below this Good-Turing coverage a plug-in entropy is only a lower bound.
    constexpr double kTrustedCoverage = 0.9;
    const char* const bits = !summary.isExact() && cell.coverage.value_or(0.0) < kTrustedCoverage
                                 ? "bits, lower bound"
                                 : "bits";
    std::vector<NamedSummary> all{{"N_w", cell.nw, true},
                                  {"S_w", cell.sw, true},
                                  {fmt::format("min-entropy ({})", bits), cell.minEntropy},
                                  {fmt::format("Shannon entropy ({})", bits), cell.shannonEntropy},
                                  {fmt::format("Hartley entropy ({})", bits), cell.hartleyEntropy}};
    if (cell.kw) {
        all.push_back({"K_w", *cell.kw, true});
    }
    if (cell.deniability) {
        all.push_back({"deniability", cell.deniability->sizes});
    }
    Table table{fmt::format("Over the words, at {}", settingText(summary, cell)),
                {"", "mean", "95% interval", "sd", "sd less noise", "min", "p1", "p5", "p25", "p50",
                 "p75", "p95", "p99", "max"}};
    for (const NamedSummary& statistic : all) {
        const Summary& values = statistic.values;
        const Digits digits = Digits::of(values, statistic.isCounted);
        std::vector<std::string>& row = table.rows.emplace_back();
        row = {statistic.name, digits.mean(values.mean), digits.interval(values),
               digits.mean(values.sd), values.sdTrue ? digits.mean(*values.sdTrue) : kAbsent};
        for (const auto place : std::span(calibration::kSummaryValues).subspan<2>()) {
            row.push_back(digits.word(values.*place));
        }
    }
    return table;
}

Facts cellFacts(const Cell& cell) {
    // Sampled they have no intervals; words differ so much that a third digit means nothing.
    const auto shown = [digits = cell.relativeError ? 4 : 2](const std::optional<double>& value) {
        return value ? formatSignificant(*value, digits) : std::string();
    };
    return {{{"Mean distance of an output from its word", shown(cell.meanDistance)},
             {"Mean cosine", shown(cell.meanCosine)},
             {"Coverage of the outputs by the draws", shown(cell.coverage)},
             {"Rounding error at most", cell.relativeError ? shownAtMost(*cell.relativeError) : ""},
             {"Deniability",
              cell.deniability
                  ? fmt::format("number of words whose odds of having given an output differ by at "
                                "most g = {}; over {} words, {} of their outputs",
                                formatNumber(cell.deniability->odds),
                                formatCount(cell.deniability->words),
                                shownShare(cell.deniability->share))
                  : ""}}};
}

std::string runSentence(const CalibrationSummary& summary) {
    const std::string words = summary.partial ? partialText(summary)
                                              : fmt::format("{} words", formatCount(summary.words));
    return summary.isExact()
               ? fmt::format(
                     "{}, expectations out of R = {} draws computed exactly, not sampled; "
                     "seed {} (for the choice of words).",
                     words, formatCount(summary.draws), summary.seed)
               : fmt::format("{}, R = {} sampled draws each, {} substitutions, seed {}.", words,
                             formatCount(summary.draws), formatCount(summary.substitutions),
                             summary.seed);
}

Table overviewTable(const CalibrationSummary& summary, std::vector<std::size_t> cells) {
    if (cells.empty()) {
        cells.resize(summary.cells.size());
        std::iota(cells.begin(), cells.end(), std::size_t{0});
    }
    Table table{
        fmt::format("Overview. N_w: how often a word is kept, S_w: how many different words "
                    "are returned for it, itself included if it occurs, out of {} draws. "
                    "Near: among the {} nearest words.",
                    formatCount(summary.draws), formatCount(summary.nearNeighbours)),
        settingColumns(summary, countColumns())};
    for (const std::size_t i : cells) {
        std::vector<std::string>& row = table.rows.emplace_back();
        row = shownSettings(summary, summary.cells[i]);
        std::ranges::move(countFields(summary, summary.cells[i]), std::back_inserter(row));
    }
    return table;
}

std::vector<Column> countColumns() {
    return {"N_w, mean", "N_w, p95", "S_w, mean", "S_w, p5", "kept", "near", "far"};
}

std::vector<std::string> countFields(const CalibrationSummary& summary, const Cell& cell) {
    const Digits nw = Digits::of(cell.nw, true);
    const Digits sw = Digits::of(cell.sw, true);
    std::vector<std::string> fields{nw.mean(cell.nw.mean), nw.word(cell.nw.p95),
                                    sw.mean(cell.sw.mean), sw.word(cell.sw.p5)};
    for (const double share : {cell.kept, cell.near, cell.far}) {
        fields.push_back(shareOf(cell.nw, summary.draws, share));
    }
    return fields;
}

std::string entropyText(const CalibrationSummary& summary) {
    return fmt::format("Entropies are those of a word's outputs{}; Hartley entropy is log2 S_w.{}",
                       summary.isExact() ? "" : ", from the sampled shares",
                       summary.independentDraws
                           ? " K_w is the least number of words that share an output of a word."
                           : "");
}

Section guaranteeSection(const CalibrationSummary& summary, const std::vector<std::size_t>& cells) {
    Section section{"guarantee", "What is promised"};
    const bool hasCap =
        std::any_of(summary.guarantees.begin(), summary.guarantees.end(),
                    [](const Guarantee& guarantee) { return guarantee.cap.has_value(); });
    Table table{
        fmt::format(
            "Real guarantee of every calibrated setting: seeing the output changes the odds "
            "of w against w' by at most e^(bound · d(w, w')){}. Bounds are rounded up",
            hasCap ? ", and by at most e^cap where there is a cap" : ""),
        settingColumns(summary, {{"statement", Align::left},
                                 {"metric d", Align::left},
                                 "bound",
                                 "cap",
                                 "Euclidean factor",
                                 "lower Euclidean factor (no guarantee)"})};
    for (const std::size_t i : cells) {
        const Guarantee& guarantee = summary.guarantees[i];
        const auto& euclidean = guarantee.euclidean;
        std::vector<std::string> row = shownSettings(summary, summary.cells[i]);
        row.insert(row.end(),
                   {guarantee.statement, std::string(mechanism::metricName(guarantee.metric)),
                    boundText(guarantee), guarantee.cap ? shownAtMost(*guarantee.cap) : kAbsent,
                    euclidean ? shownAtMost((*euclidean)[1]) : kAbsent,
                    euclidean ? shownAtLeast((*euclidean)[0]) : kAbsent});
        table.rows.push_back(std::move(row));
    }
    section.blocks.emplace_back(std::move(table));
    section.say(summary.grid.mechanism.hasRadius() && !summary.grid.betas.empty()
                    ? prose("radius of beta")
                    : "");
    section.say(std::ranges::any_of(summary.guarantees, hasEuclideanFactors)
                    ? prose("Euclidean factors")
                    : "");
    return section;
}

const document::KeptSearch* searchOf(const Judged& judged) {
    const document::KeptSearch* search = judged.report.search.get();
    const mechanism::Grid& grid = judged.summary.grid;
    return search != nullptr && search->figureLimits == judged.report.settings.figureLimits &&
                   search->mechanism() ==
                       grid.mechanisms().at(*judged.findings.cell / grid.epsilons.size())
               ? search
               : nullptr;
}

}  // namespace epsilens::report
