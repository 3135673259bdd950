#include "ui/dial/dial_view.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QtWidgets>

#include "ui/state/output_mark.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

constexpr int kLeastWidth = 280;
constexpr int kPreferredWidth = 640;
constexpr double kBeyond = 1.2;  ///< an axis that grows leaves this factor beside the cursor

constexpr double kSide = 12.0;  ///< room for half the handle beside the ends
constexpr double kGap = 3.0;
constexpr double kDotsInLines = 0.9;

constexpr double kFarOpacity = 0.34;  ///< a large area: quieter than the same colour in a bar
constexpr double kPillMargin = 5.0;
constexpr double kDotRadius = 2.2;
constexpr double kLabelGap = 8.0;
constexpr double kLeastLabelledShare = 0.3;

struct Drawing {
    QPainter& painter;
    QPainter& above;  ///< for what stays readable where the cursor is
    const DialPicture& picture;
    const ValueScale& scale;
    const DialLayout& layout;
    const Theme& theme;
    QFontMetrics metrics = painter.fontMetrics();

    void ruler() {
        const QRectF& bar = layout.ruler;
        if (!layout.title.isEmpty()) {
            painter.setPen(theme.mutedText);
            painter.drawText(layout.title, Qt::AlignLeft | Qt::AlignVCenter,
                             metrics.elidedText(picture.promiseTitle, Qt::ElideMiddle,
                                                static_cast<int>(layout.title.width())));
        }
        painter.setPen(QPen(theme.border, 1.0));
        painter.setBrush(theme.surface);
        painter.drawRect(bar);
        const double used = marks();
        marksBeyond(used);
        double from = bar.right();
        if (picture.unboundedFrom) {
            from = std::clamp(xOf(*picture.unboundedFrom), bar.left(), bar.right());
            const QRectF unbounded(from, bar.top(), bar.right() - from, bar.height());
            painter.fillRect(unbounded, theme.border);
            painter.fillRect(unbounded, QBrush(theme.mutedText, Qt::BDiagPattern));
        }
        const double left = picture.unboundedFrom ? from : used;
        const double room = bar.right() - left - 2.0 * kPillMargin;
        const QString& text = picture.unboundedText;
        if (widthOf(text) < room) {
            pill(text, QPointF(left + (bar.right() - left) / 2.0, bar.center().y()), theme.text);
        }
    }

    void plot() {
        const QRectF& plot = layout.plot;
        painter.setPen(theme.mutedText);
        for (const int percent : {0, 50, 100}) {
            if (percent == 50 && plot.height() < 3.0 * metrics.height()) {
                continue;
            }
            const double y = yOf(percent / 100.0);
            painter.drawText(QRectF(0.0, y - metrics.height() / 2.0, plot.left() - kLabelGap / 2.0,
                                    metrics.height()),
                             Qt::AlignRight | Qt::AlignVCenter, QString::number(percent));
        }
        painter.fillRect(plot, theme.surface);
        if (!picture.shares.epsilons.empty()) {
            painter.save();
            painter.setClipRect(plot);
            painter.setPen(Qt::NoPen);
            painter.setOpacity(picture.isOutdated ? kDimmedOpacity : 1.0);
            const double opacity = painter.opacity();
            painter.setOpacity(kFarOpacity * opacity);
            painter.fillRect(plot, areaBrush(OutputMark::far, theme));
            painter.setOpacity(opacity);
            const QPainterPath near = areaBelow(true);
            painter.fillPath(near, theme.surface);
            painter.fillPath(near, areaBrush(OutputMark::near, theme));
            const QPainterPath kept = areaBelow(false);
            painter.fillPath(kept, areaBrush(OutputMark::kept, theme));
            painter.restore();
            if (!picture.isOutdated) {
                limits();
                labels();
            }
        }
        if (picture.pin) {
            pinned();
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.border, 1.0));
        painter.drawRect(plot);
        if (!picture.note.isEmpty()) {
            pill(metrics.elidedText(picture.note, Qt::ElideRight,
                                    static_cast<int>(plot.width() - 4.0 * kPillMargin)),
                 plot.center(), theme.text);
        }
    }

    void limits() {
        const QRectF& plot = layout.plot;
        double widest = 0.0;
        double middle = 0.0;
        for (const calibration::EpsilonSpan& range : picture.outside) {
            const double left = xOf(range.low);
            const double right = xOf(range.high);
            QColor veil = theme.surface;
            veil.setAlphaF(0.35F);
            const QRectF zone(left, plot.top(), right - left, plot.height());
            painter.fillRect(zone, veil);
            painter.fillRect(zone, QBrush(theme.error, Qt::FDiagPattern));
            if (right - left > widest) {
                widest = right - left;
                middle = (left + right) / 2.0;
            }
        }
        const QString text = tr("outside your limits");
        if (widest > widthOf(text) + 2.0 * kPillMargin) {
            pill(text, {middle, plot.top() + metrics.height() * 0.7}, theme.error);
        }
        if (picture.largestWithin && shows(*picture.largestWithin)) {
            const double x = xOf(*picture.largestWithin);
            const double y = plot.bottom();
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(theme.sw, 1.5));
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, y));
            painter.setBrush(theme.sw);
            const std::array<QPointF, 4> diamond{QPointF(x, y - 7.0), QPointF(x + 6.0, y),
                                                 QPointF(x, y + 7.0), QPointF(x - 6.0, y)};
            painter.drawConvexPolygon(diamond.data(), static_cast<int>(diamond.size()));
            painter.setRenderHint(QPainter::Antialiasing, false);
        }
    }

    void pinned() {
        const DialPin& pin = *picture.pin;
        const QRectF& plot = layout.plot;
        const double share = pinnedLine();
        if (plot.height() < 2.0 * metrics.height()) {
            return;  // the name would hide the line
        }
        const double half = widthOf(pin.name) / 2.0 + kPillMargin;
        const double x = xOf(std::clamp(pin.epsilon, scale.low, scale.high)) - half - kLabelGap;
        const double room = metrics.height() / 2.0;
        pill(pin.name,
             {std::clamp(x, plot.left() + half, plot.right() - half),
              std::clamp(yOf(share), plot.top() + room, plot.bottom() - room)},
             theme.text);
    }

    void dots() {
        const QRectF& room = layout.dots;
        if (room.isEmpty()) {
            return;
        }
        // Words of the same place stand above each other, so that many read as a pile.
        constexpr int kPlaces = 4;
        const double step = room.height() / kPlaces;
        std::array<double, kPlaces> used{};
        std::vector<double> sorted = picture.halfKept;
        std::ranges::sort(sorted);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        QColor ink = lineColour(OutputMark::kept, theme);
        ink.setAlphaF(picture.isOutdated ? 0.3F : 0.75F);
        painter.setBrush(ink);
        double first = room.right();
        for (const double epsilon : sorted) {
            if (!shows(epsilon)) {
                continue;
            }
            const double x = xOf(epsilon);
            first = std::min(first, x);
            const auto free = std::ranges::min_element(used);
            const auto place = static_cast<double>(free - used.begin());
            *free = x + 2.0 * kDotRadius;
            painter.drawEllipse(QPointF(x, room.bottom() - (place + 0.5) * step), kDotRadius,
                                kDotRadius);
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
        const QString text = tr("one dot per word, where half of its draws keep it");
        if (!sorted.empty() && room.left() + widthOf(text) + kLabelGap < first) {
            QRectF written = above.boundingRect(room, Qt::AlignLeft | Qt::AlignVCenter, text);
            written.setBottom(room.bottom());
            above.fillRect(written, theme.window);
            above.setPen(theme.mutedText);
            above.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, text);
        }
    }

    void axis() {
        const QRectF& axis = layout.axis;
        painter.setPen(QPen(theme.mutedText, 1.0));
        painter.drawLine(axis.topLeft(), axis.topRight());
        const QString low = tr("◂ more private");
        const QString high = tr("more useful ▸");
        const bool hasBoth = widthOf(low) + kLabelGap + widthOf(high) < axis.width();
        double used = axis.left() + widthOf(low) + kLabelGap;
        const double most = axis.right() - (hasBoth ? widthOf(high) + kLabelGap : 0.0);
        for (const double number : scale.roundNumbers()) {
            const double x = xOf(number);
            painter.drawLine(QPointF(x, axis.top()), QPointF(x, axis.top() + 5.0));
            const QString text = shortest(number);
            const double half = widthOf(text) / 2.0;
            if (x - half > used && x + half < most) {
                painter.drawText(
                    QRectF(x - half - 1.0, axis.top() + 7.0, 2.0 * half + 2.0, metrics.height()),
                    Qt::AlignCenter, text);
                used = x + half + kLabelGap;
            }
        }
        const QRectF room = axis.adjusted(0.0, 8.0, 0.0, 0.0);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, low);
        if (hasBoth) {
            painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, high);
        }
    }

private:
    [[nodiscard]] double xOf(double epsilon) const {
        return layout.plot.left() + scale.position(epsilon) * layout.plot.width();
    }
    [[nodiscard]] bool shows(double epsilon) const {
        return epsilon >= scale.low && epsilon <= scale.high;
    }
    [[nodiscard]] double widthOf(const QString& text) const {
        return metrics.horizontalAdvance(text);
    }
    void textInRuler(double left, const QString& text, const QColor& ink) {
        const QRectF room(left, layout.ruler.top() + 1.0, widthOf(text) + 1.0,
                          layout.ruler.height() - 2.0);
        above.fillRect(room.adjusted(-1.0, 0.0, 0.0, 0.0), theme.surface);
        above.setPen(ink);
        above.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, text);
    }
    [[nodiscard]] double yOf(double share) const {
        return layout.plot.bottom() - share * layout.plot.height();
    }
    [[nodiscard]] QPainterPath areaBelow(bool withNear) const {
        const QRectF& plot = layout.plot;
        const DialShares& shares = picture.shares;
        const auto height = [&](std::size_t i) {
            return yOf(shares.kept[i] + (withNear ? shares.near[i] : 0.0));
        };
        const std::size_t last = shares.epsilons.size() - 1;
        QPolygonF area{{plot.left(), yOf(0.0)}, {plot.left(), height(0)}};
        for (std::size_t i = 0; i <= last; ++i) {
            area.append({xOf(shares.epsilons[i]), height(i)});  // beyond the axis: at its end
        }
        area << QPointF(plot.right(), height(last)) << QPointF(plot.right(), yOf(0.0));
        QPainterPath path;
        path.addPolygon(area);
        return path;
    }

    void labels() {
        const DialShares& shares = picture.shares;
        if (layout.plot.height() < 2.0 * metrics.height()) {
            return;
        }
        const auto name = [&](const QString& text, double height, const auto& share) {
            double low = 0.0;
            double high = 0.0;
            for (std::size_t i = 0; i < shares.epsilons.size(); ++i) {
                if (shows(shares.epsilons[i]) && share(i) > kLeastLabelledShare) {
                    high = xOf(shares.epsilons[i]);
                    low = low == 0.0 ? high : low;
                }
            }
            const double half = widthOf(text) / 2.0 + kPillMargin;
            if (high > low && 2.0 * half <= layout.plot.width()) {
                pill(text,
                     {std::clamp((low + high) / 2.0, layout.plot.left() + half,
                                 layout.plot.right() - half),
                      yOf(height)},
                     theme.text);
            }
        };
        name(tr("become a far word"), 0.75,
             [&](std::size_t i) { return 1.0 - shares.kept[i] - shares.near[i]; });
        name(tr("become a near word"), 0.5, [&](std::size_t i) { return shares.near[i]; });
        name(tr("are kept"), 0.25, [&](std::size_t i) { return shares.kept[i]; });
    }

    /// The share kept at the pinned epsilon or the end of the axis; else the middle.
    double pinnedLine() {
        const DialPin& pin = *picture.pin;
        const QRectF& plot = layout.plot;
        QPolygonF line;
        double share = 0.5;
        for (std::size_t i = 0; i < pin.shares.kept.size(); ++i) {
            const double epsilon = pin.shares.epsilons[i];
            line.append({xOf(epsilon), yOf(pin.shares.kept[i])});
            share = epsilon <= std::min(pin.epsilon, scale.high) ? pin.shares.kept[i] : share;
        }
        painter.save();
        painter.setClipRect(plot);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(Qt::NoBrush);
        QColor halo = theme.surface;
        halo.setAlphaF(0.7F);
        for (const QPen& pen : {QPen(halo, 4.0), QPen(theme.pinned, 2.0, Qt::DashLine)}) {
            painter.setPen(pen);
            painter.drawPolyline(line);
            if (shows(pin.epsilon)) {
                painter.drawLine(QPointF(xOf(pin.epsilon), plot.top()),
                                 QPointF(xOf(pin.epsilon), plot.bottom()));
            }
        }
        painter.restore();
        return share;
    }

    void pill(const QString& text, QPointF centre, const QColor& ink) {
        const double width = widthOf(text) + 2.0 * kPillMargin;
        QRectF box(centre.x() - width / 2.0, centre.y() - metrics.height() / 2.0, width,
                   metrics.height());
        above.setPen(Qt::NoPen);
        above.setBrush(theme.surface);
        above.drawRoundedRect(box, 3.0, 3.0);
        above.setPen(ink);
        above.drawText(box, Qt::AlignCenter, text);
    }

    double marks() {
        double used = layout.ruler.left() + kPillMargin;
        for (const DialMark& mark : picture.marks) {
            if (!shows(mark.epsilon)) {
                continue;
            }
            const double x = xOf(mark.epsilon);
            painter.setPen(QPen(theme.text, 2.0));
            painter.drawLine(QPointF(x, layout.ruler.top()), QPointF(x, layout.ruler.bottom()));
            const double left = x - kPillMargin - widthOf(mark.text);
            if (left > used) {
                textInRuler(left, mark.text, theme.text);
            }
            used = std::max(used, x + kPillMargin);
        }
        return used;
    }

    void marksBeyond(double used) {
        const auto first = std::ranges::find_if(
            picture.marks, [this](const DialMark& mark) { return mark.epsilon > scale.high; });
        if (first == picture.marks.end()) {
            return;
        }
        const QString text = tr("%1 at ε %2 ▸").arg(first->text, significant(first->epsilon, 2));
        const double left = layout.ruler.right() - kPillMargin - widthOf(text);
        if (left > used) {
            textInRuler(left, text, theme.mutedText);
        }
    }
};

}  // namespace

int DialLayout::lowHeight(const QFontMetrics& metrics) {
    // Large text leaves less of the window to what is below.
    constexpr int kLines = 5;
    constexpr int kLargeLines = 4;
    constexpr int kTicksAndGaps = 14;
    return (isLargeText(metrics) ? kLargeLines : kLines) * metrics.height() + kTicksAndGaps;
}

int DialLayout::fullHeight(const QFontMetrics& metrics) {
    constexpr int kLines = 9;
    return kLines * metrics.height();
}

DialLayout DialLayout::of(QSize size, const QFontMetrics& metrics) {
    const double line = metrics.height();
    const double left = metrics.horizontalAdvance(QStringLiteral("100")) + kSide;
    const double width = size.width() - left - kSide;
    const bool isFull = size.height() >= fullHeight(metrics);
    DialLayout layout;
    double top = 0.0;
    if (isFull) {
        layout.title = QRectF(left, top, width, line);
        top = layout.title.bottom() + 1.0;
    }
    layout.ruler = QRectF(left, top, width, line + 4.0);
    double bottom = size.height();
    layout.axis = QRectF(left, bottom - line - 8.0, width, line + 8.0);
    bottom = layout.axis.top();
    if (isFull) {
        const double height = kDotsInLines * line;
        layout.dots = QRectF(left, bottom - height, width, height);
        bottom = layout.dots.top();
    }
    const double plotTop = layout.ruler.bottom() + 2.0 * kGap;
    layout.plot = QRectF(left, plotTop, width, bottom - kGap - plotTop);
    return layout;
}

DialView::DialView(QWidget* parent) : ValueSlider(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMouseTracking(true);
    setScale(m_picture.axis);
}

void DialView::setPicture(DialPicture picture) {
    const bool hasOtherEnds =
        picture.axis.low != m_picture.axis.low || picture.axis.high != m_picture.axis.high;
    m_picture = std::move(picture);
    if (hasOtherEnds) {
        m_hasGrown = false;
        setAxis(m_picture.axis);
        reachFor(value());
    }
    forgetDrawing();
}

void DialView::showEpsilon(double epsilon) {
    reachFor(epsilon);
    setValue(epsilon);
}

void DialView::reachFor(double epsilon) {
    ValueScale axis = scale();
    if (m_hasGrown && epsilon >= m_picture.axis.low && epsilon <= m_picture.axis.high) {
        m_hasGrown = false;
        setAxis(m_picture.axis);
    } else if (epsilon > axis.origin && (epsilon < axis.low || epsilon > axis.high)) {
        const double above = epsilon - axis.origin;
        axis.low = std::min(axis.low, axis.origin + above / kBeyond);
        axis.high = std::max(axis.high, axis.origin + above * kBeyond);
        m_hasGrown = true;
        setAxis(axis);
    }
}

void DialView::setAxis(const ValueScale& axis) {
    setScale(axis);
    forgetDrawing();
}

void DialView::forgetDrawing() {
    m_drawn = {};
    update();
}

QSize DialView::sizeHint() const {
    return {kPreferredWidth, DialLayout::fullHeight(fontMetrics())};
}

QSize DialView::minimumSizeHint() const {
    return {kLeastWidth, DialLayout::lowHeight(fontMetrics())};
}

DialLayout DialView::layoutNow() const {
    return DialLayout::of(size(), fontMetrics());
}

QRectF DialView::groove() const {
    return layoutNow().plot;
}

void DialView::paintEvent(QPaintEvent* /*event*/) {
    const Theme theme = themeOf(this);
    const DialLayout layout = layoutNow();
    if (m_drawn.isNull()) {
        const double ratio = devicePixelRatioF();
        for (QPixmap* drawing : {&m_drawn, &m_labels}) {
            *drawing = QPixmap(size() * ratio);
            drawing->setDevicePixelRatio(ratio);
            drawing->fill(Qt::transparent);
        }
        QPainter painter(&m_drawn);
        painter.setFont(font());
        QPainter labels(&m_labels);
        labels.setFont(font());
        Drawing drawing{painter, labels, m_picture, scale(), layout, theme};
        drawing.ruler();
        drawing.plot();
        drawing.dots();
        drawing.axis();
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_drawn);
    const double x = xOf(value());
    painter.setRenderHint(QPainter::Antialiasing);
    for (const QPen& pen : {QPen(theme.surface, 4.0), QPen(theme.text, 2.0)}) {
        painter.setPen(pen);
        painter.drawLine(QPointF(x, layout.ruler.top()), QPointF(x, layout.axis.top()));
    }
    painter.drawPixmap(0, 0, m_labels);
    drawHandle(painter, layout.axis.top());
}

void DialView::resizeEvent(QResizeEvent* event) {
    ValueSlider::resizeEvent(event);
    forgetDrawing();
}

void DialView::changeEvent(QEvent* event) {
    ValueSlider::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        updateGeometry();
        forgetDrawing();
    }
}

void DialView::mousePressEvent(QMouseEvent* event) {
    if (event->position().y() < layoutNow().ruler.bottom()) {
        event->accept();
        Q_EMIT promiseClicked();
        return;
    }
    ValueSlider::mousePressEvent(event);
}

void DialView::mouseReleaseEvent(QMouseEvent* event) {
    ValueSlider::mouseReleaseEvent(event);
    reachFor(value());
}

void DialView::keyPressEvent(QKeyEvent* event) {
    ValueSlider::keyPressEvent(event);
    reachFor(value());
}

void DialView::stepInView(int steps) {
    step(steps);
    reachFor(value());
}

}  // namespace epsilens::ui
