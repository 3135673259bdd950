#include "ui/widgets/splitter_keys.h"

#include <algorithm>

#include <QKeyEvent>
#include <QSplitter>

#include "ui/widgets/focus_frame.h"

namespace epsilens::ui {

namespace {

constexpr int kStep = 24;

class DividerKeys final : public QObject {
public:
    DividerKeys(QSplitter& splitter, int divider)
        : QObject(splitter.handle(divider)), m_splitter(splitter), m_divider(divider) {
        parent()->installEventFilter(this);
    }

    bool eventFilter(QObject* /*watched*/, QEvent* event) override {
        if (event->type() != QEvent::KeyPress) {
            return false;
        }
        const bool isColumn = m_splitter.orientation() == Qt::Vertical;
        const int key = static_cast<QKeyEvent*>(event)->key();
        const bool goesBack = key == (isColumn ? Qt::Key_Up : Qt::Key_Left);
        if (!goesBack && key != (isColumn ? Qt::Key_Down : Qt::Key_Right)) {
            return false;
        }
        QList<int> sizes = m_splitter.sizes();
        int& shrinking = sizes[goesBack ? m_divider - 1 : m_divider];
        const int step = std::min(kStep, shrinking - 1);
        shrinking -= step;
        sizes[goesBack ? m_divider : m_divider - 1] += step;
        m_splitter.setSizes(sizes);  // keeps the least sizes of the parts
        return true;
    }

private:
    QSplitter& m_splitter;
    int m_divider;
};

}  // namespace

void moveWithKeys(QSplitter& splitter, const QString& name) {
    for (int i = 1; i < splitter.count(); ++i) {
        QSplitterHandle* divider = splitter.handle(i);
        divider->setObjectName(QStringLiteral("splitterHandle"));
        divider->setAccessibleName(name);
        divider->setAccessibleDescription(
            splitter.orientation() == Qt::Vertical
                ? QSplitter::tr("The up and down arrow keys move it.")
                : QSplitter::tr("The left and right arrow keys move it."));
        divider->setFocusPolicy(Qt::TabFocus);
        new DividerKeys(splitter, i);  // belongs to the divider
        showFocusAround(divider);
    }
}

}  // namespace epsilens::ui
