#include "ui/space/plane_choice.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/wheel_guard.h"
#include "ui/widgets/whole_number_box.h"

namespace epsilens::ui {

PlaneChoice::PlaneChoice(QWidget* parent)
    : QWidget(parent),
      m_kind(described(new QComboBox(this), "planeComboBox", tr("Plane"),
                       tr("The directions that are shown. λ makes the noise smallest where the "
                          "vectors vary least."))),
      m_first(addAxis("firstAxisSpinBox", tr("Principal axis drawn to the right"))),
      m_second(addAxis("secondAxisSpinBox", tr("Principal axis drawn upwards"))) {
    m_kind->addItems({tr("first two axes"), tr("two axes of least variance"), tr("any two axes"),
                      tr("through the word and two neighbours")});
    guardWheel(m_kind);
    auto* label = new QLabel(tr("Plane"), this);
    label->setBuddy(m_kind);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kRowSpacing);
    row->addWidget(label);
    row->addWidget(m_kind);
    row->addWidget(m_first);
    row->addWidget(m_second);
    connect(m_kind, &QComboBox::activated, this, &PlaneChoice::choose);
    for (WholeNumberBox* axis : {m_first, m_second}) {
        connect(axis, &QSpinBox::valueChanged, this, &PlaneChoice::choose);
        connect(axis, &WholeNumberBox::refused, this, &PlaneChoice::refused);
    }
}

WholeNumberBox* PlaneChoice::addAxis(const char* objectName, const QString& name) {
    auto* axis = described(new WholeNumberBox(this), objectName, name,
                           tr("Counted from 1, the axis of the largest variance."));
    axis->setMinimum(1);
    guardWheel(axis);
    return axis;
}

void PlaneChoice::showAxes(const plane::AxisPair& axes, Eigen::Index count, bool isThroughWord) {
    m_count = count;
    setVisible(count > 0);
    if (count <= 0) {
        return;
    }
    const QSignalBlocker firstQuiet(m_first);
    const QSignalBlocker secondQuiet(m_second);
    m_first->setMaximum(static_cast<int>(count));
    m_second->setMaximum(static_cast<int>(count));
    m_first->setValue(static_cast<int>(axes[0]) + 1);
    m_second->setValue(static_cast<int>(axes[1]) + 1);
    // What was chosen as any two stays so, whichever they are.
    if (isThroughWord) {
        m_kind->setCurrentIndex(word);
    } else if (m_kind->currentIndex() != any) {
        m_kind->setCurrentIndex(axes == plane::kFirstAxes                       ? first
                                : axes == plane::AxisPair{count - 2, count - 1} ? least
                                                                                : any);
    }
    m_first->setVisible(m_kind->currentIndex() == any);
    m_second->setVisible(m_kind->currentIndex() == any);
}

void PlaneChoice::choose() {
    if (m_kind->currentIndex() == word) {
        showAxes({m_first->value() - 1, m_second->value() - 1}, m_count, true);
        Q_EMIT planeThroughWordChosen();
        return;
    }
    plane::AxisPair axes{m_first->value() - 1, m_second->value() - 1};
    if (m_kind->currentIndex() == first) {
        axes = plane::kFirstAxes;
    } else if (m_kind->currentIndex() == least) {
        axes = {m_count - 2, m_count - 1};
    }
    if (axes[0] == axes[1]) {
        Q_EMIT refused(tr("A plane needs two different axes."));
        return;
    }
    showAxes(axes, m_count);
    Q_EMIT axesChosen(axes);
}

}  // namespace epsilens::ui
