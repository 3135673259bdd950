#pragma once

namespace epsilens::ui {

class AnalysisState;
class Panel;

/// The Space tab: the vocabulary in a plane of two principal axes or the disk, a word, its
/// neighbours and the noise around it.
///
/// state  must outlive the panel
[[nodiscard]] Panel* newSpacePanel(AnalysisState& state);

}  // namespace epsilens::ui
