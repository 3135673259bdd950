#pragma once

#include "core/calibration/limits.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_state.h"

namespace epsilens::test {

/// A state, and what a test sets in it.
class Stated {
public:
    void open(const embedding::EmbeddingHandle& embedding = toyEmbedding()) {
        test::open(state, embedding);
    }
    void choose(const mechanism::Mechanism& mechanism) {
        state.edit(&ui::AnalysisSettings::chooseMechanism, mechanism);
    }
    /// With its own parameters in place of those set last.
    void take(const mechanism::Mechanism& mechanism) {
        state.edit(
            [&](ui::AnalysisSettings& settings) { settings.mechanism.setMechanism(mechanism); });
    }
    void chooseEpsilon(double epsilon) {
        state.edit(&ui::AnalysisSettings::chooseEpsilon, epsilon);
    }
    void set(const mechanism::Parameters& parameters) {
        state.edit(&ui::AnalysisSettings::setParameters, parameters);
    }
    void limit(const char* text) {
        state.edit(&ui::AnalysisSettings::limits, {calibration::parseLimit(text).value()});
    }

    ui::AnalysisState state{};
};

/// Somebody at a part of the window, and the state that it goes by.
class StateDriver : public Stated, public Driver {
public:
    using Driver::choose;
    using Stated::choose;
};

}  // namespace epsilens::test
