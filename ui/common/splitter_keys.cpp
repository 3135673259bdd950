#include "ui/common/splitter_keys.h"

#include <algorithm>

#include <QKeyEvent>
#include <QSplitter>

#include "ui/common/focus_frame.h"

namespace epsilens::ui {

namespace {

constexpr int kStep = 24;

class DividerKeys final : public QObject {
public:
    explicit DividerKeys(QSplitter& splitter) : QObject(&splitter), m_splitter(splitter) {}

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
    /// The divider before the part of that index.
    void move(int divider, int step) {
        QList<int> sizes = m_splitter.sizes();
        const int bounded = std::clamp(step, -sizes[divider - 1], sizes[divider]);
        sizes[divider - 1] += bounded;
        sizes[divider] -= bounded;
        m_splitter.setSizes(sizes);
    }

    QSplitter& m_splitter;
};

}  // namespace

void moveWithKeys(QSplitter& splitter, const QString& name) {
    auto* keys = new DividerKeys(splitter);  // belongs to the splitter
    for (int i = 1; i < splitter.count(); ++i) {
        QSplitterHandle* divider = splitter.handle(i);
        divider->setObjectName(QStringLiteral("splitterHandle"));
        divider->setAccessibleName(name);
        divider->setAccessibleDescription(
            splitter.orientation() == Qt::Vertical
                ? QSplitter::tr("The arrow keys up and down move it.")
                : QSplitter::tr("The arrow keys left and right move it."));
        divider->setFocusPolicy(Qt::TabFocus);
        divider->installEventFilter(keys);
        showFocusAround(divider);
    }
}

}  // namespace epsilens::ui
