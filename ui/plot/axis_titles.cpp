#include "ui/plot/axis_titles.h"

#include <algorithm>

#include <qcustomplot.h>
#include <QFontMetrics>
#include <QRegularExpression>
#include <QString>
#include <QStringList>

namespace epsilens::ui {

namespace {

/// How long a text may be that stands centred at a place between a start and an end.
int roomAround(int centre, int start, int end) {
    return 2 * std::min(centre - start, end - centre);
}

bool fitTitle(QCPAxis& axis, const QString& title, int room) {
    const QString fitting = brokenTitle(title, QFontMetrics(axis.labelFont()), room);
    if (fitting == axis.label()) {
        return false;
    }
    axis.setLabel(fitting);
    return true;
}

/// What a title may be broken between: its words, and as one what stands in brackets, unless that
/// is wider than the room.
QStringList partsOf(const QString& title, const QFontMetrics& metrics, int room) {
    static const QRegularExpression bracketsOrWord(QStringLiteral("\\([^)]*\\)\\S*|\\S+"));
    QStringList parts;
    auto matches = bracketsOrWord.globalMatch(title);
    while (matches.hasNext()) {
        const QString part = matches.next().captured();
        if (metrics.horizontalAdvance(part) <= room) {
            parts.append(part);
        } else {
            parts.append(part.split(QLatin1Char(' '), Qt::SkipEmptyParts));
        }
    }
    return parts;
}

}  // namespace

QString brokenTitle(const QString& title, const QFontMetrics& metrics, int room) {
    QStringList lines;
    const QStringList parts = partsOf(title, metrics, room);
    for (const QString& word : parts) {
        const QString longer = lines.isEmpty() ? QString() : lines.last() + QLatin1Char(' ') + word;
        if (!longer.isEmpty() && metrics.horizontalAdvance(longer) <= room) {
            lines.last() = longer;
        } else {
            lines.append(word);
        }
    }
    return lines.join(QLatin1Char('\n'));
}

bool fitAxisTitles(QCustomPlot& plot, const QString& x, const QString& y) {
    const QPoint centre = plot.axisRect()->rect().center();
    // A legend above takes its height from the axes.
    const QRect room = plot.axisRect()->outerRect();
    const bool isXOther =
        fitTitle(*plot.xAxis, x, roomAround(centre.x(), room.left(), room.right()));
    const bool isYOther =
        fitTitle(*plot.yAxis, y, roomAround(centre.y(), room.top(), room.bottom()));
    return isXOther || isYOther;
}

}  // namespace epsilens::ui
