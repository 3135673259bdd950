#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QObject>

#include "ui/live/output_job.h"
#include "ui/live/output_store.h"
#include "ui/live/selection_outputs.h"
#include "ui/live/sentence.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_runner.h"

namespace epsilens::ui::live {

/// The outputs of words under the pinned settings, computed in the background as those under the
/// current ones are: the same draws and seed.
class PinnedOutputs : public QObject {
    Q_OBJECT

public:
    explicit PinnedOutputs(AnalysisState& state, QObject* parent = nullptr);

    /// What is wanted from now on; computes what is missing.
    ///
    /// words  distinct
    /// draws  R
    void request(std::vector<Word> words, int draws);
    /// Nothing without a pin, or until it is known.
    [[nodiscard]] std::optional<ShownDistribution> distribution(const Word& word) const;
    /// What a draw returns at the pinned epsilon; without a row until it is known.
    [[nodiscard]] WordOutput output(const Word& word, int draw) const;

Q_SIGNALS:
    /// distribution() and output() have other answers.
    void changed();

private:
    [[nodiscard]] OutputSetting setting() const;
    void forget();
    void compute();
    void take(const Result<OutputAnswer>& answer);

    AnalysisState& m_state;
    std::vector<Word> m_words;
    int m_draws = 0;
    OutputStore m_store;
    std::shared_ptr<SelectionCache> m_cache;
    OutputSetting m_asked;                    ///< of the job that was started last
    std::optional<OutputSetting> m_failed{};  ///< not tried again until something changes
    JobRunner<OutputAnswer> m_job;
};

}  // namespace epsilens::ui::live
