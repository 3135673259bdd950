#include "ui/widgets/low_pages.h"

#include <utility>

#include <QEvent>
#include <QPushButton>

#include "ui/widgets/large_text.h"

namespace epsilens::ui {

LowPages::LowPages(QWidget& area, std::vector<Page> pages, std::optional<int> lowest)
    : QObject(&area),
      m_area(area),
      m_pages(std::move(pages)),
      m_isOffered(m_pages.size(), true),
      m_lowest(lowest),
      m_button(new QPushButton(&area)) {
    m_button->setObjectName(QStringLiteral("otherPagePushButton"));
    m_button->setToolTip(tr("The window is too low to show everything at once."));
    m_button->setAccessibleDescription(m_button->toolTip());
    area.installEventFilter(this);
    connect(m_button, &QPushButton::clicked, this, [this] { turnTo(next()); });
    arrange();
}

void LowPages::setEnabled(bool isEnabled) {
    m_isEnabled = isEnabled;
    arrange();
}

void LowPages::turnTo(std::size_t page) {
    m_shown = page;
    arrange();
}

void LowPages::offer(std::size_t page, bool isOffered) {
    m_isOffered[page] = isOffered;
    if (!m_isOffered[m_shown]) {
        m_shown = next();
    }
    arrange();
}

std::size_t LowPages::next() const {
    std::size_t page = m_shown;
    do {
        page = (page + 1) % m_pages.size();
    } while (!m_isOffered[page] && page != m_shown);
    return page;
}

bool LowPages::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show && !m_lowest) {
        m_area.window()->installEventFilter(this);
        arrange();
    } else if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange) {
        arrange();
    }
    return QObject::eventFilter(watched, event);
}

bool LowPages::isLow() const {
    return m_lowest ? m_area.height() < scaledToText(*m_lowest, m_area.fontMetrics())
                    : isInLowWindow(m_area);
}

void LowPages::arrange() {
    const bool isLow = m_isEnabled && this->isLow();
    m_button->setText(m_pages[next()].show);
    m_button->setVisible(isLow);
    for (std::size_t page = 0; page < m_pages.size(); ++page) {
        m_pages[page].widget.setVisible(m_isOffered[page] && (!isLow || page == m_shown));
    }
    Q_EMIT arranged();
}

}  // namespace epsilens::ui
