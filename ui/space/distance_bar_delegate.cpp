#include "ui/space/distance_bar_delegate.h"

#include <QApplication>
#include <QPainter>

#include "ui/state/neighbour_model.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {
constexpr int kPadding = 6;
constexpr int kBarHeight = 8;
}  // namespace

void DistanceBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
    QStyleOptionViewItem row = option;
    row.state &= ~QStyle::State_HasFocus;
    const QStyle* style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &row, painter, option.widget);
    const QString number = index.data(Qt::DisplayRole).toString();
    const QRect cell = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    const int numberWidth = option.fontMetrics.horizontalAdvance(QStringLiteral("0.0000"));
    const double room = cell.width() - numberWidth - kPadding;
    const double share = index.data(NeighbourModel::shareRole).toDouble();
    const bool isSelected = row.state.testFlag(QStyle::State_Selected);
    const QColor text =
        option.palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text);
    const QRectF bar(cell.left(), cell.center().y() - 0.5 * (kBarHeight - 1),
                     qMax(1.0, room * share), kBarHeight);
    painter->fillRect(bar, isSelected ? text : themeFor(option.palette).series(2));
    painter->setPen(text);
    painter->setFont(option.font);
    painter->drawText(cell, Qt::AlignVCenter | Qt::AlignRight, number);
}

}  // namespace epsilens::ui
