#include "ui/curves/low_pages.h"

#include <QEvent>
#include <QPushButton>

#include "ui/widgets/layout.h"

namespace epsilens::ui {

namespace {
// Below it plots would be squashed or the table would have no rows.
constexpr int kLowHeight = 440;
}  // namespace

LowPages::LowPages(QWidget& area, QWidget& plots, QWidget& table)
    : QObject(&area),
      m_area(area),
      m_plots(plots),
      m_table(table),
      m_button(new QPushButton(&area)) {
    m_button->setObjectName(QStringLiteral("otherPagePushButton"));
    m_button->setToolTip(tr("The window is too low for plots and table at once."));
    m_button->setAccessibleDescription(m_button->toolTip());
    area.installEventFilter(this);
    connect(m_button, &QPushButton::clicked, this, [this] {
        m_showsTable = !m_showsTable;
        arrange();
    });
    arrange();
}

bool LowPages::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange) {
        arrange();
    }
    return QObject::eventFilter(watched, event);
}

void LowPages::arrange() {
    const bool isLow = m_area.height() < scaledToText(kLowHeight, m_area.fontMetrics());
    m_button->setText(m_showsTable ? tr("Show plots") : tr("Show table"));
    m_button->setVisible(isLow);
    m_plots.setVisible(!isLow || !m_showsTable);
    m_table.setVisible(!isLow || m_showsTable);
}

}  // namespace epsilens::ui
