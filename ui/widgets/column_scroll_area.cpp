#include "ui/widgets/column_scroll_area.h"

#include <algorithm>

#include <QCoreApplication>
#include <QEvent>
#include <QLayout>
#include <QResizeEvent>
#include <QScrollBar>

namespace epsilens::ui {

ColumnScrollArea::ColumnScrollArea(QWidget* parent) : QScrollArea(parent) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // It scrolls to the controls in it, which Tab reaches.
    setFocusPolicy(Qt::NoFocus);
}

QSize ColumnScrollArea::minimumSizeHint() const {
    const int bar = verticalScrollBar()->sizeHint().width();
    const int column = widget() == nullptr ? 0 : widget()->minimumSizeHint().width();
    return {column + bar, QScrollArea::minimumSizeHint().height()};
}

// Texts of controls change, and controls come and go: the least size is another one then.
bool ColumnScrollArea::eventFilter(QObject* watched, QEvent* event) {
    if (watched == widget() &&
        (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show)) {
        updateGeometry();
        QCoreApplication::postEvent(this, new QEvent(QEvent::LayoutRequest));
    }
    return QScrollArea::eventFilter(watched, event);
}

namespace {

/// Gives its content all the room there is, and asks for as little as the content can do with. A
/// scroll area would give texts that wrap the height that they like best, and scroll for it.
class ShrinkingPage final : public QWidget {
public:
    explicit ShrinkingPage(QWidget* content) : m_content(content) { content->setParent(this); }

    [[nodiscard]] QSize minimumSizeHint() const override {
        QSize least = m_content->minimumSizeHint();
        const QLayout* layout = m_content->layout();
        if (layout != nullptr && layout->hasHeightForWidth()) {
            least.setHeight(
                layout->totalMinimumHeightForWidth(std::max(textWidth(), least.width())));
        }
        return least;
    }
    [[nodiscard]] QSize sizeHint() const override { return m_content->sizeHint(); }

protected:
    void resizeEvent(QResizeEvent* event) override {
        m_content->resize(event->size());
        // Narrower texts are higher.
        updateGeometry();
    }

private:
    /// With a scroll bar beside it, whether there is one or not: texts that fit only without would
    /// let it come and go.
    [[nodiscard]] int textWidth() const {
        const auto* area = qobject_cast<const QScrollArea*>(
            parentWidget() == nullptr ? nullptr : parentWidget()->parentWidget());
        return area == nullptr ? width()
                               : area->width() - area->verticalScrollBar()->sizeHint().width();
    }

    QWidget* m_content;
};

}  // namespace

QScrollArea* scrolledPage(QWidget* content, QWidget* parent) {
    auto* area = new ColumnScrollArea(parent);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    area->setWidget(new ShrinkingPage(content));
    return area;
}

}  // namespace epsilens::ui
