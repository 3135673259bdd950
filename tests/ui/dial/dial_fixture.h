#pragma once

#include <memory>

#include "core/report/memo_words.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
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
    /// Opens the toy embedding and waits until it is measured.
    void measure() {
        open(toyEmbedding());
        QTRY_VERIFY(measurement.isCurrent());
    }
    void choose(const mechanism::Mechanism& mechanism) {
        state.edit(&ui::AnalysisSettings::choose, mechanism);
    }
    void chooseEpsilon(double epsilon) {
        state.edit(&ui::AnalysisSettings::chooseEpsilon, epsilon);
    }
    void limit(const char* text) {
        state.edit(&ui::AnalysisSettings::limits, {calibration::parseLimit(text).value()});
    }
    /// Some words at the present draws, under the present mechanism or another one.
    [[nodiscard]] calibration::MeasurementHandle measureRows(
        const std::vector<embedding::Row>& rows,
        const std::optional<mechanism::Mechanism>& mechanism = {}) const {
        calibration::MeasurementOptions options = measurement.result()->options();
        options.words = {calibration::WordSelection::Kind::list, 0, rows};
        options.mechanism = mechanism.value_or(options.mechanism);
        return calibration::measure(*state.searchSpace(), options).value();
    }
    [[nodiscard]] const ui::DialPicture& picture() const { return model.picture(); }
    [[nodiscard]] const ui::DialReading& reading() const { return model.reading(); }
};

/// Of 100 words at an epsilon.
[[nodiscard]] inline report::Hundredths countsOf(const calibration::Measurement& measured,
                                                 double epsilon) {
    const auto shares = measured.sharesAt(epsilon);
    return report::hundredthsOf(shares.kept, shares.near, shares.far);
}

}  // namespace epsilens::test
