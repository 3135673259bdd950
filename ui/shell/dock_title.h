#pragma once

#include <QWidget>

class QDockWidget;

namespace epsilens::ui {

/// Title of a dock, aligned with its content, with a button that hides the dock. The dock can be
/// moved by it.
class DockTitle : public QWidget {
    Q_OBJECT

public:
    explicit DockTitle(QDockWidget* dock);
};

}  // namespace epsilens::ui
