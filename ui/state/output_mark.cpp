#include "ui/state/output_mark.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QtWidgets>

namespace epsilens::ui {

namespace {

constexpr int kTileSize = 6;
constexpr int kBarWidth = 96;
constexpr int kBarHeight = 12;
constexpr int kBarPadding = 6;
constexpr double kUnderlineWidth = 2.0;
constexpr double kLeastLineContrast = 3.2;

struct Look {
    const char* name;  ///< to be translated
    QColor Theme::*fill;
};

constexpr std::array kLooks{Look{QT_TRANSLATE_NOOP("OutputMark", "kept"), &Theme::kept},
                            Look{QT_TRANSLATE_NOOP("OutputMark", "near"), &Theme::near},
                            Look{QT_TRANSLATE_NOOP("OutputMark", "far"), &Theme::far},
                            Look{QT_TRANSLATE_NOOP("OutputMark", "unknown word"), &Theme::pinned},
                            Look{QT_TRANSLATE_NOOP("OutputMark", "not known yet"), &Theme::pinned}};

const Look& lookOf(OutputMark mark) {
    return kLooks.at(static_cast<std::size_t>(mark));
}

double luminance(const QColor& colour) {
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
}

QPixmap tile(const QColor& fill, const QColor& ink, OutputMark mark) {
    QPixmap pixmap(kTileSize, kTileSize);
    pixmap.fill(fill);
    QPainter painter(&pixmap);
    painter.setPen(QPen(ink, 1.0));
    if (mark == OutputMark::near) {
        for (int i = 0; i < kTileSize; ++i) {
            painter.drawPoint(i, kTileSize - 1 - i);
            painter.drawPoint(i, (2 * kTileSize - 2 - i) % kTileSize);
        }
    } else {
        painter.fillRect(1, 1, 2, 2, ink);
        painter.fillRect(4, 4, 2, 2, ink);
    }
    return pixmap;
}

void drawWave(QPainter& painter, double left, double right, double y) {
    constexpr double kHalfWave = 3.0;
    constexpr double kHeight = 1.6;
    QPainterPath path(QPointF(left, y));
    const int halfWaves = static_cast<int>(std::ceil((right - left) / kHalfWave));
    for (int i = 0; i < halfWaves; ++i) {
        const double begin = left + kHalfWave * i;
        const double end = std::min(begin + kHalfWave, right);
        const double peak = i % 2 == 0 ? y - 2.0 * kHeight : y + 2.0 * kHeight;
        path.quadTo((begin + end) / 2.0, peak, end, y);
    }
    painter.drawPath(path);
}

void drawShares(QPainter& painter, const QRectF& bar, const QList<double>& shares,
                const Theme& theme) {
    constexpr std::array kMarks{OutputMark::kept, OutputMark::near, OutputMark::far};
    const double total = shares[0] + shares[1] + shares[2];
    double left = bar.left();
    for (int i = 0; i < 3; ++i) {
        const double width = bar.width() * shares[i] / total;
        if (shares[i] > 0.0) {
            painter.fillRect(QRectF(left, bar.top(), width, bar.height()),
                             areaBrush(kMarks.at(static_cast<std::size_t>(i)), theme));
        }
        left += width;
    }
    painter.setPen(theme.border);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(-0.5, -0.5, 0.5, 0.5));
}

}  // namespace

double contrast(const QColor& a, const QColor& b) {
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return std::max(first, second) / std::min(first, second);
}

OutputMark markOf(calibration::OutputClass outputClass) {
    return outputClass == calibration::OutputClass::kept   ? OutputMark::kept
           : outputClass == calibration::OutputClass::near ? OutputMark::near
                                                           : OutputMark::far;
}

QString markName(OutputMark mark) {
    return QCoreApplication::translate("OutputMark", lookOf(mark).name);
}

QColor fillColour(OutputMark mark, const Theme& theme) {
    return theme.*lookOf(mark).fill;
}

QColor lineColour(OutputMark mark, const Theme& theme) {
    QColor colour = fillColour(mark, theme);
    for (int i = 0; i < 20 && contrast(colour, theme.surface) < kLeastLineContrast; ++i) {
        colour = theme.dark ? colour.lighter(106) : colour.darker(106);
    }
    return colour;
}

QBrush areaBrush(OutputMark mark, const Theme& theme) {
    const QColor fill = fillColour(mark, theme);
    if (mark != OutputMark::near && mark != OutputMark::far) {
        return fill;
    }
    const QColor ink = theme.dark ? fill.darker(150) : fill.darker(125);
    return tile(fill, ink, mark);
}

void drawUnderline(QPainter& painter, OutputMark mark, const Theme& theme, double left,
                   double right, double y) {
    if (mark == OutputMark::pending) {
        return;
    }
    QPen pen(lineColour(mark, theme), kUnderlineWidth);
    pen.setCapStyle(Qt::FlatCap);
    painter.setBrush(Qt::NoBrush);
    if (mark == OutputMark::far) {
        pen.setWidthF(1.6);
        painter.setPen(pen);
        drawWave(painter, left, right, y);
        return;
    }
    if (mark == OutputMark::near) {
        pen.setDashPattern({3.0, 1.5});
    } else if (mark == OutputMark::unknown) {
        pen.setDashPattern({1.0, 1.0});
    }
    painter.setPen(pen);
    painter.drawLine(QPointF(left, y), QPointF(right, y));
}

void SharesDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    option->state &= ~QStyle::State_HasFocus;  // the whole row shows it
    if (index.data(Qt::ForegroundRole).isValid()) {
        option->palette.setBrush(QPalette::HighlightedText, option->palette.text());
    }
}

void SharesDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
    const auto shares = index.data(kRole).value<QList<double>>();
    QStyleOptionViewItem text = option;
    if (!shares.isEmpty()) {
        const Theme theme = themeFor(option.palette);
        painter->save();
        option.widget->style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter,
                                              option.widget);
        const QRectF bar(option.rect.left() + kBarPadding + 0.5,
                         option.rect.center().y() - 0.5 * kBarHeight + 0.5, kBarWidth, kBarHeight);
        painter->fillRect(bar.adjusted(-2.0, -2.0, 2.0, 2.0), theme.surface);
        painter->setOpacity(index.data(Qt::ForegroundRole).isValid() ? kDimmedOpacity : 1.0);
        drawShares(*painter, bar, shares, theme);
        painter->restore();
        text.rect.setLeft(text.rect.left() + kBarWidth + 2 * kBarPadding);
    }
    QStyledItemDelegate::paint(painter, text, index);
}

QSize SharesDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return index.data(kRole).isValid() ? size + QSize(kBarWidth + 3 * kBarPadding, 0) : size;
}

}  // namespace epsilens::ui
