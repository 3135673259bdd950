#include "ui/widgets/wheel_guard.h"

#include <QEvent>
#include <QObject>
#include <QWidget>

namespace epsilens::ui {

namespace {

class WheelGuard final : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override {
        const auto* widget = qobject_cast<QWidget*>(watched);
        if (event->type() == QEvent::Wheel && widget != nullptr && !widget->hasFocus()) {
            event->ignore();
            return true;
        }
        return false;
    }
};

}  // namespace

void guardWheel(QWidget* widget) {
    widget->setFocusPolicy(Qt::StrongFocus);
    widget->installEventFilter(new WheelGuard(widget));
}

}  // namespace epsilens::ui
