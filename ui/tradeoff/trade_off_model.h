#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QString>

#include "core/document/evaluation_document.h"
#include "core/document/session.h"
#include "core/evaluation/evaluation.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_runner.h"
#include "ui/tradeoff/corpus.h"

namespace epsilens::ui {

/// An evaluation of texts, as far as it has come.
struct TradeOffResult {
    /// With the request, unless its texts cannot be found again.
    std::shared_ptr<const document::EvaluationRecord> record{};
    std::vector<evaluation::SettingFamily> families{};
    LabelledTextsHandle texts{};  ///< null for an evaluation out of a session
    bool isFinished = false;      ///< false while the measurement goes on

    [[nodiscard]] const evaluation::EvaluationSummary& summary() const { return record->summary; }
    [[nodiscard]] bool isOf(const LabelledTextsHandle& others) const;
};
using TradeOffResultHandle = std::shared_ptr<const TradeOffResult>;

struct KeptTradeOff {
    std::shared_ptr<const document::EvaluationRecord> evaluation{};
    std::shared_ptr<const document::EvaluationRecord> again{};  ///< of what a search found
    std::shared_ptr<const document::KeptSearch> search{};

    [[nodiscard]] bool operator==(const KeptTradeOff&) const = default;
};

struct TradeOffChoice {
    std::vector<evaluation::ClassifierKind> classifiers{evaluation::ClassifierKind::linear};
    std::vector<attack::Task> attacks{attack::Task::reconstruct};
    int repeats = evaluation::EvaluationOptions().repeats;
    [[nodiscard]] bool operator==(const TradeOffChoice&) const = default;
};

/// What own texts are still good for and what attackers learn from them, measured at the present
/// setting first and then where the curves are steep, and which of it belongs to the settings as
/// they are now. What was measured stays while texts, mechanism and options are the same.
class TradeOffModel : public QObject {
    Q_OBJECT

public:
    explicit TradeOffModel(AnalysisState& state, QObject* parent = nullptr);

    [[nodiscard]] AnalysisState& state() { return m_state; }
    [[nodiscard]] Corpus& source() { return m_source; }
    [[nodiscard]] const TradeOffChoice& choice() const { return m_choice; }
    void setChoice(TradeOffChoice choice);
    [[nodiscard]] QString refusalOf(attack::Task task) const;

    [[nodiscard]] evaluation::EvaluationOptions options() const;
    [[nodiscard]] QString obstacle() const;
    /// Measures six epsilons, or one more than are known: the present one, then the ends of the
    /// grid, then those half-way between the neighbours whose figures differ most. Where several
    /// mechanisms are compared, all of the grid.
    void measure();
    /// Measures the present setting alone, unless it is known.
    void measurePresent();
    void cancel() { m_runner.cancel(); }
    [[nodiscard]] bool isRunning() const { return m_runner.isRunning(); }
    [[nodiscard]] JobRunnerBase& runner() { return m_runner; }

    /// Shows what a session keeps, and opens its texts if they are still the same. What was open
    /// and measured before goes.
    void restore(const KeptTradeOff& kept, const std::string& sessionPath);
    void dropTexts();
    [[nodiscard]] KeptTradeOff kept() const;

    [[nodiscard]] const document::KeptSearch* search() const;
    void setSearch(document::KeptSearch search);

    /// Null until something was measured; while a measurement goes on, what it has found so far.
    [[nodiscard]] const TradeOffResultHandle& result() const {
        return m_found ? m_found : m_result;
    }
    [[nodiscard]] QString staleness() const;
    /// What the last search tried of the shown family at other epsilons than those of the result(),
    /// rising.
    [[nodiscard]] std::vector<evaluation::TriedEpsilon> besideResult() const;
    /// What reports tell of and limits are judged by, as far as it has ended: what was measured
    /// with these settings, and what a search measured of the present one with other draws.
    [[nodiscard]] std::vector<std::shared_ptr<const document::EvaluationRecord>> stored() const;
    [[nodiscard]] bool isPresentMeasured() const;
    [[nodiscard]] std::size_t family() const;
    [[nodiscard]] QString sentence() const;
    [[nodiscard]] QString attackerSentence() const;
    /// The point of the plots that is the present setting, or that nearest to it; see choose().
    [[nodiscard]] std::optional<std::size_t> presentPoint() const;
    /// point  a cell of the result(), or behind these the place of what is beside it
    void choose(std::size_t point);

Q_SIGNALS:
    void changed();
    void failed(const epsilens::Error& error);

private:
    [[nodiscard]] mechanism::Grid grid() const;
    /// What was measured with these options at other epsilons; null without.
    [[nodiscard]] const evaluation::EvaluationSummary* extendable(
        const evaluation::EvaluationOptions& asked) const;
    /// Of the next pass; none if nothing is left to measure.
    ///
    /// known  so far; may be null
    [[nodiscard]] static std::vector<double> nextEpsilons(
        const evaluation::EvaluationSummary* known, const AnalysisSettings& settings);
    void start(evaluation::EvaluationOptions asked, bool isPresentAlone);
    void takeResult(Result<TradeOffResultHandle> result);
    void dropResults();
    /// The cell of the result() that is the present setting, or that nearest to it; nothing without
    /// results of the present settings, or where none of theirs is near.
    [[nodiscard]] std::optional<std::size_t> presentCell() const;
    [[nodiscard]] bool answersSettings(const evaluation::EvaluationOptions& made) const;

    AnalysisState& m_state;
    Corpus m_source;
    TradeOffChoice m_choice;
    TradeOffResultHandle m_result;
    TradeOffResultHandle m_found;  ///< so far, while nothing whole is there; or null
    std::shared_ptr<const document::KeptSearch> m_search;  ///< the last one; or null
    LabelledTextsHandle m_searchedTexts;                   ///< of it; null for one out of a session
    TradeOffResultHandle m_again;  ///< what it measured with other draws; or null
    QString m_missing;             ///< why the texts of a restored result are not there
    int m_measurement = 0;
    JobRunner<TradeOffResultHandle> m_runner;
};

}  // namespace epsilens::ui
