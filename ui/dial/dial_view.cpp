#include "ui/dial/dial_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <QCoreApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

#include "ui/state/output_mark.h"
#include "ui/widgets/large_text.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

constexpr int kLeastWidth = 280;
constexpr int kPreferredWidth = 640;
constexpr double kHandleRadius = 7.0;
constexpr double kRingRadius = 10.0;
constexpr double kBeyond = 1.2;  ///< an axis that grows leaves this factor beside the cursor

constexpr double kSide = 12.0;  ///< room for half the handle beside the ends
constexpr double kGap = 3.0;
constexpr double kDotsInLines = 0.9;

constexpr double kFarOpacity = 0.34;  ///< a large area: quieter than the same colour in a bar
constexpr double kPillMargin = 5.0;
constexpr double kDotRadius = 2.2;
constexpr double kLabelGap = 8.0;
constexpr double kLeastLabelledShare = 0.3;

QString tr(const char* text) {
    return QCoreApplication::translate("Dial", text);
}

class Drawing {
public:
    Drawing(QPainter& painter, QPainter& labels, const DialPicture& picture, const ValueScale& axis,
            const DialLayout& layout, const Theme& theme)
        : m_painter(painter),
          m_labels(labels),
          m_picture(picture),
          m_axis(axis),
          m_layout(layout),
          m_theme(theme),
          m_metrics(painter.fontMetrics()) {}

    void ruler() {
        const QRectF& bar = m_layout.ruler;
        if (!m_layout.title.isEmpty()) {
            m_painter.setPen(m_theme.mutedText);
            m_painter.drawText(m_layout.title, Qt::AlignLeft | Qt::AlignVCenter,
                               m_metrics.elidedText(m_picture.promiseTitle, Qt::ElideMiddle,
                                                    static_cast<int>(m_layout.title.width())));
        }
        m_painter.setPen(QPen(m_theme.border, 1.0));
        m_painter.setBrush(m_theme.surface);
        m_painter.drawRect(bar);
        const double used = marks();
        marksBeyond(used);
        double from = bar.right();
        if (m_picture.unboundedFrom) {
            from = std::clamp(xOf(*m_picture.unboundedFrom), bar.left(), bar.right());
            const QRectF unbounded(from, bar.top(), bar.right() - from, bar.height());
            m_painter.fillRect(unbounded, m_theme.border);
            m_painter.fillRect(unbounded, QBrush(m_theme.mutedText, Qt::BDiagPattern));
        }
        const double left = m_picture.unboundedFrom ? from : used;
        const double room = bar.right() - left - 2.0 * kPillMargin;
        const QString& text = m_picture.unboundedText;
        if (widthOf(text) < room) {
            pill(text, QPointF(left + (bar.right() - left) / 2.0, bar.center().y()), m_theme.text);
        }
    }

    void plot() {
        const QRectF& plot = m_layout.plot;
        m_painter.setPen(m_theme.mutedText);
        for (const int percent : {0, 50, 100}) {
            if (percent == 50 && plot.height() < 3.0 * m_metrics.height()) {
                continue;
            }
            const double y = yOf(percent / 100.0);
            m_painter.drawText(QRectF(0.0, y - m_metrics.height() / 2.0,
                                      plot.left() - kLabelGap / 2.0, m_metrics.height()),
                               Qt::AlignRight | Qt::AlignVCenter, QString::number(percent));
        }
        m_painter.fillRect(plot, m_theme.surface);
        if (!m_picture.shares.epsilons.empty()) {
            m_painter.save();
            m_painter.setClipRect(plot);
            m_painter.setPen(Qt::NoPen);
            m_painter.setOpacity(m_picture.isOutdated ? kDimmedOpacity : 1.0);
            const double opacity = m_painter.opacity();
            m_painter.setOpacity(kFarOpacity * opacity);
            m_painter.fillRect(plot, areaBrush(OutputMark::far, m_theme));
            m_painter.setOpacity(opacity);
            const QPainterPath near = areaBelow(true);
            m_painter.fillPath(near, m_theme.surface);
            m_painter.fillPath(near, areaBrush(OutputMark::near, m_theme));
            const QPainterPath kept = areaBelow(false);
            m_painter.fillPath(kept, areaBrush(OutputMark::kept, m_theme));
            m_painter.restore();
            if (!m_picture.isOutdated) {
                limits();
                labels();
            }
        }
        if (m_picture.pin) {
            pinned();
        }
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(m_theme.border, 1.0));
        m_painter.drawRect(plot);
        if (!m_picture.note.isEmpty()) {
            pill(m_metrics.elidedText(m_picture.note, Qt::ElideRight,
                                      static_cast<int>(plot.width() - 4.0 * kPillMargin)),
                 plot.center(), m_theme.text);
        }
    }

    void limits() {
        const QRectF& plot = m_layout.plot;
        double widest = 0.0;
        double middle = 0.0;
        for (const calibration::EpsilonSpan& range : m_picture.outside) {
            const double left = xOf(range.low);
            const double right = xOf(range.high);
            QColor veil = m_theme.surface;
            veil.setAlphaF(0.35F);
            const QRectF zone(left, plot.top(), right - left, plot.height());
            m_painter.fillRect(zone, veil);
            m_painter.fillRect(zone, QBrush(m_theme.error, Qt::FDiagPattern));
            if (right - left > widest) {
                widest = right - left;
                middle = (left + right) / 2.0;
            }
        }
        const QString text = tr("outside your limits");
        if (widest > widthOf(text) + 2.0 * kPillMargin) {
            pill(text, {middle, plot.top() + m_metrics.height() * 0.7}, m_theme.error);
        }
        if (m_picture.largestWithin && shows(*m_picture.largestWithin)) {
            const double x = xOf(*m_picture.largestWithin);
            const double y = plot.bottom();
            m_painter.setRenderHint(QPainter::Antialiasing);
            m_painter.setPen(QPen(m_theme.sw, 1.5));
            m_painter.drawLine(QPointF(x, plot.top()), QPointF(x, y));
            m_painter.setBrush(m_theme.sw);
            const std::array<QPointF, 4> diamond{QPointF(x, y - 7.0), QPointF(x + 6.0, y),
                                                 QPointF(x, y + 7.0), QPointF(x - 6.0, y)};
            m_painter.drawConvexPolygon(diamond.data(), static_cast<int>(diamond.size()));
            m_painter.setRenderHint(QPainter::Antialiasing, false);
        }
    }

    void pinned() {
        const DialPin& pin = *m_picture.pin;
        const QRectF& plot = m_layout.plot;
        const double share = pinnedLine();
        if (plot.height() < 2.0 * m_metrics.height()) {
            return;  // the name would hide the line
        }
        // At the left of its epsilon, as the cursor often stands there too.
        const double half = widthOf(pin.name) / 2.0 + kPillMargin;
        const double x = xOf(std::clamp(pin.epsilon, m_axis.low, m_axis.high)) - half - kLabelGap;
        const double room = m_metrics.height() / 2.0;
        pill(pin.name,
             {std::clamp(x, plot.left() + half, plot.right() - half),
              std::clamp(yOf(share), plot.top() + room, plot.bottom() - room)},
             m_theme.text);
    }

    void dots() {
        const QRectF& room = m_layout.dots;
        if (room.isEmpty()) {
            return;
        }
        // Words of the same place stand above each other, so that many read as a pile.
        constexpr int kPlaces = 4;
        const double step = room.height() / kPlaces;
        std::array<double, kPlaces> used{};
        std::vector<double> sorted = m_picture.halfKept;
        std::sort(sorted.begin(), sorted.end());
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(Qt::NoPen);
        QColor ink = lineColour(OutputMark::kept, m_theme);
        ink.setAlphaF(m_picture.isOutdated ? 0.3F : 0.75F);
        m_painter.setBrush(ink);
        double first = room.right();
        for (const double epsilon : sorted) {
            if (!shows(epsilon)) {
                continue;
            }
            const double x = xOf(epsilon);
            first = std::min(first, x);
            const auto free = std::min_element(used.begin(), used.end());
            const auto place = static_cast<double>(free - used.begin());
            *free = x + 2.0 * kDotRadius;
            m_painter.drawEllipse(QPointF(x, room.bottom() - (place + 0.5) * step), kDotRadius,
                                  kDotRadius);
        }
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        const QString text = tr("one dot per word, where half of its draws keep it");
        if (!sorted.empty() && room.left() + widthOf(text) + kLabelGap < first) {
            QRectF written = m_labels.boundingRect(room, Qt::AlignLeft | Qt::AlignVCenter, text);
            written.setBottom(room.bottom());
            m_labels.fillRect(written, m_theme.window);
            m_labels.setPen(m_theme.mutedText);
            m_labels.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, text);
        }
    }

    void axis() {
        const QRectF& axis = m_layout.axis;
        m_painter.setPen(QPen(m_theme.mutedText, 1.0));
        m_painter.drawLine(axis.topLeft(), axis.topRight());
        const QString low = tr("◂ more private");
        const QString high = tr("more useful ▸");
        // Where there is no room for both, the other end goes without saying.
        const bool hasBoth = widthOf(low) + kLabelGap + widthOf(high) < axis.width();
        double used = axis.left() + widthOf(low) + kLabelGap;
        const double most = axis.right() - (hasBoth ? widthOf(high) + kLabelGap : 0.0);
        for (const double number : axisNumbers(m_axis)) {
            const double x = xOf(number);
            m_painter.drawLine(QPointF(x, axis.top()), QPointF(x, axis.top() + 5.0));
            const QString text = shortest(number);
            const double half = widthOf(text) / 2.0;
            if (x - half > used && x + half < most) {
                m_painter.drawText(
                    QRectF(x - half - 1.0, axis.top() + 7.0, 2.0 * half + 2.0, m_metrics.height()),
                    Qt::AlignCenter, text);
                used = x + half + kLabelGap;
            }
        }
        const QRectF room = axis.adjusted(0.0, 8.0, 0.0, 0.0);
        m_painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, low);
        if (hasBoth) {
            m_painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, high);
        }
    }

private:
    [[nodiscard]] double xOf(double epsilon) const {
        return m_layout.plot.left() + m_axis.position(epsilon) * m_layout.plot.width();
    }
    [[nodiscard]] bool shows(double epsilon) const {
        return epsilon >= m_axis.low && epsilon <= m_axis.high;
    }
    [[nodiscard]] double widthOf(const QString& text) const {
        return m_metrics.horizontalAdvance(text);
    }
    void textInRuler(double left, const QString& text, const QColor& ink) {
        const QRectF room(left, m_layout.ruler.top() + 1.0, widthOf(text) + 1.0,
                          m_layout.ruler.height() - 2.0);
        m_labels.fillRect(room.adjusted(-1.0, 0.0, 0.0, 0.0), m_theme.surface);
        m_labels.setPen(ink);
        m_labels.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, text);
    }
    [[nodiscard]] double yOf(double share) const {
        return m_layout.plot.bottom() - share * m_layout.plot.height();
    }
    [[nodiscard]] QPainterPath areaBelow(bool withNear) const {
        const QRectF& plot = m_layout.plot;
        const DialShares& shares = m_picture.shares;
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

    /// Names each share in the middle of the range in which it is large.
    void labels() {
        const DialShares& shares = m_picture.shares;
        if (m_layout.plot.height() < 2.0 * m_metrics.height()) {
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
            if (high > low && 2.0 * half <= m_layout.plot.width()) {
                pill(text,
                     {std::clamp((low + high) / 2.0, m_layout.plot.left() + half,
                                 m_layout.plot.right() - half),
                      yOf(height)},
                     m_theme.text);
            }
        };
        name(tr("become a far word"), 0.75,
             [&](std::size_t i) { return 1.0 - shares.kept[i] - shares.near[i]; });
        name(tr("become a near word"), 0.5, [&](std::size_t i) { return shares.near[i]; });
        name(tr("are kept"), 0.25, [&](std::size_t i) { return shares.kept[i]; });
    }

    /// Draws the share that the pinned setting keeps and its epsilon. Returns the share at its
    /// epsilon, or at the end of the axis; the middle where it is not measured.
    double pinnedLine() {
        const DialPin& pin = *m_picture.pin;
        const QRectF& plot = m_layout.plot;
        QPolygonF line;
        double share = 0.5;
        for (std::size_t i = 0; i < pin.shares.kept.size(); ++i) {
            const double epsilon = pin.shares.epsilons[i];
            line.append({xOf(epsilon), yOf(pin.shares.kept[i])});
            share = epsilon <= std::min(pin.epsilon, m_axis.high) ? pin.shares.kept[i] : share;
        }
        m_painter.save();
        m_painter.setClipRect(plot);
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setBrush(Qt::NoBrush);
        QColor halo = m_theme.surface;
        halo.setAlphaF(0.7F);
        // Read on every hue below it.
        for (const QPen& pen : {QPen(halo, 4.0), QPen(m_theme.pinned, 2.0, Qt::DashLine)}) {
            m_painter.setPen(pen);
            m_painter.drawPolyline(line);
            if (shows(pin.epsilon)) {
                m_painter.drawLine(QPointF(xOf(pin.epsilon), plot.top()),
                                   QPointF(xOf(pin.epsilon), plot.bottom()));
            }
        }
        m_painter.restore();
        return share;
    }

    void pill(const QString& text, QPointF centre, const QColor& ink) {
        const double width = widthOf(text) + 2.0 * kPillMargin;
        QRectF box(centre.x() - width / 2.0, centre.y() - m_metrics.height() / 2.0, width,
                   m_metrics.height());
        m_labels.setPen(Qt::NoPen);
        m_labels.setBrush(m_theme.surface);
        m_labels.drawRoundedRect(box, 3.0, 3.0);
        m_labels.setPen(ink);
        m_labels.drawText(box, Qt::AlignCenter, text);
    }

    /// Draws the marks inside the ruler, each with its text at its left, where there is room, and
    /// returns where they end.
    double marks() {
        double used = m_layout.ruler.left() + kPillMargin;
        for (const DialMark& mark : m_picture.marks) {
            if (!shows(mark.epsilon)) {
                continue;
            }
            const double x = xOf(mark.epsilon);
            m_painter.setPen(QPen(m_theme.text, 2.0));
            m_painter.drawLine(QPointF(x, m_layout.ruler.top()),
                               QPointF(x, m_layout.ruler.bottom()));
            const double left = x - kPillMargin - widthOf(mark.text);
            if (left > used) {
                textInRuler(left, mark.text, m_theme.text);
            }
            used = std::max(used, x + kPillMargin);
        }
        return used;
    }

    /// Those beyond the right end, in the room from `used` on.
    void marksBeyond(double used) {
        const auto first =
            std::find_if(m_picture.marks.begin(), m_picture.marks.end(),
                         [this](const DialMark& mark) { return mark.epsilon > m_axis.high; });
        if (first == m_picture.marks.end()) {
            return;
        }
        const QString text = tr("%1 at ε %2 ▸").arg(first->text, significant(first->epsilon, 2));
        const double left = m_layout.ruler.right() - kPillMargin - widthOf(text);
        if (left > used) {
            textInRuler(left, text, m_theme.mutedText);
        }
    }

    QPainter& m_painter;
    QPainter& m_labels;  ///< for what stays readable where the cursor is
    const DialPicture& m_picture;
    const ValueScale& m_axis;
    const DialLayout& m_layout;
    const Theme& m_theme;
    QFontMetrics m_metrics;
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

std::vector<double> axisNumbers(const ValueScale& axis) {
    std::vector<double> numbers;
    const int first = static_cast<int>(std::floor(std::log10(axis.low - axis.origin)));
    const int last = static_cast<int>(std::floor(std::log10(axis.high - axis.origin)));
    for (int decade = first; decade <= last; ++decade) {
        for (const double digit : {1.0, 2.0, 5.0}) {
            const double power = std::pow(10.0, std::abs(decade));
            const double above = decade < 0 ? digit / power : digit * power;
            // Beyond an origin, a round number near it.
            const double unit = digit == 2.0 ? above / 2.0 : above;
            const double number =
                axis.origin == 0.0 ? above : std::round((axis.origin + above) / unit) * unit;
            if (number >= axis.low && number <= axis.high &&
                (numbers.empty() || number > numbers.back())) {
                numbers.push_back(number);
            }
        }
    }
    return numbers;
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
        const DialLayout layout = layoutNow();
        const Theme theme = themeOf(this);
        Drawing drawing(painter, labels, m_picture, scale(), layout, theme);
        drawing.ruler();
        drawing.plot();
        drawing.dots();
        drawing.axis();
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_drawn);
    drawCursor(painter);
    painter.drawPixmap(0, 0, m_labels);
    drawHandle(painter);
}

void DialView::drawCursor(QPainter& painter) const {
    const Theme theme = themeOf(this);
    const DialLayout layout = layoutNow();
    const double x = xOf(value());
    painter.setRenderHint(QPainter::Antialiasing);
    for (const QPen& pen : {QPen(theme.surface, 4.0), QPen(theme.text, 2.0)}) {
        painter.setPen(pen);
        painter.drawLine(QPointF(x, layout.ruler.top()), QPointF(x, layout.axis.top()));
    }
}

void DialView::drawHandle(QPainter& painter) const {
    const Theme theme = themeOf(this);
    const QPointF centre(xOf(value()), layoutNow().axis.top());
    painter.setRenderHint(QPainter::Antialiasing);
    if (hasFocus()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.focus);
        painter.drawEllipse(centre, kRingRadius, kRingRadius);
    }
    painter.setBrush(theme.accent);
    painter.setPen(QPen(theme.surface, 2.0));
    painter.drawEllipse(centre, kHandleRadius, kHandleRadius);
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
