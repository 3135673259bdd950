#pragma once

#include <QStyledItemDelegate>

namespace epsilens::ui::live {

/// Paints the cells of WordTableModel: shares as a stacked bar with its percentages beside it,
/// everything of earlier settings dimmed, unknown words with a dotted underline.
class StackedBarDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;

private:
    void paintShares(QPainter* painter, const QStyleOptionViewItem& option,
                     const QModelIndex& index) const;
};

}  // namespace epsilens::ui::live
