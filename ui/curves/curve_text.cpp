#include "ui/curves/curve_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QCoreApplication>

#include "ui/plot/plot_style.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

/// Symbol and name of each CurveParameter, in their order.
constexpr std::array<std::pair<const char*, const char*>, 4> kParameters{
    {{"", "curve"}, {"λ", "lambda"}, {"β", "beta"}, {"γ", "gamma"}}};

QString tr(const char* text) {
    return QCoreApplication::translate("CurveText", text);
}

const std::optional<CurvePoint>& pointOf(const Reading& reading, Statistic statistic) {
    return statistic == Statistic::nw ? reading.nw : reading.sw;
}

QString oneDigit(double value) {
    return QString::number(value, 'f', 1);
}

QString interval(const calibration::Summary& over, PercentileBand band) {
    return QStringLiteral("%1–%2").arg(oneDigit(over.percentile(band.low)),
                                       oneDigit(over.percentile(band.high)));
}

QString bandName(PercentileBand band) {
    return QStringLiteral("P%1–P%2").arg(band.low).arg(band.high);
}

QString statisticReading(const Reading& reading, Statistic statistic, PercentileBand band) {
    const auto& point = pointOf(reading, statistic);
    const QString name = statisticSymbol(statistic);
    if (!point) {
        return tr("%1 unknown outside the grid").arg(name);
    }
    return tr("%1 %2%3 (median %4, %5 %6)")
        .arg(name, reading.isExact ? QString() : QStringLiteral("≈ "), oneDigit(point->over.mean),
             oneDigit(point->over.p50), bandName(band), interval(point->over, band));
}

/// What curves of several λ beside each other do not say; empty of one.
QString lambdaReading(const RunCurves& run) {
    if (run.parameter != CurveParameter::lambda || run.nw.size() < 2) {
        return {};
    }
    return run.summary().isExact()
               ? tr("Equal ε across λ does not mean an equal Euclidean guarantee.")
               : tr("Equal ε across λ means equal noise power, not an equal Euclidean guarantee.");
}

}  // namespace

QString parameterSymbol(CurveParameter parameter) {
    return QString::fromUtf8(kParameters.at(static_cast<std::size_t>(parameter)).first);
}

QString parameterKey(CurveParameter parameter) {
    return QString::fromUtf8(kParameters.at(static_cast<std::size_t>(parameter)).second);
}

QString curveName(CurveParameter parameter, double value) {
    return parameter == CurveParameter::none
               ? tr("all words")
               : QStringLiteral("%1 %2").arg(parameterSymbol(parameter), brief(value));
}

QString statisticName(Statistic statistic) {
    return statistic == Statistic::nw ? tr("kept draws") : tr("different outputs");
}

QString statisticSymbol(Statistic statistic) {
    return statistic == Statistic::nw ? QStringLiteral("N<sub>w</sub>")
                                      : QStringLiteral("S<sub>w</sub>");
}

QString originText(const RunCurves& run, Statistic statistic) {
    const bool alwaysKept =
        std::all_of(run.summary().cells.begin(), run.summary().cells.end(),
                    [&run](const calibration::Cell& cell) {
                        return cell.nw.min >= static_cast<double>(run.summary().draws);
                    });
    if (alwaysKept && statistic == Statistic::nw) {
        return tr(
            "N<sub>w</sub>, outputs equal to the word: every word was kept in all draws at every ε "
            "of "
            "the grid");
    }
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

QString tooltipText(const RunCurves& run, Statistic statistic, double epsilon,
                    PercentileBand band) {
    QString rows;
    bool exact = true;
    for (const Reading& reading : readAt(run, epsilon)) {
        const auto& point = pointOf(reading, statistic);
        exact = exact && reading.isExact;
        rows += point
                    ? QStringLiteral(
                          "<tr><td>%1</td><td align=right>&nbsp;%2</td><td "
                          "align=right>&nbsp;%3</td><td>&nbsp;%4</td></tr>")
                          .arg(curveName(run.parameter, reading.value), oneDigit(point->over.mean),
                               oneDigit(point->over.p50), interval(point->over, band))
                    : QStringLiteral("<tr><td>%1</td><td colspan=3>&nbsp;–</td></tr>")
                          .arg(curveName(run.parameter, reading.value));
    }
    return QStringLiteral(
               "<b>%1</b> %2<table><tr><td></td><td>&nbsp;%3</td><td>&nbsp;%4</td><td>"
               "&nbsp;%5</td></tr>%6</table>%7")
        .arg(tr("%1 at ε %2").arg(statisticSymbol(statistic), significant(epsilon, 3)),
             exact                   ? QString()
             : run.responses.empty() ? tr("(between points of the grid)")
                                     : tr("(within 0.1%)"),
             tr("mean"), tr("median"), bandName(band), rows, lambdaReading(run));
}

QString readingText(const RunCurves& run, std::size_t curve, double epsilon, PercentileBand band,
                    const mechanism::Mechanism& set) {
    const Reading reading = readCurve(run, curve, epsilon);
    const QString text = tr("At ε %1, %2: %3 · %4")
                             .arg(brief(epsilon), curveName(run.parameter, reading.value),
                                  statisticReading(reading, Statistic::nw, band),
                                  statisticReading(reading, Statistic::sw, band));
    const double wanted = parameterValue(set, run.parameter);
    return run.parameter == CurveParameter::none || reading.value == wanted
               ? text
               : tr("There is no curve for %1, the value set; this is the nearest one. %2")
                     .arg(curveName(run.parameter, wanted), text);
}

QString plotDescription(const RunCurves& run, Statistic statistic, double epsilon) {
    QString text =
        tr("%1 against ε%2, ε from %3 to %4, of %5 draws.")
            .arg(statisticName(statistic), run.parameter == CurveParameter::none
                                               ? QString()
                                               : tr(" for %1 values of %2")
                                                     .arg(run.nw.size())
                                                     .arg(parameterSymbol(run.parameter)))
            .arg(shortest(run.nw.front().markers.front().epsilon),
                 shortest(run.nw.front().markers.back().epsilon), counted(run.summary().draws));
    const Reading low = readCurve(run, 0, epsilon);
    const Reading high = readCurve(run, run.nw.size() - 1, epsilon);
    const auto& first = pointOf(low, statistic);
    const auto& last = pointOf(high, statistic);
    if (first && last) {
        text += tr(" At ε %1 the mean is %2 for %3")
                    .arg(brief(epsilon), oneDigit(first->over.mean),
                         curveName(run.parameter, low.value));
        text += run.nw.size() > 1
                    ? tr(" and %1 for %2.")
                          .arg(oneDigit(last->over.mean), curveName(run.parameter, high.value))
                    : QStringLiteral(".");
    }
    if (const QString note = lambdaReading(run); !note.isEmpty()) {
        text += QLatin1Char(' ') + note;
    }
    return text;
}

}  // namespace epsilens::ui
