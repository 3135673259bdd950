#pragma once

#include <optional>

#include "ui/state/quick_measurement.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

class AnalysisState;
class GuaranteeModel;

/// The Mechanisms page: which mechanism promises most where all keep as many words as the present
/// setting does. A row that is chosen brings its mechanism and epsilon.
class MechanismsPage : public Panel {
    Q_OBJECT

public:
    using Panel::Panel;

    /// Own texts weight the comparison.
    ///
    /// texts  words of the embedding at hand; nothing: words of the vocabulary, all alike
    /// name   of the texts
    virtual void setTexts(std::optional<WeightedWords> texts, const QString& name) = 0;

Q_SIGNALS:
    void mechanismTaken(const QString& sentence);
};

/// The arguments must outlive the page.
[[nodiscard]] MechanismsPage* newMechanismsPage(AnalysisState& state, GuaranteeModel& guarantee,
                                                JobBoard& jobs);

}  // namespace epsilens::ui
