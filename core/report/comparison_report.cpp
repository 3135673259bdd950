#include "core/report/comparison_report.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/document/evaluation_document.h"
#include "core/io/csv.h"
#include "core/report/evaluation_parts.h"
#include "core/report/text_table.h"

namespace epsilens::report {
namespace {

using document::ComparedFigure;
using document::EvaluationComparison;
using experiment::Estimate;
using experiment::Verdict;

/// N_w and S_w are counts, distances have any size.
constexpr int kDigits = 4;

std::string numberText(double value) {
    return std::isfinite(value) ? formatSignificant(value, kDigits) : "–";
}

/// Of calibrations: no share, no verdict.
std::string statisticsTable(const EvaluationComparison& comparison) {
    using Align = TextTable::Align;
    TextTable table({{"setting", Align::left},
                     {"figure", Align::left},
                     {"first", Align::right},
                     {"second", Align::right},
                     {"difference", Align::right}});
    for (const ComparedFigure& figure : comparison.figures) {
        const Estimate& difference = figure.difference.difference;
        std::string text = numberText(difference.mean);
        if (difference.ci95) {
            text += fmt::format(" ({} to {})", numberText((*difference.ci95)[0]),
                                numberText((*difference.ci95)[1]));
        }
        table.addRow({printable(figure.title), figure.figure, numberText(figure.first.mean),
                      numberText(figure.second.mean), std::move(text)});
    }
    return table.render();
}

/// Details, such as what each attacker gains, stand only in JSON and CSV.
bool isMainFigure(const ComparedFigure& figure) {
    return figure.figure.find(".attackers.") == std::string::npos &&
           figure.figure.find(".near.") == std::string::npos;
}

std::string signedText(const Estimate& difference) {
    return difference.ci95 ? fmt::format("{:+.3f} ({:+.3f} to {:+.3f})", difference.mean,
                                         (*difference.ci95)[0], (*difference.ci95)[1])
                           : fmt::format("{:+.3f}", difference.mean);
}

std::string verdictText(Verdict verdict) {
    return verdict == Verdict::different      ? "different"
           : verdict == Verdict::withinMargin ? "no difference"
                                              : "open";
}

}  // namespace

std::string comparisonText(const EvaluationComparison& comparison) {
    std::string text =
        fmt::format("First: {}. Second: {}. Difference: first - second, with 95% intervals.\n",
                    comparison.mechanisms[0], comparison.mechanisms[1]);
    for (const std::string& remark : comparison.remarks) {
        text += printable(remark) + "\n";
    }
    if (!comparison.hasVerdicts) {
        return text + statisticsTable(comparison);
    }
    using Align = TextTable::Align;
    TextTable table({{"setting", Align::left},
                     {"figure", Align::left},
                     {"first", Align::right},
                     {"second", Align::right},
                     {"difference", Align::right},
                     {"paired", Align::left},
                     {"verdict", Align::left}});
    for (const ComparedFigure& figure : comparison.figures) {
        if (!isMainFigure(figure)) {
            continue;
        }
        table.addRow({printable(figure.title), printable(figure.figure), shareText(figure.first),
                      shareText(figure.second), signedText(figure.difference.difference),
                      figure.isPaired ? "yes" : "no", verdictText(figure.difference.verdict)});
    }
    text += table.render();
    text += fmt::format(
        "\"no difference\" is smaller than {} points. The verdicts hold over all {} comparisons, "
        "each kind at 5% (Holm).\n",
        formatNumber(100.0 * comparison.margin), comparison.figures.size());
    return text;
}

std::string comparisonCsv(const EvaluationComparison& comparison) {
    std::string text;
    io::appendCsvLine(text,
                      {"first", "second", "figure", "first.mean", "second.mean", "difference.mean",
                       "difference.ci95Low", "difference.ci95High", "paired", "verdict"});
    for (const ComparedFigure& figure : comparison.figures) {
        const Estimate& difference = figure.difference.difference;
        io::appendCsvLine(
            text,
            {io::csvField(figure.condition),
             io::csvField(figure.other.empty() ? figure.condition : figure.other),
             io::csvField(figure.figure), io::csvNumber(figure.first.mean),
             io::csvNumber(figure.second.mean), io::csvNumber(difference.mean),
             difference.ci95 ? io::csvNumber((*difference.ci95)[0]) : "",
             difference.ci95 ? io::csvNumber((*difference.ci95)[1]) : "",
             figure.isPaired ? "true" : "false",
             comparison.hasVerdicts ? std::string(document::verdictName(figure.difference.verdict))
                                    : std::string()});
    }
    return text;
}

}  // namespace epsilens::report
