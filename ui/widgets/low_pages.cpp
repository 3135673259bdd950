#include "ui/widgets/low_pages.h"

#include <QEvent>
#include <QPushButton>

#include "ui/widgets/layout.h"

namespace epsilens::ui {

LowPages::LowPages(QWidget& area, const Page& first, const Page& second, int lowest)
    : QObject(&area),
      m_area(area),
      m_first(first),
      m_second(second),
      m_lowest(lowest),
      m_button(new QPushButton(&area)) {
    m_button->setObjectName(QStringLiteral("otherPagePushButton"));
    m_button->setToolTip(tr("The window is too low for both at once."));
    m_button->setAccessibleDescription(m_button->toolTip());
    area.installEventFilter(this);
    connect(m_button, &QPushButton::clicked, this, [this] {
        m_showsSecond = !m_showsSecond;
        arrange();
    });
    arrange();
}

void LowPages::setEnabled(bool isEnabled) {
    m_isEnabled = isEnabled;
    arrange();
}

void LowPages::turnTo(bool second) {
    m_showsSecond = second;
    arrange();
}

bool LowPages::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange) {
        arrange();
    }
    return QObject::eventFilter(watched, event);
}

void LowPages::arrange() {
    const bool isLow =
        m_isEnabled && m_area.height() < scaledToText(m_lowest, m_area.fontMetrics());
    m_button->setText(m_showsSecond ? m_first.show : m_second.show);
    m_button->setVisible(isLow);
    m_first.widget.setVisible(!isLow || !m_showsSecond);
    m_second.widget.setVisible(!isLow || m_showsSecond);
}

}  // namespace epsilens::ui
