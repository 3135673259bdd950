#pragma once

#include "core/project/session.h"
#include "ui/common/analysis_state.h"
#include "ui/report/report_draft.h"

namespace epsilens::ui {

/// The settings of the window as a session; results as the report has them.
[[nodiscard]] project::Session sessionOf(const AnalysisState& state, const ReportDraft& draft);
/// The same but for the results, which may be large.
[[nodiscard]] project::Session sessionWithoutResults(const AnalysisState& state,
                                                     const ReportDraft& draft);

/// The same for recovery after a crash: no results, and nothing that was typed as text.
[[nodiscard]] project::Session recoveryOf(const AnalysisState& state, const ReportDraft& draft);

/// Puts the settings of a session into the window. The embedding is open already; where the
/// mechanism cannot run on it, one that can takes its place. Returns a sentence about that, empty
/// when there is nothing to say.
[[nodiscard]] QString applySettings(const project::Session& session, AnalysisState& state);

}  // namespace epsilens::ui
