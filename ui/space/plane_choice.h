#pragma once

#include <QWidget>

#include "core/plane/plane_noise.h"

class QComboBox;

namespace epsilens::ui {

class WholeNumberBox;

/// Which plane is shown: of the first two principal axes, the two of least variance or any two, or
/// through the selected word and its two nearest neighbours.
class PlaneChoice : public QWidget {
    Q_OBJECT

public:
    explicit PlaneChoice(QWidget* parent = nullptr);

    /// Shows these axes of so many; emits nothing.
    ///
    /// count          0: there are none to choose, and the choice is hidden
    /// isThroughWord  the plane goes through the word instead
    void showAxes(const plane::AxisPair& axes, Eigen::Index count, bool isThroughWord = false);

Q_SIGNALS:
    void axesChosen(const epsilens::plane::AxisPair& axes);
    void planeThroughWordChosen();
    /// A typed number was not taken; the reason.
    void refused(const QString& reason);

private:
    enum Kind { first, least, any, word };

    [[nodiscard]] WholeNumberBox* addAxis(const char* objectName, const QString& name);
    void choose();

    QComboBox* m_kind;
    WholeNumberBox* m_first;
    WholeNumberBox* m_second;
    Eigen::Index m_count = 0;
};

}  // namespace epsilens::ui
