#pragma once

#include <QStyledItemDelegate>

namespace epsilens::ui::live {

/// Paints the cells of WordTableModel: shares as a stacked bar with its percentages beside it,
/// what belongs to earlier settings dimmed, unknown words in the muted colour. Meant for a view
/// whose selection colour text and bars stay readable on.
class StackedBarDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;

private:
    void paintText(QPainter* painter, const QStyleOptionViewItem& option,
                   const QModelIndex& index) const;
    void paintShares(QPainter* painter, const QStyleOptionViewItem& option,
                     const QModelIndex& index) const;
};

}  // namespace epsilens::ui::live
