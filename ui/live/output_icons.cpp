#include "ui/live/output_icons.h"

#include <QPainter>

#include "ui/state/output_mark.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui::live {

namespace {

constexpr int kInARow = 10;
constexpr int kStep = 12;
constexpr int kGap = 2;
constexpr std::array kMarks{OutputMark::kept, OutputMark::near, OutputMark::far};

}  // namespace

OutputIcons::OutputIcons(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("outputIcons"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(tr("A hundred draws of the word"));
}

void OutputIcons::setCounts(int kept, int near, int far) {
    m_counts = {kept, near, far};
    setAccessibleDescription(
        tr("%1 keep the word, %2 become a near word, %3 a far one.").arg(kept).arg(near).arg(far));
    setToolTip(accessibleDescription());
    update();
}

void OutputIcons::setDimmed(bool isDimmed) {
    m_isDimmed = isDimmed;
    update();
}

int OutputIcons::step() const {
    return scaledToText(kStep, fontMetrics());
}

QSize OutputIcons::sizeHint() const {
    const int side = kInARow * step() - kGap;
    return {side, side};
}

void OutputIcons::paintEvent(QPaintEvent* /*event*/) {
    const Theme theme = themeOf(this);
    const int size = step() - kGap;
    QPainter painter(this);
    painter.setOpacity(m_isDimmed ? kDimmedOpacity : 1.0);
    int place = 0;
    for (std::size_t kind = 0; kind < kMarks.size(); ++kind) {
        for (int i = 0; i < m_counts[kind]; ++i, ++place) {
            const QRect square(place % kInARow * step(), place / kInARow * step(), size, size);
            painter.fillRect(square, areaBrush(kMarks[kind], theme));
        }
    }
}

}  // namespace epsilens::ui::live
