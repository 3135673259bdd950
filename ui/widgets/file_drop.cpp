#include "ui/widgets/file_drop.h"

#include <algorithm>

#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <QWidget>

namespace epsilens::ui {

FileDrop::FileDrop(QWidget& window) : m_window(window) {
    m_window.setAcceptDrops(true);
    QApplication::instance()->installEventFilter(this);
}

bool FileDrop::eventFilter(QObject* watched, QEvent* event) {
    const bool isDrag = event->type() == QEvent::DragEnter || event->type() == QEvent::DragMove ||
                        event->type() == QEvent::Drop;
    auto* widget = isDrag ? qobject_cast<QWidget*>(watched) : nullptr;
    if (widget == nullptr || widget->window() != &m_window) {
        return false;
    }
    // Entering and moving are kinds of dropping to Qt.
    auto& drag = static_cast<QDropEvent&>(*event);
    const auto urls = drag.mimeData()->urls();
    if (std::none_of(urls.begin(), urls.end(), [](const QUrl& url) { return url.isLocalFile(); })) {
        return false;
    }
    if (urls.size() > 1) {
        drag.ignore();
        return true;
    }
    drag.acceptProposedAction();
    if (event->type() == QEvent::Drop) {
        Q_EMIT dropped(urls.front().toLocalFile(), widget);
    }
    return true;
}

}  // namespace epsilens::ui
