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
using evaluation::kBaselines;
using Kind = evaluation::FigureName::Kind;

QString oneDecimal(double value) {
    return QString::number(value, 'f', 1);
}

using Interval = std::optional<std::array<double, 2>>;

Interval outOf100(const Interval& ci95) {
    return ci95 ? Interval({100.0 * (*ci95)[0], 100.0 * (*ci95)[1]}) : std::nullopt;
}

PlotContent overEpsilon(const QString& title) {
    PlotContent content;
    content.x = {tr("ε, per unit of distance (log)"), QStringLiteral("ε"), true};
    content.y.title = title;
    content.csvTitle = QStringLiteral("curve,epsilon,of100,low95,high95");
    return content;
}

PlotSeries seriesOf(const TradeOffResult& result, std::size_t family, const QString& name,
                    const evaluation::FigureName& figure) {
    PlotSeries series{name};
    for (const std::size_t cell : result.families[family].cells) {
        const auto value = evaluation::figureOf(result.summary(), kBaselines + cell, figure);
        if (std::isfinite(value.value)) {
            series.points.push_back({result.summary().cells[cell].epsilon,
                                     100.0 * value.value,
                                     outOf100(value.ci95),
                                     {},
                                     {},
                                     cell});
        }
    }
    return series;
}

/// Out of 100; NaN where it was not measured.
double accuracyAt(const EvaluationSummary& summary, std::size_t condition, ClassifierKind kind) {
    return 100.0 * evaluation::figureOf(summary, condition, {Kind::accuracy, kind}).value;
}

QString classifierTitle(ClassifierKind kind) {
    return kind == ClassifierKind::vectors    ? tr("by mean vectors")
           : kind == ClassifierKind::fasttext ? tr("by fastText")
                                              : tr("by words");
}

std::optional<double> limitOfUse(const EvaluationSummary& summary, const FigureLimit& limit) {
    const ClassifierKind kind = limit.figure.classifier;
    const double floor = accuracyAt(summary, evaluation::kFloor, kind);
    if (std::isnan(floor)) {
        return std::nullopt;
    }
    if (limit.figure.kind == Kind::accuracy) {
        return 100.0 * limit.share();
    }
    return limit.figure.kind == Kind::retained
               ? std::optional(std::lerp(floor, accuracyAt(summary, evaluation::kCeiling, kind),
                                         limit.share()))
               : std::nullopt;
}

std::optional<double> limitOfRisk(const FigureLimit& limit, double prior) {
    return limit.figure.kind == Kind::best   ? std::optional(100.0 * limit.share())
           : limit.figure.kind == Kind::gain ? std::optional(prior + 100.0 * limit.share())
                                             : std::nullopt;
}

void addLimit(PlotContent& content, const std::optional<double>& value) {
    if (value) {
        content.references.push_back({tr("your limit"), *value, true});
    }
}

QString settingText(const EvaluationSummary& summary, std::size_t cell) {
    const QString family = toQString(report::familyText(summary, summary.cells[cell]));
    const QString epsilon = QStringLiteral("ε %1").arg(shortest(summary.cells[cell].epsilon));
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
            shortest(summary.cells[point.cell].epsilon),
            point.cell,
            true,
            point.isDominated};
}

std::vector<report::Table> tablesOf(const EvaluationSummary& summary) {
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

}  // namespace

PlotContent utilityContent(const TradeOffResult& result, std::size_t family,
                           const std::vector<FigureLimit>& limits) {
    const EvaluationSummary& summary = result.summary();
    PlotContent content = overEpsilon(tr("right class, texts of 100"));
    for (const ClassifierKind kind : summary.classified()) {
        content.series.push_back(
            seriesOf(result, family, classifierTitle(kind), {Kind::accuracy, kind}));
    }
    if (content.series.empty()) {
        return content;
    }
    // References of further classifiers stand in the table.
    const QString of =
        content.series.size() == 1 ? QString() : content.series.front().name + QStringLiteral(", ");
    const ClassifierKind first = summary.options.classifiers.front();
    content.references = {{of + tr("no noise"), accuracyAt(summary, evaluation::kCeiling, first)},
                          {of + tr("random words"), accuracyAt(summary, evaluation::kFloor, first)},
                          {tr("always the commonest class"), 100.0 * summary.majority}};
    for (const FigureLimit& limit : limits) {
        addLimit(content, limitOfUse(summary, limit));
    }
    return content;
}

PlotContent riskContent(const TradeOffResult& result, std::size_t family,
                        const std::vector<FigureLimit>& limits) {
    PlotContent content = overEpsilon(tr("guessed, words of 100"));
    PlotSeries best = seriesOf(result, family, tr("best attacker"), {Kind::best});
    if (best.points.empty()) {
        return content;
    }
    // The same at every setting.
    if (const auto found = evaluation::figureAt(
            result.summary(), kBaselines + *best.points.front().id, "reconstruct.prior")) {
        const double prior = 100.0 * found->value;
        content.references.push_back({tr("without the release"), prior});
        for (const FigureLimit& limit : limits) {
            addLimit(content, limitOfRisk(limit, prior));
        }
    }
    content.series.push_back(std::move(best));
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

std::vector<report::Table> figureTables(const TradeOffResult& result,
                                        const std::optional<PresentFigures>& known) {
    std::vector<report::Table> tables = tablesOf(result.summary());
    if (!known || known->result.get() == &result) {
        return tables;
    }
    const EvaluationSummary& summary = known->result->summary();
    for (report::Table& more : tablesOf(summary)) {
        const auto same = std::find_if(tables.begin(), tables.end(), [&more](const auto& table) {
            return table.caption == more.caption;
        });
        if (same == tables.end()) {
            tables.push_back(std::move(more));
        } else if (same->columns != more.columns) {
            // What a measurement has not come to yet has fewer columns.
            *same = same->columns.size() < more.columns.size() ? more : *same;
        } else {
            // Settings stand behind the reference lines.
            const auto& row = more.rows[more.rows.size() - summary.cells.size() + known->cell];
            auto& rows = same->rows;
            const auto place = std::find_if(rows.begin(), rows.end(), [&row](const auto& other) {
                return other.front() == row.front();
            });
            *(place == rows.end() ? rows.insert(place, row) : place) = row;
        }
    }
    return tables;
}

}  // namespace epsilens::ui
