#include "ui/live/output_icons.h"

#include <QPainter>

#include "ui/state/output_mark.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui::live {

namespace {

constexpr int kAll = 100;
constexpr int kMostInARow = 20;
constexpr int kLeastInARow = 10;
constexpr int kStep = 14;
constexpr int kGap = 2;
constexpr std::array kMarks{OutputMark::kept, OutputMark::near, OutputMark::far};

}  // namespace

OutputIcons::OutputIcons(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("outputIcons"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
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

int OutputIcons::perRow(int width) const {
    return width < kMostInARow * step() ? kLeastInARow : kMostInARow;
}

int OutputIcons::heightForWidth(int width) const {
    return kAll / perRow(width) * step();
}

QSize OutputIcons::sizeHint() const {
    const int width = kMostInARow * step();
    return {width, heightForWidth(width)};
}

QSize OutputIcons::minimumSizeHint() const {
    return {kLeastInARow * step(), sizeHint().height()};
}

void OutputIcons::paintEvent(QPaintEvent* /*event*/) {
    const Theme theme = themeOf(this);
    const int inARow = perRow(width());
    const int size = step() - kGap;
    QPainter painter(this);
    painter.setOpacity(m_isDimmed ? kDimmedOpacity : 1.0);
    int place = 0;
    for (std::size_t kind = 0; kind < kMarks.size(); ++kind) {
        for (int i = 0; i < m_counts[kind]; ++i, ++place) {
            const QRect square(place % inARow * step(), place / inARow * step(), size, size);
            painter.fillRect(square, areaBrush(kMarks[kind], theme));
        }
    }
}

}  // namespace epsilens::ui::live
