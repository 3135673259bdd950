#include "ui/live/stacked_bar_delegate.h"

#include <algorithm>
#include <array>

#include <QApplication>
#include <QPainter>

#include "ui/live/word_table_model.h"
#include "ui/state/output_mark.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui::live {

namespace {

constexpr int kBarWidth = 104;
constexpr int kBarHeight = 12;
constexpr int kPadding = 6;
constexpr int kPinnedHeight = 5;
constexpr int kPinnedGap = 3;

using Brushes = std::array<QBrush, 3>;  ///< of kept, near, far

Brushes currentBrushes(const Theme& theme) {
    return {areaBrush(OutputMark::kept, theme), areaBrush(OutputMark::near, theme),
            areaBrush(OutputMark::far, theme)};
}

/// Grey, told apart by their patterns.
Brushes pinnedBrushes(const Theme& theme) {
    return {QBrush(theme.pinned), QBrush(theme.pinned, Qt::BDiagPattern), QBrush(Qt::NoBrush)};
}

void paintBar(QPainter& painter, const QRectF& bar, const QList<double>& counts,
              const Brushes& brushes, const QPen& outline) {
    const double total = counts[0] + counts[1] + counts[2];
    double left = bar.left();
    for (int i = 0; i < 3; ++i) {
        const double width = bar.width() * counts[i] / total;
        if (counts[i] > 0.0) {
            const QRectF part(left, bar.top(), width, bar.height());
            painter.fillRect(part, brushes[static_cast<std::size_t>(i)]);
        }
        left += width;
    }
    painter.setPen(outline);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(-0.5, -0.5, 0.5, 0.5));
}

}  // namespace

void StackedBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                               const QModelIndex& index) const {
    painter->save();
    QStyleOptionViewItem plain = option;
    plain.state &= ~QStyle::State_HasFocus;
    // The whole row shows the focus as selection; the background must not be dimmed with the text.
    const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &plain, painter, option.widget);
    if (index.data(WordTableModel::dimmedRole).toBool()) {
        painter->setOpacity(kDimmedOpacity);
    }
    if (!index.data(WordTableModel::sharesRole).value<QList<double>>().isEmpty()) {
        paintShares(painter, plain, index);
    } else {
        paintText(painter, plain, index);
    }
    painter->restore();
}

void StackedBarDelegate::paintShares(QPainter* painter, const QStyleOptionViewItem& option,
                                     const QModelIndex& index) const {
    const Theme theme = themeFor(option.palette);
    const QRect cell = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    const auto pinned = index.data(WordTableModel::pinnedSharesRole).value<QList<double>>();
    const int height = kBarHeight + (pinned.isEmpty() ? 0 : kPinnedGap + kPinnedHeight);
    const int top = cell.top() + (cell.height() - height) / 2;
    const QRectF bar(cell.left() + 0.5, top + 0.5, kBarWidth, kBarHeight);
    paintBar(*painter, bar, index.data(WordTableModel::sharesRole).value<QList<double>>(),
             currentBrushes(theme), theme.border);
    if (!pinned.isEmpty()) {
        const QRectF below(bar.left(), bar.bottom() + kPinnedGap, kBarWidth, kPinnedHeight);
        paintBar(*painter, below, pinned, pinnedBrushes(theme),
                 QPen(theme.pinned, 1, Qt::DashLine));
    }
    painter->setPen(option.palette.color(QPalette::Text));
    painter->setFont(option.font);
    painter->drawText(cell.adjusted(kBarWidth + 10, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                      index.data(Qt::DisplayRole).toString());
}

void StackedBarDelegate::paintText(QPainter* painter, const QStyleOptionViewItem& option,
                                   const QModelIndex& index) const {
    const QRect cell = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    const bool isUnknown = index.data(WordTableModel::unknownRole).toBool();
    painter->setPen(isUnknown ? themeFor(option.palette).mutedText
                              : option.palette.color(QPalette::Text));
    painter->setFont(option.font);
    const auto alignment = index.data(Qt::TextAlignmentRole).value<Qt::Alignment>();
    painter->drawText(cell, static_cast<int>(alignment) | Qt::TextSingleLine,
                      option.fontMetrics.elidedText(index.data(Qt::DisplayRole).toString(),
                                                    Qt::ElideRight, cell.width()));
}

QSize StackedBarDelegate::sizeHint(const QStyleOptionViewItem& option,
                                   const QModelIndex& index) const {
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (index.column() == WordTableModel::shares) {
        size.setWidth(kBarWidth + 10 + 2 * kPadding +
                      option.fontMetrics.horizontalAdvance(QStringLiteral("88/88/88%")));
    }
    return size;
}

}  // namespace epsilens::ui::live
