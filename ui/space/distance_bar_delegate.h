#pragma once

#include <QStyledItemDelegate>

namespace epsilens::ui {

/// Draws the distances of a NeighbourModel as bars with their numbers; the longest bar is the
/// greatest distance of the table.
class DistanceBarDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

}  // namespace epsilens::ui
