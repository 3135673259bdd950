#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <QObject>
#include <QString>

#include "core/base/eigen.h"
#include "core/corpus/data_set.h"
#include "core/corpus/tokenised_documents.h"
#include "core/document/evaluation_document.h"
#include "core/release/text_survey.h"
#include "ui/state/analysis_state.h"
#include "ui/state/current_measurement.h"
#include "ui/state/job_runner.h"

namespace epsilens::ui {

[[nodiscard]] corpus::ReplacementPolicies replacementPolicies(const TextPolicies& policies);

struct LabelledTexts {
    /// Without a fingerprint where the texts could be read once only, as from a pipe.
    document::KeptData source{};
    corpus::DataSet data{};
};
using LabelledTextsHandle = std::shared_ptr<const LabelledTexts>;

/// The labelled texts of the analyst: reads them in the background, again when he names other
/// columns, and counts how many of their words the embedding knows. The texts stay in memory only.
class Corpus : public QObject {
    Q_OBJECT

public:
    struct Columns {
        QString text;
        QString label;
        QString author;
    };

    Corpus(AnalysisState& state, QObject* parent = nullptr);

    [[nodiscard]] const LabelledTextsHandle& texts() const { return m_texts; }
    /// Reads a file or folder in place of the one at hand, which stays if that fails. Columns are
    /// guessed.
    void open(const QString& path);
    /// Reads the texts of an evaluation out of a session again, if they are still the same; else
    /// reopenFailed() says why not.
    void reopen(document::KeptData data, const std::string& path);
    void setColumns(const Columns& columns);
    void close();
    [[nodiscard]] JobRunnerBase& reader() { return m_reader; }
    [[nodiscard]] bool isReading() const { return m_reader.isRunning(); }

    [[nodiscard]] QString shortText() const;
    /// "5,574 documents of 2 classes, 50 authors; 66 % of 84,123 words are known".
    [[nodiscard]] QString summaryText() const;
    /// Words of some of the tokens that the embedding knows, weighted by these; nothing until they
    /// are known.
    [[nodiscard]] std::optional<WeightedWords> words() const;
    /// Of the texts, in words that are replaced; nothing until they are known.
    [[nodiscard]] std::optional<corpus::TextLengths> lengths() const {
        return m_coverage != nullptr ? std::optional(m_coverage->lengths) : std::nullopt;
    }
    [[nodiscard]] std::optional<MeasuredText> measuredBy(
        calibration::MeasurementHandle measurement) const;
    [[nodiscard]] QString unknownText() const;
    /// What somebody expects who knows such texts: a share for each word of the embedding; null
    /// until it is known.
    [[nodiscard]] std::shared_ptr<const VectorD> prior() const {
        return m_coverage != nullptr
                   ? std::shared_ptr<const VectorD>(m_coverage, &m_coverage->prior)
                   : nullptr;
    }
    [[nodiscard]] QString remarkText() const;

Q_SIGNALS:
    void changed();
    void coverageChanged();
    void failed(const epsilens::Error& error);
    void reopenFailed(const QString& reason);

private:
    struct Coverage {
        std::int64_t tokens = 0;
        std::int64_t knownTokens = 0;
        release::TextSurvey unknown{};  ///< the number of words, and the most frequent unknown
        corpus::TokenSample sample{};
        VectorD prior{};
        corpus::TextLengths lengths{};
    };
    using CoverageHandle = std::shared_ptr<const Coverage>;

    void read(document::KeptData source, bool isReopening);
    void takeTexts(Result<LabelledTextsHandle> texts);
    void measureCoverage();
    /// Of the words of the texts, not known to the embedding; 0 until it is known.
    [[nodiscard]] double unknownShare() const;
    /// Percent of the words that are known, rounded down; nothing until it is known.
    [[nodiscard]] std::optional<int> knownPercent() const;

    AnalysisState& m_state;
    LabelledTextsHandle m_texts;
    CoverageHandle m_coverage;
    bool m_isReopening = false;
    JobRunner<LabelledTextsHandle> m_reader;
    JobRunner<CoverageHandle> m_counter;
};

}  // namespace epsilens::ui
