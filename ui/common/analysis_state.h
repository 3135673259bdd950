#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "core/calibration/calibrate.h"
#include "core/embedding/prepared_embedding.h"
#include "core/engine/search_space.h"
#include "core/mechanism/elliptical_noise.h"

namespace epsilens::ui {

/// Where interesting values of epsilon lie for the embedding at hand (per unit of distance).
struct EpsilonScale {
    double suggested = 10.0;     ///< the default; the slider spans it / 1000 to it x 1000
    std::optional<double> low;   ///< 5th percentile of critical epsilon, when known
    std::optional<double> high;  ///< 95th percentile
};

/// Percentiles shown as a band around the median.
struct PercentileBand {
    int low = 5;
    int high = 95;
    [[nodiscard]] bool operator==(const PercentileBand&) const = default;
};

/// What all panels work on: the embedding, the settings, the word and sentence looked at. Panels
/// read it, change it through its setters and follow its signals; they never know each other. A
/// setter that changes nothing emits nothing. Lives on the GUI thread.
class AnalysisState : public QObject {
    Q_OBJECT

public:
    explicit AnalysisState(QObject* parent = nullptr);

    /// Null until something is loaded. Immutable: copy the handle into jobs.
    [[nodiscard]] const embedding::EmbeddingHandle& embedding() const { return m_embedding; }
    /// Search arrangement of embedding(); null until it has been built.
    [[nodiscard]] const engine::SearchSpaceHandle& searchSpace() const { return m_searchSpace; }
    /// The principal axes of embedding(), kept alive together with it; null without an embedding.
    [[nodiscard]] std::shared_ptr<const embedding::PcaBasis> basis() const;

    [[nodiscard]] mechanism::Kind mechanism() const { return m_mechanism; }
    [[nodiscard]] double epsilon() const { return m_epsilon; }
    [[nodiscard]] const EpsilonScale& epsilonScale() const { return m_epsilonScale; }
    /// As set by the analyst; see effectiveLambda() for what the mechanism uses.
    [[nodiscard]] double lambda() const { return m_lambda; }
    /// 0 for the Laplace mechanism, else lambda().
    [[nodiscard]] double effectiveLambda() const;
    [[nodiscard]] int draws() const { return m_draws; }
    [[nodiscard]] const calibration::WordSelection& words() const { return m_words; }
    [[nodiscard]] std::uint64_t seed() const { return m_seed; }
    [[nodiscard]] PercentileBand band() const { return m_band; }
    [[nodiscard]] const std::vector<double>& gridEpsilons() const { return m_gridEpsilons; }
    [[nodiscard]] const std::vector<double>& gridLambdas() const { return m_gridLambdas; }
    [[nodiscard]] std::optional<embedding::Row> selectedWord() const { return m_selectedWord; }
    /// Confidential: never written to settings, logs or files.
    [[nodiscard]] const QString& sentence() const { return m_sentence; }
    /// Options of a calibration over the grid, as the settings stand.
    [[nodiscard]] calibration::CalibrationOptions calibrationOptions() const;

    /// Replaces the data; forgets the selected word, and epsilon goes back to following the default
    /// when the data come from another file (its unit is another one).
    void setEmbedding(embedding::EmbeddingHandle embedding, engine::SearchSpaceHandle space);
    void setMechanism(mechanism::Kind mechanism);
    /// epsilon  finite, > 0; other values are ignored
    void setEpsilon(double epsilon);
    /// The default for this data and the 5% to 95% range of critical epsilon. Epsilon follows the
    /// default until the analyst has set a value.
    void setEpsilonRange(double suggested, double low, double high);
    /// lambda  in [0, 1]; other values are ignored. From then on epsilon stays where it is.
    void setLambda(double lambda);
    /// draws  R >= 1; other values are ignored
    void setDraws(int draws);
    void setWords(const calibration::WordSelection& words);
    void setSeed(std::uint64_t seed);
    void setBand(PercentileBand band);
    /// A grid the analyst chose; it stays until other data are loaded.
    void setGridEpsilons(std::vector<double> epsilons);
    /// The grid that suits the data; taken unless the analyst has chosen one.
    void setDefaultGridEpsilons(std::vector<double> epsilons);
    void setGridLambdas(std::vector<double> lambdas);
    void setSelectedWord(std::optional<embedding::Row> word);
    void setSentence(const QString& sentence);

Q_SIGNALS:
    /// Another embedding; the signals of values that fell back to defaults come after it.
    void embeddingChanged();
    void mechanismChanged();
    void epsilonChanged(double epsilon);
    void epsilonScaleChanged();
    void lambdaChanged(double lambda);
    void drawsChanged(int draws);
    void wordsChanged();
    void seedChanged();
    void bandChanged();
    void gridChanged();
    void selectedWordChanged();
    void sentenceChanged();
    /// Anything that a calibration over the grid depends on changed.
    void calibrationInputsChanged();

private:
    void replaceGridEpsilons(std::vector<double> epsilons);

    embedding::EmbeddingHandle m_embedding;
    engine::SearchSpaceHandle m_searchSpace;
    mechanism::Kind m_mechanism = mechanism::Kind::mahalanobis;
    double m_epsilon = 10.0;
    bool m_epsilonChosen = false;  ///< by the analyst, so that a new default leaves it alone
    EpsilonScale m_epsilonScale;
    double m_lambda = 0.5;
    int m_draws = 100;
    calibration::WordSelection m_words;
    std::uint64_t m_seed = 1;
    PercentileBand m_band;
    std::vector<double> m_gridEpsilons;
    bool m_gridChosen = false;  ///< by the analyst
    std::vector<double> m_gridLambdas{0.0, 0.25, 0.5, 0.75, 1.0};
    std::optional<embedding::Row> m_selectedWord;
    QString m_sentence;
};

}  // namespace epsilens::ui
