#include "core/report/comparison_report.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/document/report_document.h"
#include "core/report/memo_words.h"
#include "core/report/report_model.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::ComparedMechanism;
using document::comparedTitle;

// Losses that differ by less are nearly the same odds.
constexpr double kEqualLoss = 0.02;

/// A share out of 100 as it was asked for; one that was measured as a whole number.
std::string keptText(double kept) {
    const double percent = 100.0 * kept;
    const double tenths = std::round(10.0 * percent) / 10.0;
    if (std::abs(percent - tenths) < 1e-9) {
        return formatNumber(tenths);
    }
    return percent < 1.0 || percent > 99.0 ? formatNumber(std::round(1000.0 * percent) / 1000.0)
                                           : fmt::format("{}", std::lround(percent));
}

void addRow(ComparisonReport& report, const ComparedMechanism& compared, double kept,
            const std::optional<RowPair>& pair) {
    const auto setting = calibration::settingAt(compared, kept);
    if (!setting) {
        report.missing.push_back(
            {compared.mechanism,
             fmt::format("keeps {} of 100 words at no ε that was measured", keptText(kept))});
        return;
    }
    ComparisonRow row{compared.mechanism, kept, *setting};
    if (pair) {
        row.pairDistance = compared.prepared->metric().distance(pair->first, pair->second);
        row.pairLoss = mechanism::pairLoss(setting->guarantee, *row.pairDistance);
    }
    report.rows.push_back(std::move(row));
}

/// "promises ×34,600", "promises nothing of use (×10¹⁴)"
std::string promised(const ComparisonRow& row) {
    const std::string odds = oddsWords(row.pairLoss);
    return row.pairLoss <= std::log(kLargestUsefulFactor)
               ? "promises " + odds
               : fmt::format("promises nothing of use (×{})", odds.substr(0, odds.find(':')));
}

Table tableOf(const ComparisonReport& report, double kept) {
    Table table{"",
                {"mechanism", "ε", "near", "far", "different outputs", "odds, " + report.pairText,
                 "useful within"}};
    for (const ComparisonRow* row : rankedRows(report, kept)) {
        const calibration::ComparedSetting& setting = row->setting;
        std::vector<std::string> fields{
            comparedTitle(row->mechanism),
            formatSignificant(setting.epsilon, 3),
            fmt::format("{}", hundredthsOf(setting.shares).near),
            fmt::format("{}", hundredthsOf(setting.shares).far),
            formatSignificant(setting.differentOutputs, 3),
            report.pair ? oddsWords(row->pairLoss) : kAbsent,
            std::isinf(setting.reachUseful)
                ? "any distance"
                : fmt::format("{} {}", formatAtLeast(setting.reachUseful, 3),
                              metric::metricKey(row->mechanism.metric()))};
        for (std::size_t i = 0; i < kComparedFigures.size(); ++i) {
            if (row->figures[i] && table.rows.empty()) {
                table.columns.emplace_back(evaluation::figureText(kComparedFigures[i]));
            }
            if (row->figures[i]) {
                fields.push_back(evaluation::figureValueText(*row->figures[i]));
            }
        }
        table.rows.push_back(std::move(fields));
    }
    return table;
}

}  // namespace

ComparisonReport describeComparison(const engine::SearchSpace& space,
                                    const std::vector<ComparedMechanism>& compared,
                                    const std::vector<double>& shares,
                                    const std::optional<RowPair>& pair) {
    ComparisonReport report;
    report.provenance = calibration::provenanceOf(space.embedding());
    if (pair) {
        const embedding::Vocabulary& vocabulary = space.embedding().vocabulary();
        report.pair = {std::string(vocabulary.word(pair->first)),
                       std::string(vocabulary.word(pair->second))};
        report.pairText = fmt::format("{} against {}", (*report.pair)[0], (*report.pair)[1]);
    }
    for (const ComparedMechanism& one : compared) {
        if (one.response) {
            report.words = one.response->words().size();
            report.draws = one.response->options().draws;
        } else {
            report.missing.push_back({one.mechanism, one.problem});
        }
    }
    for (const double kept : shares) {
        for (const ComparedMechanism& one : compared) {
            if (one.response) {
                addRow(report, one, kept, pair);
            }
        }
    }
    return report;
}

std::vector<const ComparisonRow*> rankedRows(const ComparisonReport& report, double kept) {
    std::vector<const ComparisonRow*> rows;
    for (const ComparisonRow& row : report.rows) {
        if (row.kept == kept) {
            rows.push_back(&row);
        }
    }
    if (report.pair) {
        std::ranges::stable_sort(rows, [](const auto* one, const auto* other) {
            return one->pairLoss < other->pairLoss;
        });
        const auto capped = std::ranges::find_if(rows, [&rows](const auto* row) {
            return row->setting.guarantee.cap &&
                   row->pairLoss <= rows.front()->pairLoss + kEqualLoss;
        });
        if (capped != rows.end()) {
            std::rotate(rows.begin(), capped, capped + 1);
        }
    }
    return rows;
}

std::string comparisonSentence(const ComparisonReport& report, double kept,
                               const std::optional<mechanism::Mechanism>& present) {
    const std::vector<const ComparisonRow*> rows = rankedRows(report, kept);
    if (!report.pair || rows.empty()) {
        return {};
    }
    const ComparisonRow& best = *rows.front();
    const auto isPresent = [&](const ComparisonRow* row) { return row->mechanism == present; };
    auto other = std::ranges::find_if(rows, isPresent);
    if (other == rows.begin() || other == rows.end()) {
        other = std::ranges::find_if(
            rows, [&](const auto* row) { return row->pairLoss > best.pairLoss + kEqualLoss; });
    }
    const auto said = [&](const ComparisonRow& row) {
        const std::string title = comparedTitle(row.mechanism);
        return fmt::format("{}{}{} {}", isPresent(&row) ? "the present " : "", title,
                           title.find(',') != std::string::npos ? "," : "", promised(row));
    };
    std::string text = fmt::format("At {} of 100 words kept, {} for {}", keptText(kept), said(best),
                                   report.pairText);
    if (other != rows.end()) {
        text += fmt::format("; {}. The first replaces {}, the second {} of 100 words by near ones",
                            said(**other), hundredthsOf(best.setting.shares).near,
                            hundredthsOf((*other)->setting.shares).near);
    }
    return text + ".";
}

std::string comparisonText(const ComparisonReport& report) {
    Section section;
    section.say(fmt::format("{}, {} draws each; kept, near and far out of 100",
                            counted(static_cast<std::int64_t>(report.words), "word", "words"),
                            formatCount(report.draws)));
    double kept = 0.0;
    for (const ComparisonRow& row : report.rows) {
        if (row.kept != std::exchange(kept, row.kept)) {
            section.say(comparisonSentence(report, kept));
            section.blocks.emplace_back(tableOf(report, kept));
        }
    }
    Facts missing;
    for (const ComparisonReport::Missing& one : report.missing) {
        missing.items.emplace_back(comparedTitle(one.mechanism), one.reason);
    }
    section.blocks.emplace_back(std::move(missing));
    return reportText({runTitle(report.provenance), {std::move(section)}});
}

}  // namespace epsilens::report
