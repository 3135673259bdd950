#include "core/report/report_model.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

void tidy(Table& table) {
    std::vector<std::size_t> kept;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        if (std::ranges::any_of(table.rows, [column](const auto& row) {
                return !row[column].empty() && row[column] != kAbsent;
            })) {
            kept.push_back(column);
        }
    }
    const auto keep = [&kept](auto& all) {
        std::remove_reference_t<decltype(all)> chosen;
        for (const std::size_t column : kept) {
            chosen.push_back(std::move(all[column]));
        }
        all = std::move(chosen);
    };
    if (!kept.empty() && !table.isForm) {
        keep(table.columns);
        std::for_each(table.rows.begin(), table.rows.end(), keep);
    }
}

void tidy(std::vector<Section>& sections) {
    for (Section& section : sections) {
        for (Block& block : section.blocks) {
            if (auto* table = std::get_if<Table>(&block)) {
                tidy(*table);
            } else if (auto* facts = std::get_if<Facts>(&block)) {
                std::erase_if(facts->items, [](const auto& fact) { return fact.second.empty(); });
            }
        }
        std::erase_if(section.blocks, [](const Block& block) {
            const auto* paragraph = std::get_if<Paragraph>(&block);
            return paragraph != nullptr && paragraph->text.empty();
        });
    }
    std::erase_if(sections, [](const Section& section) { return section.blocks.empty(); });
}

/// Words that were counted again with fresh draws.
Table rerunTable(const CalibrationSummary& summary, const Cell& cell) {
    Table table{fmt::format("{}: counted again with {} fresh draws each; the largest of many "
                            "sampled counts is too large on average, a second count is not",
                            settingText(summary, cell), formatCount(cell.worst->draws)),
                {"word", "row", "N_w", "kept of the fresh draws"}};
    for (const calibration::RerunWord& word : cell.worst->words) {
        table.rows.push_back({word.word, fmt::format("{}", word.row), shownNumber(word.nw),
                              fmt::format("{}", word.kept)});
    }
    return table;
}

/// Of a file of vectors, without what its format and its compression are called by.
std::string shortName(std::string file) {
    for (const std::string_view ending :
         {".gz", ".xz", ".bz2", ".zst", ".zip", ".txt", ".vec", ".bin"}) {
        if (file.size() > ending.size() && file.ends_with(ending)) {
            file.erase(file.size() - ending.size());
        }
    }
    return file;
}

/// Which texts the report judges, without what they say, and the embedding.
std::string usualTitle(const Report& report) {
    std::vector<std::string> files;
    if (report.settings.texts) {
        files.push_back(report.settings.texts->file);
    }
    for (const document::EvaluationRecord& evaluation : report.evaluations) {
        const std::string& file = evaluation.summary.data.file;
        if (std::ranges::find(files, file) == files.end()) {
            files.push_back(file);
        }
    }
    if (files.empty() && !report.examples.empty()) {
        files.emplace_back(report.examples.size() == 1 ? "a typed sentence" : "typed sentences");
    }
    const std::string embedding = shortName(report.run.provenance.embedding.file);
    return files.empty()
               ? fmt::format("Privacy calibration of {}", embedding)
               : fmt::format("Privacy of {} with {}", fmt::join(files, " and "), embedding);
}

}  // namespace

ReportContent tidied(ReportContent content) {
    tidy(content.sections);
    tidy(content.appendix);
    return content;
}

Result<ReportContent> composeReport(const Report& report, bool hasAppendix) {
    ASSIGN_OR_RETURN(const auto findings, findingsOf(report));
    const Judged judged{report, findings};
    return tidied({report.settings.title.empty() ? usualTitle(report) : report.settings.title,
                   memoSections(judged),
                   hasAppendix ? appendixSections(judged) : std::vector<Section>{}});
}

ReportContent calibrationPage(const calibration::Run& run) {
    constexpr std::size_t kFew = 4;
    const CalibrationSummary& summary = *run.summary;
    const ShownCells shown = shownCells(run);
    const bool areFew = shown.cells.size() <= kFew;
    Section results{"results", "Results"};
    results.say(shown.note);
    results.say(runSentence(summary), summary.partial);
    results.say(selectionSentence(run.provenance.selection));
    results.blocks.emplace_back(overviewTable(summary, shown.cells));
    results.say(noneText(summary, std::ranges::any_of(shown.cells, [&summary](std::size_t cell) {
                             return summary.cells[cell].nw.min == 0.0;
                         })));
    results.say(lambdaText(summary));
    Section again{"again", "Words counted again"};
    for (const std::size_t i : shown.cells) {
        const Cell& cell = summary.cells[i];
        if (areFew) {
            results.blocks.emplace_back(statisticsTable(summary, cell));
            results.blocks.emplace_back(cellFacts(cell));
        }
        if (cell.worst) {
            again.blocks.emplace_back(rerunTable(summary, cell));
        }
    }
    results.say(areFew ? entropyText(summary)
                       : "Entropies, distances and all percentiles: --format json or csv.");
    results.say(fmt::format("It took {:.1f} s.", summary.seconds));
    return {fmt::format("{}{} on {}", summary.partial ? "PARTIAL: " : "",
                        summary.grid.mechanism.title(), runTitle(run.provenance)),
            {std::move(results), guaranteeSection(summary, shown.cells), std::move(again)}};
}

}  // namespace epsilens::report
