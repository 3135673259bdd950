#pragma once

#include <QBrush>
#include <QColor>
#include <QString>
#include <QStyledItemDelegate>

#include "core/calibration/output_distribution.h"
#include "ui/widgets/theme.h"

class QPainter;

namespace epsilens::ui {

/// What a word or a bar stands for. Each mark has a colour, a pattern for areas and an underline,
/// so that colour is never the only sign.
enum class OutputMark {
    kept,     ///< solid area, solid underline
    near,     ///< striped area, dashed underline
    far,      ///< dotted area, wavy underline
    unknown,  ///< not in the vocabulary: dotted underline
    pending   ///< nothing known yet: no underline
};

[[nodiscard]] OutputMark markOf(calibration::OutputClass outputClass);
[[nodiscard]] QString markName(OutputMark mark);

inline constexpr double kDimmedOpacity = 0.45;

[[nodiscard]] QColor fillColour(OutputMark mark, const Theme& theme);
/// The same hue for lines, with a contrast of at least 3:1 on the surface of the theme.
[[nodiscard]] QColor lineColour(OutputMark mark, const Theme& theme);
[[nodiscard]] QBrush areaBrush(OutputMark mark, const Theme& theme);
/// Draws the underline of a word from (left, y) to (right, y); needs two pixels above and below.
void drawUnderline(QPainter& painter, OutputMark mark, const Theme& theme, double left,
                   double right, double y);

/// Paints the shares that an index has as a bar before its text, dimmed where the text has a colour
/// of its own.
class SharesDelegate : public QStyledItemDelegate {
public:
    static constexpr int kRole = Qt::UserRole;  ///< QList<double>: kept, near, far

    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

/// WCAG contrast ratio of two opaque colours, 1 to 21.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);

}  // namespace epsilens::ui
