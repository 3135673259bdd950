#pragma once

#include <QString>

#include "ui/setup/embedding_loader.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

class AnalysisState;
class CollapsibleSection;
class EmbeddingSection;
class GuaranteeModel;
class JobBoard;
class LimitState;
class SessionResults;

/// Chooses the words that statistics are taken over: random ones, all, those of a list or of a data
/// set, or those at the ends of the density of the vocabulary.
///
/// state, results  must outlive the widget
[[nodiscard]] QWidget* wordChoice(AnalysisState& state, SessionResults& results, JobBoard& jobs,
                                  QWidget* parent = nullptr);

/// What is not needed for a first choice, in one column: facts of the embedding, what is seldom
/// changed of the mechanism, sections that open and close, statistics.
/// Scrolls when the window is low.
class SetupPanel : public ColumnScrollArea {
    Q_OBJECT

public:
    SetupPanel(AnalysisState& state, SessionResults& results, JobBoard& jobs,
               const LoadFunctions& functions, QWidget* parent = nullptr);

    [[nodiscard]] EmbeddingLoader& loader() { return *m_loader; }
    [[nodiscard]] GuaranteeModel& guarantee() { return *m_guarantee; }
    [[nodiscard]] LimitState& limits() { return *m_limits; }
    /// Lets the analyst type how many rows of the file opened last are to be loaded.
    void askForRowLimit();
    /// Opens the editor of the limits, scrolls to it and puts the focus there.
    void showLimits();
    [[nodiscard]] QWidget* firstControl() const;

    /// Wide enough for every control beside a scroll bar.
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    /// The user wants to choose a file.
    void openRequested();
    /// The user wants the first rows of this.
    void reloadRequested(const QString& path, qint64 firstRows);

private:
    EmbeddingLoader* m_loader;
    GuaranteeModel* m_guarantee;
    LimitState* m_limits;
    CollapsibleSection* m_limitsSection;
    EmbeddingSection* m_embedding;
};

}  // namespace epsilens::ui
