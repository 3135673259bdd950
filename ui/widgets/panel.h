#pragma once

#include <QString>
#include <QWidget>

namespace epsilens::ui {

/// A tab of the window.
class Panel : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    [[nodiscard]] virtual QString title() const = 0;
    /// The control that F6 and Ctrl+1...6 put the focus on; nullptr leaves it to Qt.
    [[nodiscard]] virtual QWidget* firstControl() const { return nullptr; }
};

}  // namespace epsilens::ui
