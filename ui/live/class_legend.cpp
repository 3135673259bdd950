#include "ui/live/class_legend.h"

#include <array>

#include <QPainter>

#include "ui/live/output_job.h"
#include "ui/state/output_mark.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui::live {

namespace {

constexpr int kSwatchWidth = 18;
constexpr int kSwatchHeight = 9;
constexpr int kTextGap = 6;
constexpr int kItemGap = 16;

struct Item {
    OutputMark mark;
    QString text;
};

std::array<Item, 3> items() {
    return {{{OutputMark::kept, ClassLegend::tr("kept")},
             {OutputMark::near,
              ClassLegend::tr("near: one of the %1 nearest words").arg(kNearNeighbours)},
             {OutputMark::far, ClassLegend::tr("far")}}};
}

}  // namespace

ClassLegend::ClassLegend(QWidget* parent) : QWidget(parent) {
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.92);
    setFont(small);
    setAccessibleName(tr("Legend"));
    setAccessibleDescription(
        tr("Kept: the word itself, solid line. Near: one of its %1 nearest words, dashed line and "
           "stripes. Far: any other word, wavy line and dots.")
            .arg(kNearNeighbours));
    setToolTip(accessibleDescription());
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize ClassLegend::sizeHint() const {
    int width = 0;
    for (const Item& item : items()) {
        width += kSwatchWidth + kTextGap + fontMetrics().horizontalAdvance(item.text) + kItemGap;
    }
    return {width, fontMetrics().height() + 4};
}

void ClassLegend::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme theme = themeOf(this);
    int left = 0;
    for (const Item& item : items()) {
        const int top = height() / 2 - kSwatchHeight + 1;
        painter.fillRect(left, top, kSwatchWidth, kSwatchHeight, areaBrush(item.mark, theme));
        drawUnderline(painter, item.mark, theme, left, left + kSwatchWidth,
                      top + kSwatchHeight + 4.0);
        left += kSwatchWidth + kTextGap;
        painter.setPen(theme.mutedText);
        const int width = fontMetrics().horizontalAdvance(item.text);
        painter.drawText(QRect(left, 0, width + 2, height()), Qt::AlignVCenter, item.text);
        left += width + kItemGap;
    }
}

}  // namespace epsilens::ui::live
