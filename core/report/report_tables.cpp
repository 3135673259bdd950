#include <algorithm>
#include <cmath>
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

std::string shownInterval(const Summary& summary) {
    const auto interval = spreadInterval(summary);
    return interval
               ? fmt::format("{} to {}", shownNumber((*interval)[0]), shownNumber((*interval)[1]))
               : std::string(kAbsent);
}

Table overview(const CalibrationSummary& summary) {
    Table table;
    table.caption = fmt::format(
        "Overview. N_w: how often a word is kept, S_w: how many different words are returned for "
        "it, itself counted when it occurs, out of {} draws, means over the words. Near: among the "
        "{} nearest words.",
        formatCount(summary.draws), formatCount(summary.nearNeighbours));
    table.titles = settingTitles(summary);
    for (const char* title : {"N_w", "S_w", "kept", "near", "far", "mean distance", "mean cosine",
                              "coverage", "rounding error at most"}) {
        table.titles.emplace_back(title);
    }
    for (const Cell& cell : summary.cells) {
        std::vector<std::string> row = shownSettings(summary, cell);
        for (std::string field :
             {shownNumber(cell.nw.mean), shownNumber(cell.sw.mean), shownShare(cell.kept),
              shownShare(cell.near), shownShare(cell.far), shownNumber(cell.meanDistance),
              shownNumber(cell.meanCosine), shownNumber(cell.coverage),
              shownNumber(cell.relativeError)}) {
            row.push_back(std::move(field));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// A statistic of every cell; `of` gives nothing where a cell does not have it.
template <typename Of>
std::optional<Table> statisticTable(const CalibrationSummary& summary, std::string caption,
                                    Of&& of) {
    Table table;
    table.caption = std::move(caption);
    table.titles = settingTitles(summary);
    for (const char* title : {"mean", "95% interval", "sd", "sd without sampling noise", "min",
                              "p1", "p5", "p25", "p50", "p75", "p95", "p99", "max"}) {
        table.titles.emplace_back(title);
    }
    for (const Cell& cell : summary.cells) {
        const std::optional<Summary> values = of(cell);
        if (!values) {
            continue;
        }
        std::vector<std::string> row = shownSettings(summary, cell);
        row.push_back(shownNumber(values->mean));
        row.push_back(shownInterval(*values));
        row.push_back(shownNumber(values->sd));
        row.push_back(shownNumber(values->sdTrue));
        for (const double value : {values->min, values->p1, values->p5, values->p25, values->p50,
                                   values->p75, values->p95, values->p99, values->max}) {
            row.push_back(shownNumber(value));
        }
        table.rows.push_back(std::move(row));
    }
    return table.rows.empty() ? std::nullopt : std::optional(std::move(table));
}

/// g is one for the whole run.
std::string deniabilityCaption(const CalibrationSummary& summary) {
    const auto found = std::find_if(summary.cells.begin(), summary.cells.end(),
                                    [](const Cell& cell) { return cell.deniability.has_value(); });
    return fmt::format(
        "Deniability, number of words whose odds to have given an output differ by at most g = {}",
        found == summary.cells.end() ? kAbsent : formatNumber(found->deniability->odds));
}

/// An entropy of every cell. Beside sampled ones stand how much of the outputs the draws have seen,
/// and whether they are lower bounds for that.
Table entropyTable(const CalibrationSummary& summary, std::string caption, Summary Cell::*entropy) {
    const auto of = [entropy](const Cell& cell) { return std::optional(cell.*entropy); };
    Table table = statisticTable(summary, std::move(caption), of).value_or(Table{});
    if (summary.isExact()) {
        return table;
    }
    table.titles.emplace_back("coverage");
    table.titles.emplace_back("note");
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        table.rows[i].push_back(shownNumber(summary.cells[i].coverage));
        table.rows[i].push_back(entropyNote(summary, summary.cells[i]));
    }
    return table;
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

std::vector<Block> resultBlocks(const Report& report) {
    const CalibrationSummary& summary = *report.run.summary;
    std::vector<Block> blocks{Paragraph{runSentence(summary), summary.partial}};
    if (report.run.provenance.selection) {
        blocks.emplace_back(Paragraph{selectionSentence(*report.run.provenance.selection)});
    }
    blocks.emplace_back(overview(summary));
    if (std::string note = lambdaText(summary); !note.empty()) {
        blocks.emplace_back(Paragraph{std::move(note)});
    }
    const auto add = [&](std::string caption, auto of) {
        if (auto table = statisticTable(summary, std::move(caption), of)) {
            blocks.push_back(std::move(*table));
        }
    };
    const char* kind = summary.isExact() ? "" : ", from the sampled shares";
    add("N_w, times that a word is kept, over the words",
        [](const Cell& cell) { return std::optional(cell.nw); });
    if (!summary.isExact() && std::any_of(summary.cells.begin(), summary.cells.end(),
                                          [](const Cell& cell) { return cell.nw.min == 0.0; })) {
        blocks.emplace_back(Paragraph{noneText(summary.draws) + "."});
    }
    add("S_w, different outputs of a word, over the words",
        [](const Cell& cell) { return std::optional(cell.sw); });
    blocks.emplace_back(entropyTable(summary,
                                     fmt::format("Min-entropy of a word's outputs in bits{}", kind),
                                     &Cell::minEntropy));
    blocks.emplace_back(
        entropyTable(summary, fmt::format("Shannon entropy of a word's outputs in bits{}", kind),
                     &Cell::shannonEntropy));
    blocks.emplace_back(
        entropyTable(summary, "Hartley entropy, log2 S_w, in bits", &Cell::hartleyEntropy));
    add("K_w, least number of words that share an output of a word",
        [](const Cell& cell) { return cell.kw; });
    add("K_w among words farther from the origin than the output",
        [](const Cell& cell) { return cell.kwFarther; });
    add(deniabilityCaption(summary), [](const Cell& cell) {
        return cell.deniability ? std::optional(cell.deniability->sizes) : std::nullopt;
    });
    return blocks;
}

}  // namespace epsilens::report
