#include "ui/curves/kept_map.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <qcustomplot.h>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include "ui/curves/kept_map_item.h"
#include "ui/plot/plot_style.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr int kSteady = 4;  ///< pixels that a click may move

/// "λ 0.5: 50" of 100 draws.
QString rowText(const RunCurves& run, const Reading& reading,
                const std::vector<calibration::Limit>& limits) {
    const auto place = keptPlace(run, reading, limits);
    const QString name = curveName(run.parameter, reading.value);
    if (!place) {
        return KeptMap::tr("%1: not measured").arg(name);
    }
    const QString share = QString::number(100.0 * place->share, 'f', 0);
    return place->met == false ? KeptMap::tr("%1: %2, outside the limits").arg(name, share)
                               : KeptMap::tr("%1: %2").arg(name, share);
}

}  // namespace

KeptMap::KeptMap(QWidget* parent) : EpsilonPlot(parent), m_item(new KeptMapItem(&plot())) {
    setAccessibleName(tr("Kept of 100 draws, by epsilon and curve"));
    m_item->setClipToAxisRect(false);
    // Rows are named by their axis: the legend keeps no room of its own.
    QCPLegend* legend = plot().legend;
    plot().plotLayout()->take(legend);
    plot().plotLayout()->simplify();
    plot().axisRect()->insetLayout()->addElement(legend, Qt::AlignTop);
    legend->setVisible(false);
    plot().yAxis->grid()->setVisible(false);
    plot().xAxis->grid()->setVisible(false);
    refreshTheme();
}

void KeptMap::setRun(RunCurvesHandle run) {
    m_run = std::move(run);
    if (m_run && !m_run->nw.empty()) {
        const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
        for (std::size_t row = 0; row < m_run->nw.size(); ++row) {
            ticker->addTick(static_cast<double>(row), brief(m_run->nw[row].value));
        }
        plot().yAxis->setTicker(ticker);
        setAxisTitles(QStringLiteral("ε"), parameterSymbol(m_run->parameter));
        const auto& markers = m_run->nw.front().markers;
        setHomeRange({markers.front().epsilon, markers.back().epsilon},
                     {-0.5, static_cast<double>(m_run->nw.size()) - 0.2});
    }
    refresh();
}

void KeptMap::setLimits(std::vector<calibration::Limit> limits) {
    if (limits != m_limits) {
        m_limits = std::move(limits);
        refresh();
    }
}

void KeptMap::setCurve(int index) {
    if (index != m_curve) {
        m_curve = index;
        refresh();
    }
}

void KeptMap::setOutdated(bool outdated) {
    if (outdated != m_isOutdated) {
        m_isOutdated = outdated;
        setCursorShown(!outdated);
        refresh();
    }
}

void KeptMap::setEpsilon(double epsilon) {
    EpsilonPlot::setEpsilon(epsilon);
    describe();
}

void KeptMap::refresh() {
    m_item->show(m_run, shownLimits(), m_isOutdated ? -1 : m_curve,
                 {theme().surface, m_isOutdated ? theme().pinned : theme().kept, theme().text,
                  theme().accent});
    describe();
    replotSoon();
}

void KeptMap::describe() {
    if (!m_run) {
        setShownDescription(tr("Empty: nothing measured yet."));
        return;
    }
    QStringList rows;
    for (const Reading& reading : calibration::readAt(*m_run, epsilon())) {
        rows.append(rowText(*m_run, reading, shownLimits()));
    }
    setShownDescription((m_isOutdated ? tr("Of earlier settings. ") : QString()) +
                        tr("Kept of 100 draws at ε %1: %2.")
                            .arg(shortest(epsilon()), rows.join(QStringLiteral("; "))));
}

std::vector<calibration::Limit> KeptMap::shownLimits() const {
    return m_isOutdated ? std::vector<calibration::Limit>() : m_limits;
}

int KeptMap::rowAt(const QPoint& position) {
    if (!m_run || !plot().axisRect()->rect().contains(position)) {
        return -1;
    }
    const int row = static_cast<int>(std::lround(plot().yAxis->pixelToCoord(position.y())));
    return row < static_cast<int>(m_run->nw.size()) ? row : -1;
}

bool KeptMap::eventFilter(QObject* watched, QEvent* event) {
    if (EpsilonPlot::eventFilter(watched, event)) {
        m_pressed = {};
        return true;
    }
    if (watched != &plot()) {
        return false;
    }
    const auto* mouse = dynamic_cast<QMouseEvent*>(event);
    if (mouse == nullptr || mouse->button() != Qt::LeftButton) {
        return false;
    }
    if (event->type() == QEvent::MouseButtonPress) {
        m_pressed = mouse->pos();
    } else if (event->type() == QEvent::MouseButtonRelease && !m_isOutdated &&
               (mouse->pos() - m_pressed).manhattanLength() <= kSteady &&
               rowAt(mouse->pos()) >= 0) {
        Q_EMIT settingChosen(epsilonAt(mouse->pos()), rowAt(mouse->pos()));
    }
    return false;
}

void KeptMap::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Up ? 1 : event->key() == Qt::Key_Down ? -1 : 0;
    if (step == 0 || !m_run || m_isOutdated) {
        EpsilonPlot::keyPressEvent(event);
        return;
    }
    const int last = static_cast<int>(m_run->nw.size()) - 1;
    Q_EMIT settingChosen(epsilon(), std::clamp(m_curve < 0 ? 0 : m_curve + step, 0, last));
}

void KeptMap::readAt(const QMouseEvent& event) {
    const int row = rowAt(event.pos());
    if (row < 0) {
        QToolTip::hideText();
        return;
    }
    const double epsilon = epsilonAt(event.pos());
    const auto readings = calibration::readAt(*m_run, epsilon);
    QToolTip::showText(
        event.globalPosition().toPoint(),
        tr("Kept of 100 draws at ε %1, %2")
            .arg(shortest(epsilon),
                 rowText(*m_run, readings[static_cast<std::size_t>(row)], shownLimits())),
        &plot());
}

void KeptMap::applyTheme(const Theme& theme) {
    EpsilonPlot::applyTheme(theme);
    refresh();
}

QString KeptMap::visibleCsv() const {
    if (!m_run) {
        return {};
    }
    QString csv = parameterKey(m_run->parameter) + QStringLiteral(",epsilon,kept\n");
    const Range shown = shownEpsilons();
    for (const Curve& curve : m_run->nw) {
        for (const CurvePoint& point : curve.line) {
            if (point.epsilon >= shown.low && point.epsilon <= shown.high) {
                csv += QStringLiteral("%1,%2,%3\n")
                           .arg(shortest(curve.value), shortest(point.epsilon),
                                shortest(point.over.mean / m_run->summary().draws));
            }
        }
    }
    return csv;
}

}  // namespace epsilens::ui
