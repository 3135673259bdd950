#include "ui/widgets/focus_frame.h"

#include <QEvent>
#include <QPainter>
#include <QWidget>

#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

constexpr int kFrameWidth = 2;

/// Lies over the widget, lets the mouse through, and is there only with the focus.
class FocusFrame final : public QWidget {
public:
    explicit FocusFrame(QWidget* target) : QWidget(target), m_target(target) {
        setObjectName(QStringLiteral("focusFrame"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
        target->installEventFilter(this);
        setVisible(target->hasFocus());
    }

    bool eventFilter(QObject* /*watched*/, QEvent* event) override {
        if (event->type() == QEvent::FocusIn) {
            setGeometry(m_target->rect());
            raise();
            show();
        } else if (event->type() == QEvent::FocusOut) {
            hide();
        } else if (event->type() == QEvent::Resize) {
            setGeometry(m_target->rect());
        }
        return false;
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        painter.setPen(
            QPen(themeOf(this).focus, kFrameWidth, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }

private:
    QWidget* m_target;
};

}  // namespace

void showFocusAround(QWidget* widget) {
    new FocusFrame(widget);  // belongs to the widget
}

}  // namespace epsilens::ui
