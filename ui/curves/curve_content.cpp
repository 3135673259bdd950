#include "ui/curves/curve_content.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <QCoreApplication>

#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

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

QString statisticReading(const std::optional<CurvePoint>& point, const QString& name, bool isExact,
                         PercentileBand band) {
    if (!point) {
        return tr("%1 unknown outside the grid").arg(name);
    }
    return tr("%1 %2%3 (median %4, %5 %6–%7)")
        .arg(name, isExact ? QString() : QStringLiteral("≈ "), oneDigit(point->over.mean),
             oneDigit(point->over.p50), bandName(band), oneDigit(point->over.percentile(band.low)),
             oneDigit(point->over.percentile(band.high)));
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
    const QString text = tr("At ε %1, %2: %3 · %4")
                             .arg(brief(epsilon), curveName(run.parameter, reading.value),
                                  statisticReading(reading.nw, QStringLiteral("N<sub>w</sub>"),
                                                   reading.isExact, band),
                                  statisticReading(reading.sw, QStringLiteral("S<sub>w</sub>"),
                                                   reading.isExact, band));
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
    const auto& curves = isNw ? run.nw : run.sw;
    const int draws = run.summary().draws;
    const auto& grid = curves.front().markers;
    const auto isOfGrid = [&grid](const CurvePoint& point) {
        return std::any_of(grid.begin(), grid.end(), [&point](const CurvePoint& other) {
            return other.epsilon == point.epsilon;
        });
    };
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
        for (const CurvePoint& point : curves[i].line) {
            mean.points.push_back({point.epsilon, point.over.mean});
            mean.points.back().isMarked = isOfGrid(point);
        }
    }
    PlotSeries median{tr("median, %1").arg(bandName(band)), {}, content.series[bandOf].colour};
    median.style = Qt::DashLine;
    median.hasBand = true;
    for (const CurvePoint& point : curves[bandOf].line) {
        median.points.push_back(
            {point.epsilon,
             point.over.p50,
             {{point.over.percentile(band.low), point.over.percentile(band.high)}}});
        median.points.back().isMarked = false;
    }
    content.series.push_back(std::move(median));
    return content;
}

}  // namespace epsilens::ui
