#include "ui/tradeoff/measured_curves.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QCoreApplication>
#include <QStringList>

namespace epsilens::ui {

namespace {

using experiment::ClassifierResults;
using experiment::Measure;

QString tr(const char* text) {
    return QCoreApplication::translate("MeasuredCurves", text);
}

std::optional<std::array<double, 2>> outOf100(const std::optional<std::array<double, 2>>& ci95) {
    return ci95 ? std::optional(std::array{100.0 * (*ci95)[0], 100.0 * (*ci95)[1]}) : std::nullopt;
}

double accuracyOf(const ClassifierResults& results) {
    return 100.0 * results.of(Measure::accuracy).mean;
}

QString classifierTitle(experiment::ClassifierKind kind) {
    switch (kind) {
        case experiment::ClassifierKind::vectors:
            return tr("by mean vectors");
        case experiment::ClassifierKind::fasttext:
            return tr("by fastText");
        case experiment::ClassifierKind::linear:
            break;
    }
    return tr("by words");
}

MeasuredLine classifierLine(const TradeOffResult& result, std::size_t family,
                            std::size_t classifier) {
    const experiment::EvaluationSummary& summary = result.summary();
    MeasuredLine line{classifierTitle(summary.options.classifiers[classifier]), {}};
    for (const std::size_t cell : result.families[family].cells) {
        const ClassifierResults& results = summary.cells[cell].classify[classifier];
        line.points.push_back({summary.cells[cell].epsilon, accuracyOf(results),
                               outOf100(results.of(Measure::accuracy).ci95)});
    }
    return line;
}

MeasuredLine attackerLine(const TradeOffResult& result, const experiment::AttackResults& attack,
                          std::size_t family, const char* path, const QString& name) {
    MeasuredLine line{name, {}};
    for (const std::size_t cell : result.families[family].cells) {
        const auto& findings = attack.cells[cell];
        const experiment::Figure* figure = findings ? figureAt(*findings, path) : nullptr;
        if (figure != nullptr && std::isfinite(figure->value)) {
            line.points.push_back({result.summary().cells[cell].epsilon, 100.0 * figure->value,
                                   outOf100(figure->ci95)});
        }
    }
    return line;
}

/// Nothing where no curve of classifiers is judged by the limit.
std::optional<double> limitOfUse(const experiment::EvaluationSummary& summary,
                                 const experiment::FigureLimit& limit) {
    const auto& kinds = summary.options.classifiers;
    const auto kind = std::find(kinds.begin(), kinds.end(), limit.figure.classifier);
    const auto place = static_cast<std::size_t>(kind - kinds.begin());
    if (place >= summary.floor.size()) {
        return std::nullopt;
    }
    const double floor = accuracyOf(summary.floor[place]);
    switch (limit.figure.kind) {
        case experiment::FigureName::Kind::accuracy:
            return 100.0 * limit.share();
        case experiment::FigureName::Kind::retained:
            return floor + limit.share() * (accuracyOf(summary.ceiling[place]) - floor);
        default:
            return std::nullopt;
    }
}

/// Likewise of the best attacker.
///
/// prior  guessed without the release, of 100
std::optional<double> limitOfRisk(const experiment::FigureLimit& limit, double prior) {
    switch (limit.figure.kind) {
        case experiment::FigureName::Kind::best:
            return 100.0 * limit.share();
        case experiment::FigureName::Kind::gain:
            return prior + 100.0 * limit.share();
        default:
            return std::nullopt;
    }
}

void addLimit(MeasuredCurves& curves, const std::optional<double>& value) {
    if (value) {
        curves.references.push_back({tr("your limit"), *value, true});
    }
}

}  // namespace

QString valueText(const MeasuredPoint& point) {
    const auto number = [](double value) { return QString::number(value, 'f', 1); };
    return point.ci95
               ? QStringLiteral("%1 (%2 to %3)")
                     .arg(number(point.value), number((*point.ci95)[0]), number((*point.ci95)[1]))
               : number(point.value);
}

MeasuredCurves utilityCurves(const TradeOffResult& result, std::size_t family,
                             std::span<const experiment::FigureLimit> limits) {
    const experiment::EvaluationSummary& summary = result.summary();
    MeasuredCurves curves{tr("right class, texts of 100"), {}, {}};
    for (std::size_t i = 0; i < summary.original.size(); ++i) {
        curves.lines.push_back(classifierLine(result, family, i));
    }
    if (!curves.lines.empty()) {
        const bool isOnly = curves.lines.size() == 1;
        // Those of further classifiers stand in the table.
        const QString& first = curves.lines.front().name;
        curves.references = {{isOnly ? tr("no noise") : tr("%1, no noise").arg(first),
                              accuracyOf(summary.ceiling.front())},
                             {isOnly ? tr("random words") : tr("%1, random words").arg(first),
                              accuracyOf(summary.floor.front())},
                             {tr("always the commonest class"), 100.0 * summary.majority}};
        for (const experiment::FigureLimit& limit : limits) {
            addLimit(curves, limitOfUse(summary, limit));
        }
    }
    return curves;
}

MeasuredCurves riskCurves(const TradeOffResult& result, std::size_t family,
                          std::span<const experiment::FigureLimit> limits) {
    MeasuredCurves curves{tr("guessed, words of 100"), {}, {}};
    const auto* attack = experiment::attackOf(result.summary(), experiment::Task::reconstruct);
    if (attack == nullptr) {
        return curves;
    }
    for (const auto& [path, name] :
         {std::pair("best", tr("best attacker")), std::pair("echo", tr("guesses what it sees")),
          std::pair("map", tr("knows the noise")),
          std::pair("context", tr("and reads the context"))}) {
        MeasuredLine line = attackerLine(result, *attack, family, path, name);
        if (!line.points.empty()) {
            curves.lines.push_back(std::move(line));
        }
    }
    const MeasuredLine prior = attackerLine(result, *attack, family, "prior", {});
    if (!prior.points.empty()) {
        const double without = prior.points.front().value;
        curves.references.push_back({tr("without the release"), without});
        for (const experiment::FigureLimit& limit : limits) {
            addLimit(curves, limitOfRisk(limit, without));
        }
    }
    return curves;
}

QString attackersText(const TradeOffResult& result, std::size_t cell) {
    QStringList lines;
    for (std::size_t family = 0; family < result.families.size(); ++family) {
        const std::vector<std::size_t>& cells = result.families[family].cells;
        if (std::find(cells.begin(), cells.end(), cell) == cells.end()) {
            continue;
        }
        for (const MeasuredLine& line : riskCurves(result, family).lines) {
            for (const MeasuredPoint& point : line.points) {
                if (point.epsilon == result.summary().cells[cell].epsilon) {
                    lines.append(tr("%1: %2").arg(line.name, valueText(point)));
                }
            }
        }
    }
    return lines.isEmpty() ? QString()
                           : tr("Words of 100 that attackers guess, with 95% intervals:\n%1")
                                 .arg(lines.join(QLatin1Char('\n')));
}

}  // namespace epsilens::ui
