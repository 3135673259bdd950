#include "ui/tradeoff/trade_off_content.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/evaluation/evaluation.h"
#include "core/report/evaluation_report.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {
namespace {

using evaluation::ClassifierKind;
using evaluation::EvaluationSummary;
using evaluation::FigureLimit;
using evaluation::FigureName;
using evaluation::FigureValue;
using evaluation::kBaselines;
using evaluation::TriedEpsilon;
using Kind = evaluation::FigureName::Kind;

using Interval = std::optional<std::array<double, 2>>;

Interval outOf100(const Interval& ci95) {
    return ci95 ? Interval({100.0 * (*ci95)[0], 100.0 * (*ci95)[1]}) : std::nullopt;
}

PlotContent overEpsilon(const QString& title) {
    PlotContent content;
    content.x = {tr("ε, per unit of distance (log)"), QStringLiteral("ε"), true, {}, epsilonText};
    content.y.title = title;
    content.csvTitle = QStringLiteral("curve,epsilon,of100,low95,high95");
    return content;
}

/// Out of 100; NaN where it was not measured.
double accuracyAt(const EvaluationSummary& summary, std::size_t condition, ClassifierKind kind) {
    return 100.0 * evaluation::figureOf(summary, condition, {Kind::accuracy, kind}).value;
}

/// What is guessed without the release, the same at every setting; NaN where it was not measured.
double priorOf(const EvaluationSummary& summary) {
    for (std::size_t cell = 0; cell < summary.cells.size(); ++cell) {
        if (const auto prior =
                evaluation::figureAt(summary, kBaselines + cell, "reconstruct.prior")) {
            return 100.0 * prior->value;
        }
    }
    return std::nan("");
}

/// Where a share of a figure lies beside accuracies or, of risk, beside successes of attackers, out
/// of 100; NaN for figures that the plots do not have.
double placeOf(const EvaluationSummary& summary, const FigureName& figure, double share) {
    switch (figure.kind) {
        case Kind::accuracy:
        case Kind::best:
            return 100.0 * share;
        case Kind::retained:
            return std::lerp(accuracyAt(summary, evaluation::kFloor, figure.classifier),
                             accuracyAt(summary, evaluation::kCeiling, figure.classifier), share);
        case Kind::gain:
            return priorOf(summary) + 100.0 * share;
        default:
            return std::nan("");
    }
}

/// figure  of the series; those beside the result may have another one in its place
PlotSeries seriesOf(const TradeOffResult& result, std::size_t family, const QString& name,
                    const FigureName& figure, const std::vector<TriedEpsilon>& beside) {
    const EvaluationSummary& summary = result.summary();
    PlotSeries series{name};
    series.style = Qt::DashLine;  // between what is measured nothing is known
    const auto add = [&](double epsilon, const FigureName& of, const FigureValue& value,
                         std::size_t id) {
        const auto place = [&](double share) { return placeOf(summary, of, share); };
        const bool hasPlace = std::isfinite(place(value.value));
        if (hasPlace) {
            const auto range = value.ci95
                                   ? Interval({place((*value.ci95)[0]), place((*value.ci95)[1])})
                                   : std::nullopt;
            series.points.push_back({epsilon, place(value.value), range, {}, {}, id});
        }
        return hasPlace;
    };
    for (const std::size_t cell : result.families[family].cells) {
        add(summary.cells[cell].epsilon, figure,
            evaluation::figureOf(summary, kBaselines + cell, figure), cell);
    }
    for (std::size_t i = 0; i < beside.size(); ++i) {
        for (const auto& [limit, value, margin] : beside[i].checks) {
            if (limit.figure.isRisk() == figure.isRisk() &&
                (figure.isRisk() || limit.figure.classifier == figure.classifier) &&
                add(beside[i].epsilon, limit.figure, value, summary.cells.size() + i)) {
                break;
            }
        }
    }
    std::ranges::stable_sort(series.points, {}, &PlotPoint::x);
    return series;
}

QString classifierTitle(ClassifierKind kind) {
    return kind == ClassifierKind::vectors    ? tr("by mean vectors")
           : kind == ClassifierKind::fasttext ? tr("by fastText")
                                              : tr("by words");
}

void addLimits(PlotContent& content, const EvaluationSummary& summary,
               const std::vector<FigureLimit>& limits, bool areOnRisk) {
    for (const FigureLimit& limit : limits) {
        const double place = placeOf(summary, limit.figure, limit.share());
        if (limit.figure.isRisk() == areOnRisk && std::isfinite(place)) {
            content.references.push_back({tr("your limit"), place, true});
        }
    }
}

QString settingText(const EvaluationSummary& summary, std::size_t cell) {
    const QString family = toQString(report::familyText(summary, summary.cells[cell]));
    const QString epsilon = QStringLiteral("ε %1").arg(epsilonText(summary.cells[cell].epsilon));
    return family.isEmpty() ? epsilon : QStringLiteral("%1, %2").arg(epsilon, family);
}

PlotPoint frontierPoint(const EvaluationSummary& summary, const evaluation::TradeOffPoint& point) {
    const auto text = [&](Kind kind, double value) {
        const auto ci95 = outOf100(evaluation::figureOf(summary, kBaselines + point.cell,
                                                        {kind, summary.options.classifiers.front()})
                                       .ci95);
        return ci95 ? tr("%1 (%2 to %3)")
                          .arg(oneDecimal(100.0 * value), oneDecimal((*ci95)[0]),
                               oneDecimal((*ci95)[1]))
                    : oneDecimal(100.0 * value);
    };
    return {100.0 * point.risk,
            100.0 * point.utility,
            {},
            tr("%1: right class %2, guessed beyond those without the release %3 of 100")
                .arg(settingText(summary, point.cell), text(Kind::accuracy, point.utility),
                     text(Kind::gain, point.risk)),
            epsilonText(summary.cells[point.cell].epsilon),
            point.cell,
            true,
            point.isDominated};
}

}  // namespace

PlotContent utilityContent(const TradeOffResult& result, std::size_t family,
                           const std::vector<FigureLimit>& limits,
                           const std::vector<TriedEpsilon>& beside) {
    const EvaluationSummary& summary = result.summary();
    PlotContent content = overEpsilon(tr("right class, texts of 100"));
    for (const ClassifierKind kind : summary.classified()) {
        content.series.push_back(
            seriesOf(result, family, classifierTitle(kind), {Kind::accuracy, kind}, beside));
    }
    if (content.series.empty()) {
        return content;
    }
    // References of further classifiers stand in the table.
    const QString of =
        content.series.size() == 1 ? QString() : content.series.front().name + QStringLiteral(", ");
    const ClassifierKind first = summary.options.classifiers.front();
    content.references = {
        {of + tr("no noise: 100% useful"), accuracyAt(summary, evaluation::kCeiling, first)},
        {of + tr("random words: 0% useful"), accuracyAt(summary, evaluation::kFloor, first)},
        {tr("always the commonest class"), 100.0 * summary.majority}};
    addLimits(content, summary, limits, false);
    return content;
}

PlotContent riskContent(const TradeOffResult& result, std::size_t family,
                        const std::vector<FigureLimit>& limits,
                        const std::vector<TriedEpsilon>& beside) {
    PlotContent content = overEpsilon(tr("guessed, words of 100"));
    PlotSeries best = seriesOf(result, family, tr("best attacker"), {Kind::best}, beside);
    if (!best.points.empty()) {
        if (const double prior = priorOf(result.summary()); std::isfinite(prior)) {
            content.references.push_back({tr("without the release"), prior});
        }
        addLimits(content, result.summary(), limits, true);
        content.series.push_back(std::move(best));
    }
    return content;
}

PlotContent frontierContent(const TradeOffResult& result) {
    const EvaluationSummary& summary = result.summary();
    PlotContent content;
    content.x.title = tr("words of 100 guessed beyond those without the release");
    content.y.title = tr("right class, texts of 100");
    content.hasCursor = false;
    content.csvTitle = QStringLiteral("family,gain,accuracy,,,epsilon");
    content.emptyText = tr("This measurement has no setting yet with both usefulness and risk.");
    QStringList best;
    std::optional<std::size_t> family;
    for (const evaluation::TradeOffPoint& point : evaluation::tradeOffOf(summary)) {
        if (std::exchange(family, point.family) != point.family) {
            content.series.push_back(
                {toQString(report::familyText(summary, summary.cells[point.cell]))});
            content.series.back().style = Qt::DashLine;
        }
        content.series.back().points.push_back(frontierPoint(summary, point));
        if (!point.isDominated) {
            best.append(tr("%1: right %2, guessed %3 of 100")
                            .arg(settingText(summary, point.cell),
                                 oneDecimal(100.0 * point.utility),
                                 oneDecimal(100.0 * point.risk)));
        }
    }
    if (!best.isEmpty()) {
        content.description = tr("No other setting is both more useful and less risky "
                                 "than these. %1.")
                                  .arg(best.join(QStringLiteral("; ")));
    }
    return content;
}

std::vector<report::Table> figureTables(const TradeOffResult& result) {
    const EvaluationSummary& summary = result.summary();
    std::vector<report::Table> tables;
    for (const ClassifierKind kind : summary.classified()) {
        tables.push_back(report::figuresTable(summary, attack::Task::classify, kind));
        tables.back().caption =
            toStd(tr("Accuracy, %1").arg(toQString(evaluation::classifierName(kind))));
    }
    for (const attack::AttackResults& attack : summary.attacks) {
        tables.push_back(report::figuresTable(summary, attack.task));
        tables.back().caption = report::attackTitle(attack.task);
    }
    return tables;
}

}  // namespace epsilens::ui
