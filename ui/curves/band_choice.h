#pragma once

#include <QComboBox>

#include "ui/curves/curve_parameter.h"

namespace epsilens::ui {

/// Which curves of a run show their median and percentile band.
class BandChoice : public QComboBox {
    Q_OBJECT

public:
    explicit BandChoice(QWidget* parent = nullptr);

    /// run  null: what could be chosen of any run
    void offerFor(const RunCurvesHandle& run);
    /// What is chosen, as plots take it: the index of a curve, or none or all of them.
    ///
    /// nearest  the curve nearest to the value set
    [[nodiscard]] int bandOf(int nearest) const;
};

}  // namespace epsilens::ui
