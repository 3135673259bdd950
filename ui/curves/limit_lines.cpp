#include "ui/curves/limit_lines.h"

#include <QCoreApplication>
#include <QStringList>

#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using calibration::Limit;
using calibration::LimitAggregate;
using calibration::LimitStatistic;

QString tr(const char* text) {
    return QCoreApplication::translate("LimitLines", text);
}

QString statisticTitle(LimitStatistic statistic) {
    switch (statistic) {
        case LimitStatistic::nw:
            return statisticName(Statistic::nw);
        case LimitStatistic::sw:
            return statisticName(Statistic::sw);
        default:
            return tr("kept share");
    }
}

QString aggregateTitle(LimitAggregate aggregate) {
    switch (aggregate) {
        case LimitAggregate::mean:
            return tr("mean");
        case LimitAggregate::min:
            return tr("minimum");
        case LimitAggregate::max:
            return tr("maximum");
        case LimitAggregate::p1:
            return tr("P1");
        case LimitAggregate::p5:
            return tr("P5");
        case LimitAggregate::p25:
            return tr("P25");
        case LimitAggregate::p50:
            return tr("median");
        case LimitAggregate::p75:
            return tr("P75");
        case LimitAggregate::p95:
            return tr("P95");
        case LimitAggregate::p99:
            return tr("P99");
    }
    return {};
}

bool belongsTo(Statistic statistic, LimitStatistic limited) {
    return statistic == Statistic::sw
               ? limited == LimitStatistic::sw
               : limited == LimitStatistic::nw || limited == LimitStatistic::kept;
}

/// What one of the limit's statistic is in draws.
double drawsPerUnit(LimitStatistic statistic, int draws) {
    return statistic == LimitStatistic::kept ? draws : 1.0;
}

bool isKnown(Statistic statistic, const Reading& reading) {
    return statistic == Statistic::nw ? reading.nw.has_value() : reading.sw.has_value();
}

/// What limits are held against; empty values where the reading has none.
calibration::Cell cellOf(const Reading& reading, int draws) {
    calibration::Cell cell;
    if (reading.nw) {
        cell.nw = reading.nw->over;
        cell.kept = cell.nw.mean / draws;
    }
    if (reading.sw) {
        cell.sw = reading.sw->over;
    }
    return cell;
}

LimitLine lineOf(const Limit& limit, int draws, const calibration::Cell& cell, bool isKnown) {
    LimitLine line;
    line.name = limitTitle(limit);
    const auto check = calibration::checkLimit(limit, cell, draws);
    const double unit = drawsPerUnit(limit.statistic, draws);
    line.value = check->bound * unit;
    if (isKnown) {
        line.met = check->met();
        line.reading = check->value * unit;
    }
    return line;
}

/// "43.2 for λ 0.5 ✓"
QString verdict(const LimitLine& line) {
    const QString shown = QString::number(line.reading, 'f', 1);
    return tr("%1 %2").arg(line.curve.isEmpty() ? shown : tr("%1 for %2").arg(shown, line.curve),
                           *line.met ? QStringLiteral("✓") : QStringLiteral("✗"));
}

}  // namespace

QString limitTitle(const Limit& limit) {
    return QStringLiteral("%1 %2 %3 %4%5")
        .arg(statisticTitle(limit.statistic), aggregateTitle(limit.aggregate),
             limit.relation == calibration::LimitRelation::atMost ? QStringLiteral("≤")
                                                                  : QStringLiteral("≥"),
             shortest(limit.value), limit.percent ? QStringLiteral("%") : QString());
}

QString LimitLine::label() const {
    return met ? tr("%1: %2").arg(name, verdict(*this)) : name;
}

std::vector<LimitLine> limitLines(const std::vector<Limit>& limits, Statistic statistic, int draws,
                                  const Reading* reading, const QString& curve) {
    const bool isRead = reading != nullptr && isKnown(statistic, *reading);
    const calibration::Cell cell = isRead ? cellOf(*reading, draws) : calibration::Cell();
    std::vector<LimitLine> lines;
    for (const Limit& limit : limits) {
        if (belongsTo(statistic, limit.statistic)) {
            lines.push_back(lineOf(limit, draws, cell, isRead));
            lines.back().curve = curve;
        }
    }
    return lines;
}

std::optional<bool> meetsLimits(const std::vector<Limit>& limits, int draws,
                                const Reading& reading) {
    const calibration::Cell cell = cellOf(reading, draws);
    std::optional<bool> met;
    for (const Limit& limit : limits) {
        for (const Statistic statistic : {Statistic::nw, Statistic::sw}) {
            if (!belongsTo(statistic, limit.statistic)) {
                continue;
            }
            if (!isKnown(statistic, reading)) {
                return std::nullopt;
            }
            met = met.value_or(true) && calibration::checkLimit(limit, cell, draws)->met();
        }
    }
    return met;
}

QString limitsDescription(const std::vector<LimitLine>& lines) {
    if (lines.empty()) {
        return {};
    }
    QStringList parts;
    for (const LimitLine& line : lines) {
        parts.append(!line.met   ? line.name
                     : *line.met ? tr("%1, met").arg(line.name)
                                 : tr("%1, not met").arg(line.name));
    }
    return tr(" Limits: %1.").arg(parts.join(QStringLiteral("; ")));
}

}  // namespace epsilens::ui
