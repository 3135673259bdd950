#pragma once

namespace epsilens::ui {

class LimitState;
class ReportDraft;

/// Keeps the limits of the set-up and those of the report the same; to begin with, the report takes
/// over those of the set-up.
void shareLimits(LimitState& limits, ReportDraft& draft);

}  // namespace epsilens::ui
