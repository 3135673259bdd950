#pragma once

namespace epsilens::ui {

class AnalysisState;
class Panel;

/// state  must outlive the panel
[[nodiscard]] Panel* newSpacePanel(AnalysisState& state);

}  // namespace epsilens::ui
