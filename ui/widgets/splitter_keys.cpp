#include "ui/widgets/splitter_keys.h"

#include <algorithm>
#include <cstdlib>

#include <QKeyEvent>
#include <QSplitter>

#include "ui/widgets/focus_frame.h"

namespace epsilens::ui {

namespace {

constexpr int kStep = 24;

class DividerKeys final : public QObject {
public:
    DividerKeys(QSplitter& splitter, QSplitterHandle* divider)
        : QObject(divider), m_splitter(splitter) {
        divider->installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::KeyPress) {
            return false;
        }
        const bool isColumn = m_splitter.orientation() == Qt::Vertical;
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == (isColumn ? Qt::Key_Up : Qt::Key_Left)) {
            move(m_splitter.indexOf(static_cast<QWidget*>(watched)), -kStep);
        } else if (key == (isColumn ? Qt::Key_Down : Qt::Key_Right)) {
            move(m_splitter.indexOf(static_cast<QWidget*>(watched)), kStep);
        } else {
            return false;
        }
        return true;
    }

private:
    /// The divider before the part of that index. A part that may go away does so below its least
    /// size, as it does with the mouse.
    void move(int divider, int step) {
        QList<int> sizes = m_splitter.sizes();
        const int shrinking = step > 0 ? divider : divider - 1;
        const int growing = step > 0 ? divider - 1 : divider;
        const int least = leastSize(*m_splitter.widget(shrinking));
        int wanted = sizes[shrinking] - std::abs(step);
        if (wanted < least) {
            wanted = m_splitter.isCollapsible(shrinking) ? 0 : std::min(least, sizes[shrinking]);
        }
        sizes[growing] += sizes[shrinking] - wanted;
        sizes[shrinking] = wanted;
        m_splitter.setSizes(sizes);
    }

    [[nodiscard]] int leastSize(const QWidget& part) const {
        const QSize least = part.minimumSizeHint().expandedTo(part.minimumSize());
        return m_splitter.orientation() == Qt::Vertical ? least.height() : least.width();
    }

    QSplitter& m_splitter;
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
        new DividerKeys(splitter, divider);  // belongs to the divider
        showFocusAround(divider);
    }
}

}  // namespace epsilens::ui
