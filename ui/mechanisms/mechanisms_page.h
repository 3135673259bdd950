#pragma once

#include <optional>

#include "ui/state/current_measurement.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

class AnalysisState;
class GuaranteeModel;

/// Which mechanism promises most where all keep as many words as the present setting does.
class MechanismsPage : public Panel {
    Q_OBJECT

public:
    using Panel::Panel;

    /// texts  that weight the comparison; nothing: words of the vocabulary, all alike
    virtual void setTexts(std::optional<WeightedWords> texts, const QString& name) = 0;
    /// Once more, where it was stopped.
    virtual void compare() = 0;

Q_SIGNALS:
    void mechanismTaken(const QString& sentence);
};

[[nodiscard]] MechanismsPage* newMechanismsPage(AnalysisState& state, GuaranteeModel& guarantee,
                                                JobBoard& jobs);

}  // namespace epsilens::ui
