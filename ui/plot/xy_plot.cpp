#include "ui/plot/xy_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <qcustomplot.h>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include "ui/widgets/qt_convert.h"
#include "ui/widgets/value_slider.h"

namespace epsilens::ui {

namespace {

constexpr int kPlotRestMs = 100;
constexpr int kBandAlpha = 46;
constexpr int kFaintAlpha = 90;
constexpr int kGrabDistance = 6;  ///< pixels around the cursor line that take it
constexpr ValueScale kCursorScale{ValueScale::Kind::logarithmic, 1e-9, 1e9, 0.0, 3};

/// Ticks at 1, 2 and 5 of few decades, at powers of ten of many; even within less than one.
class FewDecadesTicker final : public QCPAxisTickerLog {
protected:
    QVector<double> createTickVector(double step, const QCPRange& range) override {
        constexpr double kFewDecades = 2.6;
        m_few = range.lower > 0.0 && std::log10(range.upper / range.lower) < kFewDecades;
        if (!m_few) {
            return QCPAxisTickerLog::createTickVector(step, range);
        }
        const std::vector<double> ticks =
            ValueScale{ValueScale::Kind::logarithmic, range.lower, range.upper}.roundNumbers();
        if (ticks.size() >= 2) {
            return {ticks.begin(), ticks.end()};
        }
        // Around a single setting hardly any of them: as on a linear axis.
        // NOLINTNEXTLINE(bugprone-parent-virtual-call)
        return QCPAxisTicker::createTickVector(step, range);
    }
    int getSubTickCount(double step) override {
        return m_few ? 0 : QCPAxisTickerLog::getSubTickCount(step);
    }

private:
    bool m_few = true;
};

/// Of one of several curves; ten in a row differ in shape or filling.
QCPScatterStyle markerOf(int index, const QColor& colour, const QColor& surface) {
    constexpr std::array kShapes{QCPScatterStyle::ssCircle, QCPScatterStyle::ssSquare,
                                 QCPScatterStyle::ssTriangle, QCPScatterStyle::ssDiamond,
                                 QCPScatterStyle::ssTriangleInverted};
    const auto place = static_cast<std::size_t>(index);
    const auto shape = kShapes[place % kShapes.size()];
    const bool isSecondRound = place / kShapes.size() % 2 == 1;
    const bool isFilled = (shape == QCPScatterStyle::ssCircle) != isSecondRound;
    return {shape, QPen(colour, 1.4), QBrush(isFilled ? colour : surface), 7.0};
}

void setScale(QCPAxis& axis, bool isLogarithmic) {
    axis.setScaleType(isLogarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis.setTicker(
        QSharedPointer<QCPAxisTicker>(isLogarithmic ? new FewDecadesTicker : new QCPAxisTicker));
    axis.setNumberFormat(isLogarithmic ? QStringLiteral("gb") : QStringLiteral("g"));
    axis.setNumberPrecision(isLogarithmic ? 4 : 6);
}

bool isWithin(const PlotWidget::Range& range, double value) {
    return value >= range.low && value <= range.high;
}

struct Bounds {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void take(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    [[nodiscard]] PlotWidget::Range of(const PlotAxis& axis) const {
        constexpr double kFactor = 1.25;
        constexpr double kShare = 0.07;
        const double besides = std::max(1.0, kShare * (high - low));
        return axis.range.value_or(axis.isLogarithmic
                                       ? PlotWidget::Range{low / kFactor, high * kFactor}
                                       : PlotWidget::Range{low - besides, high + besides});
    }
};

/// Those on each other are one line: the dots of one in the gaps of another would look solid.
std::vector<PlotReference> drawnReferences(const std::vector<PlotReference>& references) {
    constexpr double kSame = 0.15;  // of 100
    std::vector<PlotReference> drawn;
    for (const PlotReference& reference : references) {
        const auto same = std::ranges::find_if(drawn, [&](const auto& other) {
            return std::fabs(other.value - reference.value) < kSame &&
                   other.isLimit == reference.isLimit;
        });
        if (same == drawn.end()) {
            drawn.push_back(reference);
        } else {
            same->name += QStringLiteral(", ") + reference.name;
        }
    }
    return drawn;
}

}  // namespace

XyPlot::XyPlot(const char* objectName, const QString& name, QWidget* parent)
    : PlotWidget(parent),
      m_line(new QCPItemStraightLine(&plot())),
      m_label(new QCPItemText(&plot())),
      m_rest(kPlotRestMs) {
    setObjectName(QLatin1String(objectName));
    setAccessibleName(name);
    m_line->setLayer(overlayLayer());
    m_line->setObjectName(QStringLiteral("cursorLine"));
    m_label->setLayer(overlayLayer());
    m_label->position->setTypeX(QCPItemPosition::ptPlotCoords);
    m_label->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_label->setPadding(QMargins(4, 1, 4, 1));
    plot().setMouseTracking(true);
    connect(this, &PlotWidget::viewChanged, this, &XyPlot::placeCursor);
    connect(&m_rest, &QTimer::timeout, this, &XyPlot::describeContent);
    setContent({});
    refreshTheme();
}

void XyPlot::setContent(PlotContent content) {
    m_content = std::move(content);
    setAxisTitles(m_content.x.title, m_content.y.title);
    setScale(*plot().xAxis, m_content.x.isLogarithmic);
    setScale(*plot().yAxis, m_content.y.isLogarithmic);
    showHome();
    rebuild();
}

void XyPlot::setOutdated(bool outdated) {
    refuseExport(outdated ? tr("Results of earlier settings are not exported") : QString());
    if (outdated != m_isOutdated) {
        m_isOutdated = outdated;
        rebuild();
    }
}

void XyPlot::mark(std::optional<std::size_t> id) {
    if (id != m_marked) {
        m_marked = id;
        rebuild();
    }
}

void XyPlot::setCursor(double x) {
    m_cursor = x;
    placeCursor();
    m_rest.start();
    if (isVisible()) {
        replotOverlay();
    }
}

void XyPlot::showXs(Range range) {
    const Range shown = shownX();
    if (shown.low != range.low || shown.high != range.high) {
        plot().xAxis->setRange(range.low, range.high);
        replotSoon();
    }
}

void XyPlot::showHome() {
    Bounds x;
    Bounds y;
    for (const PlotReference& reference : m_content.references) {
        y.take(reference.value);
    }
    for (const PlotSeries& series : m_content.series) {
        for (const PlotPoint& point : series.points) {
            x.take(point.x);
            y.take(point.range ? (*point.range)[0] : point.y);
            y.take(point.range ? (*point.range)[1] : point.y);
        }
    }
    if (!m_content.series.empty()) {
        setHomeRange(x.of(m_content.x), y.of(m_content.y));
    }
}

QColor XyPlot::colourOf(std::size_t index) const {
    const auto& own = m_content.series[index].colour;
    return m_isOutdated ? theme().pinned
           : own        ? own(theme())
                        : theme().series(static_cast<int>(index));
}

void XyPlot::rebuild() {
    plot().clearPlottables();
    plot().legend->clearItems();
    for (QCPAbstractItem* item : std::exchange(m_items, {})) {
        plot().removeItem(item);
    }
    addZone();
    addReferences();
    const std::vector<PlotSeries>& all = m_content.series;
    for (std::size_t i = 0; i < all.size(); ++i) {
        addBand(all[i], colourOf(i));
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        addSeries(all[i], static_cast<int>(i), colourOf(i));
    }
    plot().xAxis->setVisible(!all.empty());
    plot().yAxis->setVisible(!all.empty());
    if (all.empty()) {
        // The rectangle of the axes may be narrow: it leaves room for a legend.
        auto* text = new QCPItemText(&plot());
        text->position->setType(QCPItemPosition::ptViewportRatio);
        text->position->setCoords(0.5, 0.5);
        text->setClipToAxisRect(false);
        text->setColor(theme().mutedText);
        text->setText(m_content.emptyText);
        m_items.push_back(text);
    }
    plot().legend->setVisible(plot().legend->itemCount() > 0);
    fitLegend();
    placeCursor();
    describeContent();
    replotSoon();
}

void XyPlot::addZone() {
    if (!m_content.zoneFrom) {
        return;
    }
    constexpr int kZoneAlpha = 22;
    QColor shade = theme().mutedText;
    shade.setAlpha(kZoneAlpha);
    auto* zone = new QCPItemRect(&plot());
    zone->topLeft->setTypeX(QCPItemPosition::ptAxisRectRatio);
    zone->bottomRight->setTypeX(QCPItemPosition::ptAxisRectRatio);
    zone->topLeft->setCoords(0.0, 1e300);
    zone->bottomRight->setCoords(1.0, *m_content.zoneFrom);
    zone->setPen(Qt::NoPen);
    zone->setBrush(shade);
    auto* said = new QCPItemText(&plot());
    said->position->setType(QCPItemPosition::ptAxisRectRatio);
    said->position->setCoords(1.0, 0.0);
    said->setPositionAlignment(Qt::AlignRight | Qt::AlignTop);
    said->setPadding(QMargins(4, 2, 4, 2));
    said->setColor(theme().mutedText);
    said->setText(m_content.zoneText);
    m_items.insert(m_items.end(), {zone, said});
}

void XyPlot::addReferences() {
    constexpr std::array kPens{Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    constexpr double kWidth = 1.2;
    const std::vector<PlotReference> references = drawnReferences(m_content.references);
    for (std::size_t i = 0; i < references.size(); ++i) {
        const bool isLimit = references[i].isLimit;
        const QColor colour = isLimit ? theme().error : theme().mutedText;
        const QPen pen(m_isOutdated ? theme().pinned : colour, kWidth,
                       isLimit ? Qt::SolidLine : kPens.at(i % kPens.size()));
        // As long as the axis: Qt draws a far longer line without dashes.
        auto* line = new QCPItemLine(&plot());
        for (QCPItemPosition* end : {line->start, line->end}) {
            end->setTypeX(QCPItemPosition::ptAxisRectRatio);
            end->setTypeY(QCPItemPosition::ptPlotCoords);
            end->setCoords(end == line->start ? 0.0 : 1.0, references[i].value);
        }
        line->setPen(pen);
        m_items.push_back(line);
        QCPGraph* key = plot().addGraph();
        key->setPen(pen);
        key->setName(references[i].name);
        key->addToLegend();
    }
}

void XyPlot::addBand(const PlotSeries& series, const QColor& colour) {
    if (!series.hasBand) {
        return;
    }
    QCPGraph* low = plot().addGraph();
    QCPGraph* high = plot().addGraph();
    for (const PlotPoint& point : series.points) {
        low->addData(point.x, point.range ? (*point.range)[0] : point.y);
        high->addData(point.x, point.range ? (*point.range)[1] : point.y);
    }
    QColor fill = colour;
    fill.setAlpha(kBandAlpha);
    low->setPen(Qt::NoPen);
    high->setPen(Qt::NoPen);
    high->setBrush(fill);
    high->setChannelFillGraph(low);
}

QCPGraph* XyPlot::addMarks(const QCPScatterStyle& style) {
    QCPGraph* graph = plot().addGraph();
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(style);
    return graph;
}

void XyPlot::addText(const PlotPoint& point) {
    auto* label = new QCPItemText(&plot());
    label->position->setCoords(point.x, point.y);
    // Above the lower edge, where it would be cut.
    const QCPRange y = plot().yAxis->range();
    label->setPositionAlignment(
        Qt::AlignLeft | (point.y < y.lower + 0.2 * y.size() ? Qt::AlignBottom : Qt::AlignTop));
    label->setPadding(QMargins(6, 4, 0, 4));
    label->setText(point.label);
    label->setColor(theme().text);
    m_items.push_back(label);
}

void XyPlot::addSeries(const PlotSeries& series, int index, const QColor& colour) {
    constexpr double kRingSize = 15.0;
    const QPen pen(colour, series.width, series.style);
    QColor faint = colour;
    faint.setAlpha(kFaintAlpha);
    const QCPScatterStyle marker = markerOf(index, colour, theme().surface);
    // A curve keeps the order of its points: risk need not rise with epsilon.
    auto* line = new QCPCurve(plot().xAxis, plot().yAxis);
    line->setPen(pen);
    QCPGraph* marks = addMarks(marker);
    QCPGraph* faintMarks = addMarks(markerOf(index, faint, theme().surface));
    QCPGraph* rings =
        addMarks({QCPScatterStyle::ssCircle, QPen(theme().text, 1.6), Qt::NoBrush, kRingSize});
    QVector<double> below;
    QVector<double> above;
    for (const PlotPoint& point : series.points) {
        line->addData(point.x, point.y);
        if (point.isMarked) {
            (point.isFaint ? faintMarks : marks)->addData(point.x, point.y);
            below.append(point.range ? point.y - (*point.range)[0] : 0.0);
            above.append(point.range ? (*point.range)[1] - point.y : 0.0);
        }
        if (point.id && point.id == m_marked && !m_isOutdated) {
            rings->addData(point.x, point.y);
        }
        if (!point.label.isEmpty() && !point.isFaint) {
            addText(point);
        }
    }
    if (!series.hasBand) {
        auto* intervals = new QCPErrorBars(plot().xAxis, plot().yAxis);
        intervals->setDataPlottable(marks);
        intervals->setData(below, above);
        intervals->setPen(QPen(colour, 1.0));
    }
    if (!series.name.isEmpty()) {
        // Shows line, marker and band together, which nothing of the plot has.
        QCPGraph* key = plot().addGraph();
        key->setPen(pen);
        if (marks->dataCount() > 0) {
            key->setScatterStyle(marker);
        }
        if (series.hasBand) {
            faint.setAlpha(kBandAlpha);
            key->setBrush(faint);
        }
        key->setName(series.name);
        key->addToLegend();
    }
}

bool XyPlot::hasCursor() const {
    return m_content.hasCursor && !m_isOutdated && !m_content.series.empty();
}

void XyPlot::placeCursor() {
    constexpr double kRoomAtRight = 0.7;
    constexpr double kLowerEnd = 0.99;
    const QRect area = plot().axisRect()->rect();
    const double share =
        (plot().xAxis->coordToPixel(m_cursor) - area.left()) / std::max(1, area.width());
    m_line->point1->setCoords(m_cursor, 1.0);
    m_line->point2->setCoords(m_cursor, 2.0);
    m_label->position->setCoords(m_cursor, kLowerEnd);
    m_label->setPositionAlignment(Qt::AlignBottom |
                                  (share > kRoomAtRight ? Qt::AlignRight : Qt::AlignLeft));
    m_label->setText(placeText(m_cursor));
    m_line->setVisible(hasCursor());
    m_label->setVisible(hasCursor() && share >= 0.0 && share <= 1.0);
}

QPoint XyPlot::cursorPosition() const {
    return {static_cast<int>(std::lround(plot().xAxis->coordToPixel(m_cursor))),
            plot().axisRect()->center().y()};
}

void XyPlot::applyTheme(const Theme& theme) {
    constexpr int kAlpha = 220;
    PlotWidget::applyTheme(theme);
    QColor ground = theme.surface;  // which curves only just show through
    ground.setAlpha(kAlpha);
    m_line->setPen(QPen(theme.text, 1.2));
    m_label->setColor(theme.text);
    m_label->setBrush(ground);
    m_label->setPen(QPen(theme.border));
    rebuild();
}

bool XyPlot::isOnCursor(const QPoint& position) const {
    return hasCursor() && !m_content.x.symbol.isEmpty() &&
           plot().axisRect()->rect().contains(position) &&
           std::abs(position.x() - cursorPosition().x()) <= kGrabDistance;
}

QString XyPlot::placeText(double x) const {
    const QString text = m_content.x.text ? m_content.x.text(x) : brief(x);
    return QStringLiteral("%1 %2").arg(m_content.x.symbol, text).trimmed();
}

QString XyPlot::textOf(const PlotPoint& point) const {
    const auto text = [this](double value) {
        return m_content.y.text ? m_content.y.text(value) : oneDecimal(value);
    };
    return !point.text.isEmpty() ? point.text
           : point.range         ? tr("%1 (%2 to %3)")
                               .arg(text(point.y), text((*point.range)[0]), text((*point.range)[1]))
                         : text(point.y);
}

std::optional<PlotPoint> XyPlot::readSeries(const PlotSeries& series, double x) const {
    const auto above = std::ranges::lower_bound(series.points, x, {}, &PlotPoint::x);
    if (above == series.points.end() || (above == series.points.begin() && above->x > x)) {
        return std::nullopt;
    }
    if (above->x == x) {
        return *above;
    }
    const PlotPoint& below = *(above - 1);
    const auto along = [this](double value) { return plot().xAxis->coordToPixel(value); };
    const double share = (along(x) - along(below.x)) / (along(above->x) - along(below.x));
    if (above->id) {
        return share < 0.5 ? below : *above;
    }
    const auto mixed = [this, share](double low, double high) {
        return m_content.y.isLogarithmic ? std::exp(std::lerp(std::log(low), std::log(high), share))
                                         : std::lerp(low, high, share);
    };
    PlotPoint between{x, mixed(below.y, above->y)};
    if (below.range && above->range) {
        between.range = {mixed((*below.range)[0], (*above->range)[0]),
                         mixed((*below.range)[1], (*above->range)[1])};
    }
    return between;
}

const PlotPoint* XyPlot::pointAt(const QPoint& position) const {
    const PlotPoint* found = nullptr;
    double distance = 12.0;  // pixels
    for (const PlotSeries& series : m_content.series) {
        for (const PlotPoint& point : series.points) {
            const double besides = plot().xAxis->coordToPixel(point.x) - position.x();
            const double above =
                m_content.hasCursor ? 0.0 : plot().yAxis->coordToPixel(point.y) - position.y();
            if (point.id && std::hypot(besides, above) < distance) {
                distance = std::hypot(besides, above);
                found = &point;
            }
        }
    }
    return plot().axisRect()->rect().contains(position) ? found : nullptr;
}

QStringList XyPlot::textsAt(double x) const {
    QStringList texts;
    for (const PlotSeries& series : m_content.series) {
        if (const auto point = readSeries(series, x)) {
            texts.append(tr("%1: %2").arg(series.name, textOf(*point)));
        }
    }
    return texts;
}

void XyPlot::readAt(const QMouseEvent& event) {
    QStringList rows;
    const PlotPoint* point = pointAt(event.pos());
    if (point != nullptr && !m_content.hasCursor) {
        rows.append(textOf(*point));
    } else if (plot().axisRect()->rect().contains(event.pos())) {
        const double x = point != nullptr ? point->x : plot().xAxis->pixelToCoord(event.pos().x());
        rows = textsAt(x);
        if (!rows.isEmpty() && !m_content.x.symbol.isEmpty()) {
            rows.prepend(placeText(x));
        }
    }
    QToolTip::showText(event.globalPosition().toPoint(), rows.join(QLatin1Char('\n')), &plot());
}

void XyPlot::describeContent() {
    QString text = m_content.series.empty() ? tr("Empty: not measured.") : m_content.description;
    if (text.isEmpty()) {
        QStringList parts;
        for (const PlotSeries& series : m_content.series) {
            if (!series.points.empty()) {
                const PlotPoint& first = series.points.front();
                const PlotPoint& last = series.points.back();
                parts.append(tr("%1: %2 at %3, %4 at %5")
                                 .arg(series.name, textOf(first), placeText(first.x), textOf(last),
                                      placeText(last.x)));
            }
        }
        for (const PlotReference& reference : m_content.references) {
            parts.append(tr("%1: %2").arg(reference.name, oneDecimal(reference.value)));
        }
        text = QStringLiteral("%1. %2.").arg(m_content.y.title, parts.join(QStringLiteral("; ")));
        if (const QStringList here = textsAt(m_cursor); hasCursor() && !here.isEmpty()) {
            text += tr(" At %1: %2.").arg(placeText(m_cursor), here.join(QStringLiteral("; ")));
        }
    }
    setShownDescription((m_isOutdated ? tr("Of earlier settings. ") : QString()) + text);
}

bool XyPlot::eventFilter(QObject* watched, QEvent* event) {
    if (PlotWidget::eventFilter(watched, event)) {
        return true;
    }
    if (watched != &plot()) {
        return false;
    }
    const auto& mouse = *static_cast<QMouseEvent*>(event);
    switch (event->type()) {
        case QEvent::MouseButtonPress:
            m_pressed = mouse.pos();
            m_isDragging = mouse.button() == Qt::LeftButton && isOnCursor(mouse.pos());
            if (m_isDragging) {
                Q_EMIT dragStarted();
            }
            return m_isDragging;
        case QEvent::MouseButtonRelease: {
            constexpr int kSteady = 3;  // pixels; more is a drag
            const PlotPoint* point = pointAt(mouse.pos());
            if (point != nullptr && !m_isOutdated && mouse.button() == Qt::LeftButton &&
                (mouse.pos() - m_pressed).manhattanLength() <= kSteady) {
                Q_EMIT pointChosen(*point->id);
            }
            const bool wasDragged = std::exchange(m_isDragging, false);
            if (wasDragged) {
                Q_EMIT dragFinished();
            }
            return wasDragged;
        }
        case QEvent::MouseMove:
            if (m_isDragging) {
                // With as many digits as the place of a pixel carries.
                Q_EMIT cursorMoved(
                    kCursorScale.rounded(plot().xAxis->pixelToCoord(mouse.pos().x())));
            } else if (mouse.buttons() == Qt::NoButton) {
                plot().setCursor(isOnCursor(mouse.pos()) ? Qt::SplitHCursor : Qt::ArrowCursor);
                readAt(mouse);
            }
            return m_isDragging;
        default:
            return false;
    }
}

void XyPlot::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    const bool isAcross = key == Qt::Key_Up || key == Qt::Key_Down;
    const int steps = isAcross || m_content.x.symbol.isEmpty() ? 0 : stepsOfKey(key);
    if (steps == 0) {
        PlotWidget::keyPressEvent(event);
    } else {
        Q_EMIT cursorMoved(kCursorScale.rounded(kCursorScale.stepped(m_cursor, steps)));
    }
}

QString XyPlot::visibleCsv() const {
    if (m_content.series.empty()) {
        return {};
    }
    QStringList rows{m_content.csvTitle};
    for (const PlotSeries& series : m_content.series) {
        for (const PlotPoint& point : series.points) {
            if (isWithin(shownX(), point.x) && isWithin(shownY(), point.y)) {
                rows.append(QStringList{csvField(series.name), shortest(point.x), shortest(point.y),
                                        point.range ? shortest((*point.range)[0]) : QString(),
                                        point.range ? shortest((*point.range)[1]) : QString()}
                                .join(QLatin1Char(',')));
                if (!point.label.isEmpty()) {
                    rows.back() += QLatin1Char(',') + csvField(point.label);
                }
            }
        }
    }
    for (const PlotReference& reference : m_content.references) {
        rows.append(
            QStringLiteral("%1,,%2,,").arg(csvField(reference.name), shortest(reference.value)));
    }
    return rows.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace epsilens::ui
