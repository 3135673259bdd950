#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/bound_text.h"
#include "core/base/numbers.h"
#include "core/report/calibration_text_parts.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationSummary;
using calibration::Cell;
using statistics::Summary;

constexpr std::string_view kAbsent = "–";

/// Decimals of a sampled value with a 95% interval: as many as its width leaves certain, none where
/// that is 1 or more.
int carriedDecimals(double width) {
    constexpr int kMost = 4;
    return std::clamp(static_cast<int>(std::ceil(-std::log10(width))), 0, kMost);
}

/// How the numbers of a statistic are written.
struct Digits {
    std::optional<int> decimals{};  ///< of mean and spread; nothing: exact, or without an interval
    bool isCounted = false;         ///< values of single words are whole numbers

    static Digits of(const Summary& summary, bool isCounted) {
        const auto interval = spreadInterval(summary);
        return {interval ? std::optional(carriedDecimals((*interval)[1] - (*interval)[0]))
                         : std::nullopt,
                isCounted};
    }
    [[nodiscard]] std::string mean(double value) const {
        return decimals && std::isfinite(value) ? fmt::format("{:.{}f}", value, *decimals)
                                                : shownNumber(value);
    }
    [[nodiscard]] std::string word(double value) const {
        return decimals && isCounted && std::isfinite(value) ? fmt::format("{:.0f}", value)
                                                             : mean(value);
    }
};

std::string shownInterval(const Summary& summary, const Digits& digits) {
    const auto interval = spreadInterval(summary);
    return interval
               ? fmt::format("{} to {}", digits.mean((*interval)[0]), digits.mean((*interval)[1]))
               : std::string(kAbsent);
}

/// A share of the outputs, as certain as the number of kept draws.
std::string shownShareOf(const Summary& kept, int draws, double share) {
    const auto interval = spreadInterval(kept);
    const double width = interval ? 100.0 * ((*interval)[1] - (*interval)[0]) / draws : 0.0;
    return width >= 1.0 ? fmt::format("{:.0f}%", 100.0 * share) : shownShare(share);
}

/// The grid at a glance.
Table overview(const CalibrationSummary& summary) {
    Table table;
    table.caption = fmt::format(
        "Overview. N_w: how often a word is kept, S_w: how many different words are returned for "
        "it, itself included if it occurs, out of {} draws. Near: among the {} nearest words.",
        formatCount(summary.draws), formatCount(summary.nearNeighbours));
    table.titles = settingTitles(summary);
    for (const char* title : {"N_w, mean", "N_w, p5", "N_w, p95", "S_w, mean", "S_w, p5",
                              "S_w, p95", "kept", "near", "far"}) {
        table.titles.emplace_back(title);
    }
    for (const Cell& cell : summary.cells) {
        std::vector<std::string> row = shownSettings(summary, cell);
        for (const Summary& values : {cell.nw, cell.sw}) {
            const Digits digits = Digits::of(values, true);
            row.push_back(digits.mean(values.mean));
            row.push_back(digits.word(values.p5));
            row.push_back(digits.word(values.p95));
        }
        for (const double share : {cell.kept, cell.near, cell.far}) {
            row.push_back(shownShareOf(cell.nw, summary.draws, share));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// A statistic over the words of a cell.
struct NamedSummary {
    std::string name{};
    const Summary& values;
    bool isCounted = false;  ///< a whole number for each word
};

/// Beside sampled entropies stands whether they are lower bounds.
std::vector<NamedSummary> statisticsOf(const CalibrationSummary& summary, const Cell& cell) {
    const std::string note = entropyNote(summary, cell);
    const std::string bits = note.empty() ? "bits" : "bits, " + note;
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
    return all;
}

/// Every statistic of a cell: a column each, because most numbers of a row would not fit a page.
Table statisticsTable(const CalibrationSummary& summary, const Cell& cell) {
    const std::vector<NamedSummary> all = statisticsOf(summary, cell);
    Table table{fmt::format("Over the words, at {}", settingText(summary, cell)), {""}, {}};
    for (const NamedSummary& statistic : all) {
        table.titles.push_back(statistic.name);
    }
    const auto add = [&](const char* name, auto shown) {
        std::vector<std::string> row{name};
        for (const NamedSummary& statistic : all) {
            row.push_back(
                shown(statistic.values, Digits::of(statistic.values, statistic.isCounted)));
        }
        table.rows.push_back(std::move(row));
    };
    add("mean",
        [](const Summary& values, const Digits& digits) { return digits.mean(values.mean); });
    add("95% interval", shownInterval);
    add("sd", [](const Summary& values, const Digits& digits) { return digits.mean(values.sd); });
    add("sd without sampling noise", [](const Summary& values, const Digits& digits) {
        return values.sdTrue ? digits.mean(*values.sdTrue) : std::string(kAbsent);
    });
    constexpr std::array kPlaces{std::pair{"min", &Summary::min}, std::pair{"p1", &Summary::p1},
                                 std::pair{"p5", &Summary::p5},   std::pair{"p25", &Summary::p25},
                                 std::pair{"p50", &Summary::p50}, std::pair{"p75", &Summary::p75},
                                 std::pair{"p95", &Summary::p95}, std::pair{"p99", &Summary::p99},
                                 std::pair{"max", &Summary::max}};
    for (const auto& [name, member] : kPlaces) {
        add(name, [value = member](const Summary& values, const Digits& digits) {
            return digits.word(values.*value);
        });
    }
    return table;
}

/// What is one number for a whole cell, as far as it has it.
Facts cellFacts(const Cell& cell) {
    // Sampled they have no intervals; words differ so much that a third digit means nothing.
    const int digits = cell.relativeError ? 4 : 2;
    Facts facts{{{"Mean distance of an output from its word",
                  formatSignificant(cell.meanDistance, digits)}}};
    const auto add = [&facts, digits](const char* name, const std::optional<double>& value) {
        if (value) {
            facts.items.emplace_back(name, formatSignificant(*value, digits));
        }
    };
    add("Mean cosine", cell.meanCosine);
    add("Coverage of the outputs by the draws", cell.coverage);
    if (cell.relativeError) {
        facts.items.emplace_back("Rounding error at most", shownAtMost(*cell.relativeError));
    }
    if (const auto& deniability = cell.deniability) {
        facts.items.emplace_back(
            "Deniability",
            fmt::format(
                "number of words whose odds of having given an output differ by at most g = "
                "{}",
                formatNumber(deniability->odds)));
    }
    return facts;
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

/// Whole numbers as they are, others with four significant digits.
std::string shownBy(std::string (*format)(double value, int digits), double value) {
    if (!std::isfinite(value)) {
        return std::string(kAbsent);
    }
    return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                                : format(value, 4);
}

}  // namespace

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
    return value ? shownNumber(*value) : std::string(kAbsent);
}

std::string shownShare(double share) {
    return fmt::format("{:.1f}%", 100.0 * share);
}

std::vector<std::string> settingTitles(const CalibrationSummary& summary) {
    std::vector<std::string> titles{"ε"};
    if (summary.grid.mechanism.hasLambda()) {
        titles.emplace_back("λ");
    }
    if (summary.grid.mechanism.hasRadius()) {
        titles.emplace_back("γ");
        titles.emplace_back("β");
    }
    return titles;
}

std::vector<std::string> shownSettings(const CalibrationSummary& summary, const Cell& cell) {
    std::vector<std::string> fields{formatNumber(cell.epsilon)};
    if (summary.grid.mechanism.hasLambda()) {
        fields.push_back(formatNumber(cell.lambda));
    }
    if (summary.grid.mechanism.hasRadius()) {
        fields.push_back(shownNumber(cell.gamma));
        fields.push_back(cell.beta ? formatNumber(*cell.beta) : std::string(kAbsent));
    }
    return fields;
}

std::string settingText(const CalibrationSummary& summary, const Cell& cell) {
    const std::vector<std::string> titles = settingTitles(summary);
    const std::vector<std::string> fields = shownSettings(summary, cell);
    std::string text;
    for (std::size_t i = 0; i < titles.size(); ++i) {
        if (fields[i] != kAbsent) {
            text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", titles[i], fields[i]);
        }
    }
    return text;
}

std::vector<Block> overviewBlocks(const calibration::Run& run) {
    const CalibrationSummary& summary = *run.summary;
    std::vector<Block> blocks{Paragraph{runSentence(summary), summary.partial}};
    if (run.provenance.selection) {
        blocks.emplace_back(Paragraph{selectionSentence(*run.provenance.selection)});
    }
    blocks.emplace_back(overview(summary));
    if (!summary.isExact() && std::any_of(summary.cells.begin(), summary.cells.end(),
                                          [](const Cell& cell) { return cell.nw.min == 0.0; })) {
        blocks.emplace_back(Paragraph{noneText(summary.draws) + "."});
    }
    return blocks;
}

std::vector<Block> resultBlocks(const Report& report, const Findings& findings) {
    const CalibrationSummary& summary = *report.run.summary;
    std::vector<Block> blocks = overviewBlocks(report.run);
    if (std::string note = lambdaText(summary); !note.empty()) {
        blocks.emplace_back(Paragraph{std::move(note)});
    }
    for (std::size_t i = 0; i < summary.cells.size(); ++i) {
        if (findings.cell.value_or(i) == i) {
            blocks.emplace_back(statisticsTable(summary, summary.cells[i]));
            blocks.emplace_back(cellFacts(summary.cells[i]));
        }
    }
    blocks.emplace_back(Paragraph{
        fmt::format("Entropies are those of a word's outputs{}; Hartley entropy is log2 S_w.{}",
                    summary.isExact() ? "" : ", from the sampled shares",
                    summary.independentDraws
                        ? " K_w is the least number of words that share an output of a word."
                        : "")});
    return blocks;
}

}  // namespace epsilens::report
