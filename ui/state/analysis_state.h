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
#include "ui/state/analysis_settings.h"
#include "ui/state/metric_space_cache.h"
#include "ui/state/pin_state.h"
#include "ui/state/word.h"
#include "ui/state/word_sources.h"

namespace epsilens::ui {

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
    /// Metrics of embedding(), prepared for TEM; for jobs. Never null.
    [[nodiscard]] const std::shared_ptr<MetricSpaceCache>& metricSpaces() const {
        return m_metricSpaces;
    }
    /// The principal axes of embedding(), kept alive together with it; null without an embedding.
    [[nodiscard]] std::shared_ptr<const embedding::PcaBasis> basis() const;

    /// The mechanism as set; what everything but the controls goes by.
    [[nodiscard]] mechanism::Mechanism mechanism() const { return m_settings.mechanism.chosen(); }
    /// The mechanism at epsilon.
    [[nodiscard]] mechanism::Setting setting() const { return {mechanism(), epsilon()}; }
    /// epsilon must exceed this: m - 1 for riemannian noise, else 0.
    [[nodiscard]] double epsilonBound() const;
    [[nodiscard]] double epsilon() const { return m_settings.epsilon; }
    [[nodiscard]] const EpsilonScale& epsilonScale() const { return m_settings.epsilonScale; }
    /// Parameters as set by the analyst, whether the mechanism has them or not.
    [[nodiscard]] double lambda() const { return *parameters().lambda; }
    [[nodiscard]] metric::Metric metric() const { return *parameters().metric; }
    [[nodiscard]] bool isGammaGiven() const { return m_settings.mechanism.gammaGiven; }
    /// The radius that is used when it is given.
    [[nodiscard]] double gamma() const { return *parameters().gamma; }
    [[nodiscard]] double beta() const { return *parameters().beta; }
    [[nodiscard]] mechanism::RadialLaw law() const { return *parameters().law; }
    [[nodiscard]] mechanism::Placement placement() const { return *parameters().placement; }
    /// Largest distance of words in the metric of TEM, from some of them; nothing until known.
    [[nodiscard]] std::optional<double> largestDistance() const { return m_largestDistance; }
    [[nodiscard]] int draws() const { return m_settings.draws; }
    [[nodiscard]] const calibration::WordSelection& words() const { return m_settings.words; }
    [[nodiscard]] std::uint64_t seed() const { return m_settings.seed; }
    [[nodiscard]] PercentileBand band() const { return m_settings.band; }
    [[nodiscard]] const TextPolicies& textPolicies() const { return m_settings.textPolicies; }
    [[nodiscard]] const std::vector<double>& gridEpsilons() const {
        return m_settings.gridEpsilons;
    }
    [[nodiscard]] const std::vector<double>& gridLambdas() const { return m_settings.gridLambdas; }
    [[nodiscard]] const std::vector<double>& gridBetas() const { return m_settings.gridBetas; }
    [[nodiscard]] const std::vector<double>& gridGammas() const { return m_settings.gridGammas; }
    /// Whether runs compare words: K_w and deniability, which take draws of each word's own.
    [[nodiscard]] bool comparesWords() const { return m_settings.comparesWords; }
    /// All of the above that the analyst sets, as one value.
    [[nodiscard]] const AnalysisSettings& settings() const { return m_settings; }
    /// A word of embedding().
    [[nodiscard]] const std::optional<Word>& selectedWord() const { return m_selectedWord; }
    /// Confidential: never written to settings, logs or files.
    [[nodiscard]] const QString& sentence() const { return m_sentence; }
    /// The setting that others are compared with; forgotten when another file is loaded.
    [[nodiscard]] PinState& pins() { return m_pins; }
    [[nodiscard]] const PinState& pins() const { return m_pins; }
    [[nodiscard]] WordSources& wordSources() { return m_wordSources; }
    [[nodiscard]] const WordSources& wordSources() const { return m_wordSources; }
    /// Options of a calibration over the grid, as the settings stand. TEM runs over its radii at
    /// the lambda set, Mahalanobis over lambdas.
    [[nodiscard]] calibration::CalibrationOptions calibrationOptions() const;

    /// Replaces the data; forgets the selected word and a list of words to measure, and epsilon
    /// goes back to following the default, of which nothing is known yet, when the data come from
    /// another file (its unit is another one). A mechanism that cannot run on the data gives way to
    /// one that can.
    void setEmbedding(embedding::EmbeddingHandle embedding, engine::SearchSpaceHandle space);
    /// Where epsilon has another unit under the new mechanism, metric or noise, it goes back to
    /// following the default.
    void setMechanism(const mechanism::Mechanism& mechanism);
    /// Sets a mechanism with the parameters that were last set; those of `kind` do not matter.
    void chooseMechanism(const mechanism::Mechanism& kind);
    void setMetric(metric::Metric metric);
    void setLaw(mechanism::RadialLaw law);
    void setPlacement(mechanism::Placement placement);
    void setGammaGiven(bool given);
    /// gamma  finite, >= 0; other values are ignored
    void setGamma(double gamma);
    /// beta  in (0, 1); other values are ignored
    void setBeta(double beta);
    void setLargestDistance(double distance);
    /// epsilon  finite, > epsilonBound(); other values are ignored
    void setEpsilon(double epsilon);
    /// Keeps the present epsilon, wherever it came from, instead of following the default.
    void holdEpsilon() { m_settings.epsilonChosen = true; }
    /// The default for this data and the 5% to 95% range of critical epsilon. Epsilon follows the
    /// default until the analyst has set a value.
    void setEpsilonRange(double suggested, double low, double high, double alwaysKept = 0.0);
    /// lambda  in [0, 1]; other values are ignored. From then on epsilon stays where it is.
    void setLambda(double lambda);
    /// draws  R >= 1; other values are ignored
    void setDraws(int draws);
    void setWords(const calibration::WordSelection& words);
    void setSeed(std::uint64_t seed);
    void setBand(PercentileBand band);
    void setTextPolicies(const TextPolicies& policies);
    void setGridEpsilons(std::vector<double> epsilons);
    void setGridLambdas(std::vector<double> lambdas);
    void setGridBetas(std::vector<double> betas);
    void setGridGammas(std::vector<double> gammas);
    void setComparesWords(bool compares);
    /// Puts back settings of the embedding at hand, what followed the default included.
    void setSettings(const AnalysisSettings& settings);
    /// Keeps the mechanism and epsilon as they are, to be compared with.
    void pinCurrent();
    /// word  of embedding(); those of another are ignored
    void setSelectedWord(std::optional<Word> word);
    void setSentence(const QString& sentence);

Q_SIGNALS:
    /// There is another embedding, and all of the state is as it will be: whoever keeps words or
    /// results of the one before, or has jobs on it, drops them and tells nobody yet. Only then
    /// embeddingChanged() follows, so that no panel meets words of two embeddings.
    void embeddingDropped();
    /// Another embedding; the signals of values that fell back to defaults come after it.
    void embeddingChanged();
    /// Another mechanism, which may have other parameters.
    void mechanismChanged();
    /// mechanism() is another one: another mechanism or another value of a parameter it has.
    void choiceChanged();
    /// The parameters of TEM and hyperbolic noise, whether in use or not.
    void parametersChanged();
    void largestDistanceChanged();
    void epsilonChanged(double epsilon);
    void epsilonScaleChanged();
    void lambdaChanged(double lambda);
    void drawsChanged(int draws);
    void wordsChanged();
    void seedChanged();
    void bandChanged();
    void textPoliciesChanged();
    void gridChanged();
    void comparesWordsChanged();
    void selectedWordChanged();
    void sentenceChanged();
    /// Anything that a calibration over the grid depends on changed.
    void calibrationInputsChanged();

private:
    /// Takes over other settings of the mechanism and tells who follows.
    void takeSettings(const MechanismSettings& settings);
    /// Takes over the parameters that are given.
    void takeParameters(const mechanism::Parameters& parameters);
    [[nodiscard]] const mechanism::Parameters& parameters() const {
        return m_settings.mechanism.parameters;
    }
    /// Epsilon gets another unit: nothing known or chosen in the old one holds.
    void forgetUnit();
    /// To the default while nothing is known of the data.
    void resetEpsilon();
    void keepEpsilonPossible();

    embedding::EmbeddingHandle m_embedding;
    engine::SearchSpaceHandle m_searchSpace;
    std::shared_ptr<MetricSpaceCache> m_metricSpaces = std::make_shared<MetricSpaceCache>();
    AnalysisSettings m_settings;
    std::optional<double> m_largestDistance;
    std::optional<Word> m_selectedWord;
    QString m_sentence;
    PinState m_pins;
    WordSources m_wordSources;
};

}  // namespace epsilens::ui
