#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/calibration_text_parts.h"
#include "core/report/odds_text.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationSummary;
using calibration::LimitAggregate;
using calibration::LimitCheck;
using calibration::LimitStatistic;

std::string limitLine(const LimitCheck& check, int draws) {
    return fmt::format(
        "{} {}", check.met() ? "✓ met:" : "✗ NOT met:", calibration::checkSentence(check, draws));
}

/// What limits that are met are met on.
std::string metHeading(const calibration::Run& run) {
    const CalibrationSummary& summary = *run.summary;
    if (summary.partial && summary.words < summary.wordsAsked) {
        return fmt::format("All limits are met on the {} words done before the interruption:",
                           formatCount(summary.words));
    }
    return summary.words < run.provenance.embedding.words
               ? fmt::format("All limits are met on the {} words measured:",
                             formatCount(summary.words))
               : std::string("All limits are met:");
}

/// Whether a limit looks at the word kept most often, which draws of its own can confirm.
bool isOfMostKept(const calibration::Limit& limit) {
    return limit.aggregate == LimitAggregate::max &&
           (limit.statistic == LimitStatistic::nw || limit.statistic == LimitStatistic::kept);
}

/// Share of the draws that a limit on the largest N_w allows; 1 for one that asks for more.
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
            "many sampled counts holds sampling noise."};
    }
    const double share = cell.worst->largestShare();
    const std::int64_t mostKept = std::llround(share * cell.worst->draws);
    const bool isBeyond = std::any_of(checks.begin(), checks.end(), [&](const LimitCheck& check) {
        return isOfMostKept(check.limit) && share > allowedShare(check, summary.draws);
    });
    return {fmt::format("The {} words kept most often were counted again with {} fresh draws each: "
                        "a word is kept {} times at most{}.",
                        formatCount(static_cast<std::int64_t>(cell.worst->words.size())),
                        formatCount(cell.worst->draws), formatCount(mostKept),
                        isBeyond ? ", which is MORE than the limit on the largest N_w allows" : ""),
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

std::vector<Block> limitBlocks(const Report& report, const Findings& findings) {
    const std::vector<calibration::Limit>& limits = report.settings.limits;
    if (limits.empty()) {
        return {Paragraph{"No limits were set."}};
    }
    const CalibrationSummary& summary = *report.run.summary;
    BulletList list;
    if (!findings.cell) {
        for (const calibration::Limit& limit : limits) {
            list.items.push_back(calibration::limitSentence(limit));
        }
        std::vector<Block> blocks{
            Paragraph{withinSentence(findings, summary), findings.withinLimits.empty()}, list};
        for (Block& block : extremeBlocks(report.run, limits)) {
            blocks.push_back(std::move(block));
        }
        return blocks;
    }
    for (const LimitCheck& check : findings.limits) {
        list.items.push_back(limitLine(check, summary.draws));
    }
    const bool met = std::all_of(findings.limits.begin(), findings.limits.end(),
                                 [](const LimitCheck& check) { return check.met(); });
    std::vector<Block> blocks{
        Paragraph{met ? metHeading(report.run) : "Not all limits are met:", !met}, list};
    for (Block& block : extremeBlocks(report.run, limits)) {
        blocks.push_back(std::move(block));
    }
    if (!summary.isExact() && std::any_of(limits.begin(), limits.end(), isOfMostKept)) {
        blocks.emplace_back(
            freshDrawsParagraph(summary, summary.cells[*findings.cell], findings.limits));
    }
    return blocks;
}

BulletList oddsList(const Findings& findings) {
    BulletList list;
    for (const Findings::Odds& odds : findings.odds) {
        list.items.push_back(oddsSentence(odds));
    }
    return list;
}

/// What the draws of a word returned, on average over the words.
std::string outputsSentence(const CalibrationSummary& summary, const calibration::Cell& cell) {
    const std::string different = shownNumber(cell.sw.mean);
    return fmt::format(
        "A word is kept {} times of {} on average; {} {} different {}, the word itself counted "
        "where it is among them. {} of all outputs are the word itself, {} come from near it, {} "
        "from afar.",
        shownNumber(cell.nw.mean), formatCount(summary.draws),
        summary.draws == 1 ? "the draw returns" : "the draws return", different,
        different == "1" ? "word" : "words", shownShare(cell.kept), shownShare(cell.near),
        shownShare(cell.far));
}

std::vector<Block> settingBlocks(const Report& report, const Findings& findings) {
    const CalibrationSummary& summary = *report.run.summary;
    if (!findings.cell) {
        return {Paragraph{fmt::format("No setting was chosen among the {} calibrated ones.",
                                      formatCount(static_cast<std::int64_t>(summary.cells.size()))),
                          true}};
    }
    const calibration::Cell& cell = summary.cells[*findings.cell];
    const mechanism::Guarantee& guarantee = summary.guarantees[*findings.cell];
    std::vector<Block> blocks{
        Paragraph{fmt::format("Setting: the {} mechanism with {} on the embedding {}.",
                              summary.grid.mechanism.name(), settingText(summary, cell),
                              report.run.provenance.embedding.file),
                  true},
        Paragraph{outputsSentence(summary, cell)}};
    if (!summary.isExact() && cell.nw.max == 0.0) {
        blocks.emplace_back(Paragraph{noneText(summary.draws) + "."});
    }
    blocks.emplace_back(Paragraph{fmt::format("Guarantee{} {}.", guarantee.bound ? "" : ":",
                                              mechanism::guaranteeSentence(guarantee)),
                                  !guarantee.bound});
    if (findings.odds.empty()) {
        blocks.emplace_back(Paragraph{
            "Odds for pairs of words were not computed: the vocabulary has none of the usual "
            "pairs, or the calibration was made without them."});
    } else {
        blocks.emplace_back(Paragraph{"In odds, for one occurrence of a word:"});
        blocks.emplace_back(oddsList(findings));
    }
    return blocks;
}

}  // namespace

std::string oddsSentence(const Findings::Odds& odds) {
    const std::string words =
        fmt::format("seeing the output changes the odds of {} against {} (d = {})", odds.pair.first,
                    odds.pair.second, formatSignificant(odds.pair.distance, 3));
    if (!odds.factor) {
        return words + " without any bound";
    }
    return *odds.factor > kLargestUsefulFactor
               ? words + fmt::format(" by a factor above {}: no useful bound",
                                     formatCount(static_cast<std::int64_t>(kLargestUsefulFactor)))
               : words + fmt::format(" by at most ×{}", factorAtMost(*odds.factor));
}

std::vector<Block> summaryBlocks(const Report& report, const Findings& findings) {
    const calibration::Run& run = report.run;
    std::vector<Block> blocks;
    if (run.summary->partial) {
        blocks.emplace_back(Paragraph{partialText(*run.summary) + ".", true});
    }
    auto setting = settingBlocks(report, findings);
    std::move(setting.begin(), setting.end(), std::back_inserter(blocks));
    blocks.emplace_back(Paragraph{measuredText(run)});
    auto limits = limitBlocks(report, findings);
    std::move(limits.begin(), limits.end(), std::back_inserter(blocks));
    blocks.emplace_back(Paragraph{
        "ε has the unit 1/distance. No value is safe by itself, and values under different "
        "metrics or on different embeddings do not compare."});
    return blocks;
}

}  // namespace epsilens::report
