#pragma once

#include "core/document/session.h"
#include "ui/report/report_draft.h"
#include "ui/state/analysis_state.h"

namespace epsilens::ui {

/// The settings of the window as a session; results as the report has them.
[[nodiscard]] document::Session sessionOf(const AnalysisState& state, const ReportDraft& draft);
/// The same but for the results, which may be large.
[[nodiscard]] document::Session sessionWithoutResults(const AnalysisState& state,
                                                      const ReportDraft& draft);

/// The same for recovery after a crash: no results, and nothing that was typed as text.
[[nodiscard]] document::Session recoveryOf(const AnalysisState& state, const ReportDraft& draft);

/// Puts the settings of a session into the window. The embedding is open already; where the
/// mechanism cannot run on it, one that can takes its place.
void applySettings(const document::Session& session, AnalysisState& state);

}  // namespace epsilens::ui
