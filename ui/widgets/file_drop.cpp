#include "ui/widgets/file_drop.h"

#include <algorithm>

#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <QWidget>

namespace epsilens::ui {

namespace {

bool isDrag(QEvent::Type type) {
    return type == QEvent::DragEnter || type == QEvent::DragMove || type == QEvent::Drop;
}

bool hasFiles(const QMimeData& data) {
    const auto urls = data.urls();
    return std::any_of(urls.begin(), urls.end(), [](const QUrl& url) { return url.isLocalFile(); });
}

/// The one local file of a drag, else empty.
QString droppedFile(const QMimeData& data) {
    const auto urls = data.urls();
    return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

}  // namespace

FileDrop::FileDrop(QWidget& window) : m_window(window) {
    m_window.setAcceptDrops(true);
    QApplication::instance()->installEventFilter(this);
}

bool FileDrop::eventFilter(QObject* watched, QEvent* event) {
    auto* widget = isDrag(event->type()) ? qobject_cast<QWidget*>(watched) : nullptr;
    if (widget == nullptr || widget->window() != &m_window) {
        return false;
    }
    // Entering and moving are kinds of dropping to Qt.
    auto& drag = static_cast<QDropEvent&>(*event);
    if (!hasFiles(*drag.mimeData())) {
        return false;
    }
    const QString path = droppedFile(*drag.mimeData());
    if (path.isEmpty()) {
        drag.ignore();
        return true;
    }
    drag.acceptProposedAction();
    if (event->type() == QEvent::Drop) {
        Q_EMIT dropped(path, widget);
    }
    return true;
}

}  // namespace epsilens::ui
