#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/calibration_text_parts.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationSummary;

Table rerunTable(const calibration::WorstWords& rerun) {
    Table table{fmt::format("Counted again with {} fresh draws each: the largest of many sampled "
                            "counts is too large on average, a second count is not",
                            formatCount(rerun.draws)),
                {"word", "row", "N_w", "kept of the fresh draws"},
                {}};
    for (const calibration::RerunWord& word : rerun.words) {
        table.rows.push_back({word.word, fmt::format("{}", word.row), shownNumber(word.nw),
                              fmt::format("{}", word.kept)});
    }
    return table;
}

/// Which words the tables list, and out of which.
std::string listedText(const calibration::Run& run) {
    const CalibrationSummary& summary = *run.summary;
    const bool isWhole = summary.words >= run.provenance.embedding.words;
    return fmt::format(
        "{} that are kept most often out of {} draws; of those kept equally often, the ones with "
        "the fewest outputs first.{}",
        isWhole ? "The words of the vocabulary"
                : fmt::format("Of the {} words measured, those", formatCount(summary.words)),
        formatCount(summary.draws),
        isWhole ? ""
                : fmt::format(" This says nothing about the other {} words of the vocabulary.",
                              formatCount(run.provenance.embedding.words - summary.words)));
}

Table worstTableOf(const calibration::Run& run, std::size_t cell) {
    Table table{
        settingText(*run.summary, run.summary->cells[cell]), {"word", "row", "N_w", "S_w"}, {}};
    for (const calibration::WordValue& value : run.worstWords[cell]) {
        table.rows.push_back({value.word, fmt::format("{}", value.row), shownNumber(value.nw),
                              shownNumber(value.sw)});
    }
    return table;
}

bool listsNone(const std::vector<calibration::WordValue>& words) {
    return std::any_of(words.begin(), words.end(),
                       [](const calibration::WordValue& word) { return word.nw == 0.0; });
}

}  // namespace

std::vector<Block> rerunBlocks(const CalibrationSummary& summary) {
    std::vector<Block> blocks;
    for (const calibration::Cell& cell : summary.cells) {
        if (cell.worst) {
            blocks.emplace_back(Paragraph{settingText(summary, cell)});
            blocks.emplace_back(rerunTable(*cell.worst));
        }
    }
    return blocks;
}

std::vector<Block> worstWordBlocks(const Report& report, const Findings& findings) {
    const calibration::Run& run = report.run;
    const CalibrationSummary& summary = *run.summary;
    std::vector<Block> blocks;
    blocks.emplace_back(Paragraph{listedText(run)});
    bool hasNone = false;
    bool isRerun = false;
    for (std::size_t i = 0; i < summary.cells.size(); ++i) {
        if (findings.cell && *findings.cell != i) {
            continue;
        }
        blocks.emplace_back(worstTableOf(run, i));
        hasNone = hasNone || listsNone(run.worstWords[i]);
        if (const auto& rerun = summary.cells[i].worst) {
            isRerun = true;
            blocks.emplace_back(rerunTable(*rerun));
        }
    }
    if (!summary.isExact() && !isRerun) {
        blocks.emplace_back(Paragraph{fmt::format(
            "These words were not counted again with fresh draws: the largest of many counts out "
            "of {} draws is too large on average, and other words may be listed here by chance.",
            formatCount(summary.draws))});
    }
    if (!summary.isExact() && hasNone) {
        blocks.emplace_back(Paragraph{noneText(summary.draws) + "."});
    }
    return blocks;
}

}  // namespace epsilens::report
