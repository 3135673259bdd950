#include "ui/plot/plot_menu_button.h"

#include <QEvent>

#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

namespace {
constexpr int kSize = 24;
}  // namespace

PlotMenuButton::PlotMenuButton(Qt::Corner corner, QWidget* plot)
    : QToolButton(plot), m_corner(corner) {
    describe(*this, "plotMenuButton", tr("Plot menu"), tr("Copies or saves the plot, and more."));
    setText(QStringLiteral("⋯"));
    setAutoRaise(true);
    plot->installEventFilter(this);
    followFont(this, [this](const QFontMetrics& metrics) {
        const int size = scaledToText(kSize, metrics);
        setFixedSize(size, size);
        place();
    });
}

bool PlotMenuButton::eventFilter(QObject* /*watched*/, QEvent* event) {
    if (event->type() == QEvent::Resize) {
        place();
    }
    return false;
}

void PlotMenuButton::place() {
    const QSize plot = parentWidget()->size();
    move(plot.width() - width(), m_corner == Qt::TopRightCorner ? 0 : plot.height() - height());
    raise();
}

}  // namespace epsilens::ui
