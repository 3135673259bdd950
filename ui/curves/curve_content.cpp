#include "ui/curves/curve_content.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <QCoreApplication>

#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

using calibration::Cell;

namespace {

/// Symbol of each CurveParameter, in their order.
constexpr std::array kSymbols{"", "λ", "β", "γ"};

QString tr(const char* text) {
    return QCoreApplication::translate("CurveText", text);
}

/// "λ 0.5"; for none "all words".
QString curveName(CurveParameter parameter, double value) {
    return parameter == CurveParameter::none
               ? tr("all words")
               : QStringLiteral("%1 %2").arg(parameterSymbol(parameter), brief(value));
}

QString oneDigit(double value) {
    return QString::number(value, 'f', 1);
}

QString bandName(PercentileBand band) {
    return QStringLiteral("P%1–P%2").arg(band.low).arg(band.high);
}

QString statisticReading(const Reading& reading, calibration::Summary Cell::*of,
                         const QString& name, PercentileBand band) {
    if (!reading.cell) {
        return tr("%1 unknown outside the grid").arg(name);
    }
    const calibration::Summary& over = *reading.cell.*of;
    return tr("%1 %2%3 (median %4, %5 %6–%7)")
        .arg(name, reading.isExact ? QString() : QStringLiteral("≈ "), oneDigit(over.mean),
             oneDigit(over.p50), bandName(band), oneDigit(over.percentile(band.low)),
             oneDigit(over.percentile(band.high)));
}

/// Where a family of colours begins (the smallest lambda) and ends; each at least 3:1 against the
/// plot's ground.
std::array<QColor, 2> coloursOf(Statistic statistic, bool dark) {
    if (statistic == Statistic::nw) {
        return dark ? std::array{QColor(0xc4, 0xe6, 0xfa), QColor(0x2e, 0x8b, 0xc7)}
                    : std::array{QColor(0x00, 0x33, 0x55), QColor(0x3d, 0x9b, 0xd6)};
    }
    return dark ? std::array{QColor(0xff, 0xdf, 0xa3), QColor(0xdc, 0x7a, 0x2a)}
                : std::array{QColor(0x7a, 0x2e, 0x00), QColor(0xe5, 0x6c, 0x14)};
}

}  // namespace

QString parameterSymbol(CurveParameter parameter) {
    return QString::fromUtf8(kSymbols.at(static_cast<std::size_t>(parameter)));
}

QString originText(const RunCurves& run, Statistic statistic) {
    const QString what = statistic == Statistic::nw ? tr("N<sub>w</sub>, outputs equal to the word")
                                                    : tr("S<sub>w</sub>, different outputs");
    if (run.isExact()) {
        return tr("%1: exact at every ε for these draws").arg(what);
    }
    const QString where = tr("the %1 ε of the grid").arg(run.summary().grid.epsilons.size());
    if (!run.responses.empty()) {
        return tr("%1: expected, exact at %2, within 0.1% between them").arg(what, where);
    }
    return (run.summary().isExact() ? tr("%1: expected, exact at %2") : tr("%1: sampled at %2"))
        .arg(what, where);
}

QString readingText(const RunCurves& run, std::size_t curve, double epsilon, PercentileBand band,
                    const mechanism::Mechanism& set) {
    const Reading reading = readCurve(run, curve, epsilon);
    const QString text =
        tr("At ε %1, %2: %3 · %4")
            .arg(brief(epsilon), curveName(run.parameter, reading.value),
                 statisticReading(reading, &Cell::nw, QStringLiteral("N<sub>w</sub>"), band),
                 statisticReading(reading, &Cell::sw, QStringLiteral("S<sub>w</sub>"), band));
    const double wanted = parameterValue(set, run.parameter);
    return run.parameter == CurveParameter::none || reading.value == wanted
               ? text
               : tr("There is no curve for %1, the value set; this is the nearest one. %2")
                     .arg(curveName(run.parameter, wanted), text);
}

QColor curveColour(Statistic statistic, const Theme& theme, int index, int count) {
    if (count == 1) {
        return statistic == Statistic::nw ? theme.nw : theme.sw;
    }
    const auto [first, last] = coloursOf(statistic, theme.dark);
    const double share = static_cast<double>(index) / (count - 1);
    const auto mix = [share](int low, int high) {
        return static_cast<int>(std::lround(low + share * (high - low)));
    };
    return {mix(first.red(), last.red()), mix(first.green(), last.green()),
            mix(first.blue(), last.blue())};
}

PlotContent curveContent(const RunCurves& run, Statistic statistic, PercentileBand band,
                         std::size_t bandOf) {
    constexpr double kEpsilonMargin = 1.25;  // factor beyond the grid
    constexpr double kValueMargin = 0.03;    // of the draws, above R and below 0
    const bool isNw = statistic == Statistic::nw;
    const auto of = isNw ? &Cell::nw : &Cell::sw;
    const std::vector<Curve>& curves = run.curves;
    const int draws = run.summary().draws;
    const auto& grid = curves.front().markers;
    PlotContent content;
    content.x = {tr("ε, per unit of distance (log)"),
                 QStringLiteral("ε"),
                 true,
                 {{grid.front().epsilon / kEpsilonMargin, grid.back().epsilon * kEpsilonMargin}}};
    content.y = {
        (isNw ? tr("kept, of %1 draws") : tr("different outputs of %1 draws")).arg(counted(draws)),
        {},
        false,
        {{-kValueMargin * draws, (1.0 + kValueMargin) * draws}}};
    content.csvTitle = QStringLiteral("curve,epsilon,value,p%1,p%2").arg(band.low).arg(band.high);
    const int count = static_cast<int>(curves.size());
    for (std::size_t i = 0; i < curves.size(); ++i) {
        PlotSeries& mean = content.series.emplace_back();
        mean.name = curveName(run.parameter, curves[i].value);
        mean.colour = [statistic, count, index = static_cast<int>(i)](const Theme& theme) {
            return curveColour(statistic, theme, index, count);
        };
        mean.width = i == bandOf ? 2.6 : 1.6;
        for (const Cell& cell : curves[i].line) {
            mean.points.push_back({cell.epsilon, (cell.*of).mean});
            mean.points.back().isMarked =
                std::ranges::find(grid, cell.epsilon, &Cell::epsilon) != grid.end();
        }
    }
    PlotSeries median{tr("median, %1").arg(bandName(band)), {}, content.series[bandOf].colour};
    median.style = Qt::DashLine;
    median.hasBand = true;
    for (const Cell& cell : curves[bandOf].line) {
        const calibration::Summary& over = cell.*of;
        median.points.push_back(
            {cell.epsilon, over.p50, {{over.percentile(band.low), over.percentile(band.high)}}});
        median.points.back().isMarked = false;
    }
    content.series.push_back(std::move(median));
    return content;
}

}  // namespace epsilens::ui
