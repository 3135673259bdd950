#pragma once

#include <memory>

#include "tests/ui/support/toy_embedding.h"
#include "ui/dial/dial_model.h"
#include "ui/state/analysis_state.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/job_board.h"
#include "ui/state/limit_state.h"
#include "ui/state/limits_model.h"
#include "ui/state/quick_measurement.h"

namespace epsilens::test {

/// A dial's model with all that it stands on.
struct DialParts {
    ui::AnalysisState state{};
    ui::JobBoard jobs{};
    ui::LimitState limits{state};
    ui::GuaranteeModel guarantee{state};
    ui::QuickMeasurement measurement{state, jobs};
    ui::LimitsModel search{state, limits, measurement};
    ui::DialModel model{state, guarantee, limits, search, measurement};

    void open(const embedding::EmbeddingHandle& embedding) {
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
    }
};

}  // namespace epsilens::test
