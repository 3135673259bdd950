#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "core/calibration/measurement.h"
#include "core/corpus/tokenised_documents.h"
#include "ui/state/query.h"

namespace epsilens::ui {

class AnalysisState;
class JobBoard;

/// Measures in place of calibration::measure, which takes long in tests.
using MeasureFunction = std::function<Result<calibration::MeasurementHandle>(
    const engine::SearchSpace&, const calibration::MeasurementOptions&, const JobContext&)>;

struct WeightedWords {
    std::vector<calibration::Row> rows{};
    std::vector<double> weights{};  ///< one per row

    [[nodiscard]] bool operator==(const WeightedWords&) const = default;
};

/// Keeps a measurement of the current setting once the settings rest. After a run it is one of its
/// words, so that all speak of the same words.
class CurrentMeasurement : public QObject {
    Q_OBJECT

public:
    /// Words that are measured before a run, or all there are.
    static constexpr std::int64_t kWords = 200;

    enum class Subject { vocabulary, text };

    CurrentMeasurement(AnalysisState& state, JobBoard& jobs, MeasureFunction function = {},
                       Subject subject = Subject::vocabulary, QObject* parent = nullptr);

    /// The last measurement of the embedding at hand; null before the first.
    [[nodiscard]] calibration::MeasurementHandle result() const;
    [[nodiscard]] bool isCurrent() const { return m_query.current() != nullptr; }
    [[nodiscard]] bool isRunning() const { return m_query.job().isRunning(); }
    /// Whether the current setting waits for measure(): it was cancelled.
    [[nodiscard]] bool wasCancelled() const;
    [[nodiscard]] QString problem() const;
    [[nodiscard]] QString wordsText() const;
    void measure();
    /// Words of the embedding at hand to be measured where the subject is a text.
    void setText(std::optional<WeightedWords> words);
    /// Measures from now on the words of a run, unless these are all: what it finds is found then.
    void measureWordsOfRuns();
    /// Measures these words of a run from now on, as long as the settings ask for them.
    void followWords(const calibration::WordSelection& words);

Q_SIGNALS:
    void changed();

private:
    struct Key {
        engine::SearchSpaceHandle space{};
        calibration::MeasurementOptions options{};

        [[nodiscard]] bool operator==(const Key& other) const;
    };
    struct Measured {
        engine::SearchSpaceHandle space{};
        calibration::MeasurementHandle measurement{};
    };

    void updateQuery();
    [[nodiscard]] calibration::MeasurementOptions wanted() const;

    AnalysisState& m_state;
    std::optional<WeightedWords> m_text;
    std::optional<calibration::WordSelection> m_wordsOfRun;
    std::optional<calibration::WordSelection> m_tooMany;  ///< memory does not suffice for these
    Query<Key, Measured> m_query;
};

/// Own texts, and what is measured of their words.
struct MeasuredText {
    calibration::MeasurementHandle measurement{};  ///< of some of their tokens; null: cancelled
    QString file{};
    qint64 tokens = 0;          ///< measured, or to be
    double unknownShare = 0.0;  ///< of the words of the texts, not known to the embedding
    corpus::TextLengths lengths{};
};

}  // namespace epsilens::ui
