#pragma once

#include <QComboBox>

#include "ui/curves/published_numbers.h"

namespace epsilens::ui {

/// Which table of a paper is shown beside a run, of those that can be compared with it.
class PublishedChoice : public QComboBox {
    Q_OBJECT

public:
    explicit PublishedChoice(QWidget* parent = nullptr);

    /// run  null: no table is offered
    void offerFor(const RunCurvesHandle& run);
    /// The table chosen, if it has means of the statistic and can be compared with the run.
    [[nodiscard]] const PublishedTable* table(Statistic statistic) const;
};

}  // namespace epsilens::ui
