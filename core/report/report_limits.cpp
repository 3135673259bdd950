#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/calibration_text_parts.h"
#include "core/report/limit_words.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationSummary;
using calibration::LimitAggregate;
using calibration::LimitCheck;
using calibration::LimitStatistic;

/// What limits that are met are met on.
std::string metHeading(const calibration::Run& run, std::string_view limits) {
    const CalibrationSummary& summary = *run.summary;
    if (summary.partial && summary.words < summary.wordsAsked) {
        return fmt::format("All {} are met on the {} words done before the interruption:", limits,
                           formatCount(summary.words));
    }
    return summary.words < run.provenance.embedding.words
               ? fmt::format("All {} are met on the {} words measured:", limits,
                             formatCount(summary.words))
               : fmt::format("All {} are met:", limits);
}

/// Whether a limit looks at the word kept most often, which draws of its own can confirm.
bool isOfMostKept(const calibration::Limit& limit) {
    return limit.aggregate == LimitAggregate::max &&
           (limit.statistic == LimitStatistic::nw || limit.statistic == LimitStatistic::kept);
}

/// Share of the draws that a limit on the word kept most often allows; 1 for one that asks for
/// more.
double allowedShare(const LimitCheck& check, int draws) {
    if (check.limit.relation == calibration::LimitRelation::atLeast) {
        return 1.0;
    }
    return check.limit.statistic == LimitStatistic::nw ? check.bound / draws : check.bound;
}

/// What the words kept most often did under fresh draws, against the limits on them.
Paragraph freshDrawsParagraph(const CalibrationSummary& summary, const calibration::Cell& cell,
                              const std::vector<LimitCheck>& checks) {
    if (!cell.worst) {
        return {
            "The words kept most often were not counted again with fresh draws; the largest of "
            "many sampled counts contains sampling noise."};
    }
    const double share = cell.worst->largestShare();
    const std::int64_t mostKept = std::llround(share * cell.worst->draws);
    const bool isBeyond = std::any_of(checks.begin(), checks.end(), [&](const LimitCheck& check) {
        return isOfMostKept(check.limit) && share > allowedShare(check, summary.draws);
    });
    return {
        fmt::format(
            "The {} words kept most often were counted again with {} fresh draws each: "
            "a word is kept {} times at most{}.",
            formatCount(static_cast<std::int64_t>(cell.worst->words.size())),
            formatCount(cell.worst->draws), formatCount(mostKept),
            isBeyond ? ", which is MORE than the limit on the word kept most often allows" : ""),
        isBeyond};
}

/// What limits on a largest or smallest value leave open.
std::vector<Block> extremeBlocks(const calibration::Run& run,
                                 const std::vector<calibration::Limit>& limits) {
    const bool hasExtreme =
        std::any_of(limits.begin(), limits.end(), [](const calibration::Limit& limit) {
            return limit.aggregate == LimitAggregate::max || limit.aggregate == LimitAggregate::min;
        });
    const std::string note = extremeText(run.provenance, *run.summary);
    return hasExtreme && !note.empty() ? std::vector<Block>{Paragraph{note + "."}}
                                       : std::vector<Block>{};
}

/// What the limits say where no setting was chosen.
std::string withinSentence(const Findings& findings, const CalibrationSummary& summary) {
    const auto within = static_cast<std::int64_t>(findings.withinLimits.size());
    if (within == 0) {
        return "No calibrated setting meets all limits:";
    }
    return fmt::format(
        "{} of the {} calibrated settings {} all limits; none of them was chosen. The limits:",
        formatCount(within), formatCount(static_cast<std::int64_t>(summary.cells.size())),
        within == 1 ? "meets" : "meet");
}

/// Limits on what the calibration measured of words of the vocabulary.
std::vector<Block> vocabularyBlocks(const Report& report, const Findings& findings) {
    const std::vector<calibration::Limit>& limits = report.settings.limits;
    if (limits.empty()) {
        return {};
    }
    const CalibrationSummary& summary = *report.run.summary;
    BulletList list;
    if (!findings.cell) {
        for (const calibration::Limit& limit : limits) {
            list.items.push_back(
                fmt::format("{}: {}", limitName(limits, limit), limitWords(limit, summary.draws)));
        }
        std::vector<Block> blocks{
            Paragraph{withinSentence(findings, summary), findings.withinLimits.empty()}, list};
        for (Block& block : extremeBlocks(report.run, limits)) {
            blocks.push_back(std::move(block));
        }
        return blocks;
    }
    for (const LimitCheck& check : findings.limits) {
        list.items.push_back(fmt::format("{} {}: {}", check.met() ? "✓" : "✗",
                                         limitName(limits, check.limit),
                                         checkWords(check, summary.draws)));
    }
    const bool met = std::all_of(findings.limits.begin(), findings.limits.end(),
                                 [](const LimitCheck& check) { return check.met(); });
    const std::string_view what =
        report.settings.figureLimits.empty() ? "limits" : "limits on words";
    std::vector<Block> blocks{
        Paragraph{met ? metHeading(report.run, what) : fmt::format("Not all {} are met:", what),
                  !met},
        list};
    for (Block& block : extremeBlocks(report.run, limits)) {
        blocks.push_back(std::move(block));
    }
    if (!summary.isExact() && std::any_of(limits.begin(), limits.end(), isOfMostKept)) {
        blocks.emplace_back(
            freshDrawsParagraph(summary, summary.cells[*findings.cell], findings.limits));
    }
    return blocks;
}

std::string shownFinding(const document::FigureFinding& finding, const std::string& name,
                         bool isChosen) {
    if (finding.check) {
        return fmt::format("{} {}: {}", finding.met() ? "✓" : "✗", name,
                           checkWords(*finding.check));
    }
    return isChosen ? fmt::format("– {}: {}: not measured at this setting", name,
                                  limitWords(finding.limit))
                    : fmt::format("{}: {}", name, limitWords(finding.limit));
}

/// Limits on what attackers learn from texts, and on what these are still good for.
std::vector<Block> textBlocks(const Report& report, const Findings& findings) {
    BulletList list;
    std::size_t place = report.settings.limits.size();
    for (const document::FigureFinding& finding : document::figureFindings(report, findings)) {
        list.items.push_back(
            shownFinding(finding, fmt::format("Limit {}", ++place), findings.cell.has_value()));
    }
    if (list.items.empty()) {
        return {};
    }
    return {Paragraph{"Limits on texts, each met only where the whole 95% interval is within it:"},
            list};
}

}  // namespace

std::string limitName(const std::vector<calibration::Limit>& limits,
                      const calibration::Limit& limit) {
    return fmt::format("Limit {}",
                       std::find(limits.begin(), limits.end(), limit) - limits.begin() + 1);
}

std::vector<Block> limitBlocks(const Report& report, const Findings& findings) {
    std::vector<Block> blocks = vocabularyBlocks(report, findings);
    for (Block& block : textBlocks(report, findings)) {
        blocks.push_back(std::move(block));
    }
    if (blocks.empty()) {
        blocks.emplace_back(Paragraph{"No limits were set."});
    }
    return blocks;
}

}  // namespace epsilens::report
