#pragma once

class QWidget;

namespace epsilens::ui {

class AnalysisState;
class JobBoard;
class SessionResults;

/// Chooses the words that statistics are taken over: random ones, all, those of a list or of a data
/// set, or those at the ends of the density of the vocabulary.
///
/// state, results  must outlive the widget
[[nodiscard]] QWidget* wordChoice(AnalysisState& state, SessionResults& results, JobBoard& jobs,
                                  QWidget* parent = nullptr);

}  // namespace epsilens::ui
