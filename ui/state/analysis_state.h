#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>

#include "core/calibration/calibrate.h"
#include "core/embedding/prepared_embedding.h"
#include "core/engine/search_space.h"
#include "core/mechanism/elliptical_noise.h"
#include "ui/state/analysis_settings.h"
#include "ui/state/mechanism_view.h"
#include "ui/state/word.h"

namespace epsilens::ui {

/// What all panels work on: they read it, edit it and follow its signals, and never know each
/// other. What changes nothing emits nothing. Lives on the GUI thread.
class AnalysisState : public QObject {
    Q_OBJECT

public:
    explicit AnalysisState(QObject* parent = nullptr) : QObject(parent) {}

    /// Null until something is loaded. Immutable: copy the handle into jobs.
    [[nodiscard]] const embedding::EmbeddingHandle& embedding() const { return m_embedding; }
    [[nodiscard]] const engine::SearchSpaceHandle& searchSpace() const { return m_searchSpace; }
    /// Metrics of embedding(), prepared for TEM; for jobs. Never null.
    [[nodiscard]] const std::shared_ptr<MetricSpaceCache>& metricSpaces() const {
        return m_metricSpaces;
    }
    /// The principal axes of embedding(), kept alive together with it; null without an embedding.
    [[nodiscard]] std::shared_ptr<const embedding::PcaBasis> basis() const;

    [[nodiscard]] const AnalysisSettings& settings() const { return m_settings; }
    [[nodiscard]] mechanism::Mechanism mechanism() const { return m_settings.currentMechanism(); }
    [[nodiscard]] mechanism::Setting setting() const { return m_settings.setting(); }
    /// Parameters as last set, whether the mechanism has them or not; all are there.
    [[nodiscard]] const mechanism::Parameters& parameters() const {
        return m_settings.mechanism.parameters;
    }
    /// epsilon must exceed this: m - 1 for riemannian noise, else 0.
    [[nodiscard]] double epsilonBound() const;
    [[nodiscard]] double epsilon() const { return m_settings.epsilon; }
    [[nodiscard]] const EpsilonScale& epsilonScale() const { return m_settings.epsilonScale; }
    [[nodiscard]] double lambda() const { return m_settings.lambda(); }
    [[nodiscard]] int draws() const { return m_settings.draws; }
    [[nodiscard]] const calibration::WordSelection& words() const { return m_settings.words; }
    [[nodiscard]] std::uint64_t seed() const { return m_settings.seed; }
    [[nodiscard]] PercentileBand band() const { return m_settings.band; }
    [[nodiscard]] const TextPolicies& textPolicies() const { return m_settings.textPolicies; }
    [[nodiscard]] const GridValues& grid() const { return m_settings.grid; }
    [[nodiscard]] const std::vector<calibration::Limit>& limits() const {
        return m_settings.limits;
    }
    /// Words, draws and seed are always those set, so that only the mechanism differs.
    [[nodiscard]] const std::optional<mechanism::Setting>& pin() const { return m_settings.pin; }
    [[nodiscard]] calibration::CalibrationOptions calibrationOptions() const {
        return m_settings.calibrationOptions();
    }
    /// Who or what chose the present epsilon, sentences for a report: a search, as long as the
    /// setting is the one it found, the analyst, or nobody. Empty where that is not known.
    [[nodiscard]] QString epsilonOrigin() const;
    /// sentences  of the search, or the session, that has set epsilon; empty: nobody knows
    /// limits     in words, which are told once they are changed
    void rememberOrigin(const QString& sentences, const QString& limits = {});
    /// A search found no epsilon within the limits: epsilonOrigin() says so while these stay.
    void rememberFailedSearch();

    [[nodiscard]] const std::optional<Word>& selectedWord() const { return m_selectedWord; }
    /// Confidential: never written to settings, logs or files.
    [[nodiscard]] const QString& sentence() const { return m_sentence; }

    void setEmbedding(embedding::EmbeddingHandle embedding, engine::SearchSpaceHandle space);

    /// Lets `change` alter the settings; see accepted() for what becomes of it.
    void edit(const std::function<void(AnalysisSettings&)>& change);
    template <typename Value>
    requires(!std::is_function_v<Value>) void edit(Value AnalysisSettings::*member,
                                                   std::type_identity_t<Value> value) {
        edit([&](AnalysisSettings& settings) { settings.*member = std::move(value); });
    }
    template <typename Value>
    void edit(void (AnalysisSettings::*change)(Value), std::type_identity_t<Value> value) {
        edit([&](AnalysisSettings& settings) { (settings.*change)(value); });
    }

    /// word  of embedding(); those of another are ignored
    void selectWord(std::optional<Word> word);
    void setSentence(const QString& sentence);

    /// Calls `slot` of the receiver when what `part` gives has changed: a member of
    /// AnalysisSettings or a function of it.
    template <typename Part, typename Receiver, typename Slot>
    void onChange(Part part, Receiver* receiver, Slot slot) const {
        connect(this, &AnalysisState::changed, receiver,
                [=](const AnalysisSettings& before, const AnalysisSettings& now) {
                    if (std::invoke(part, before) == std::invoke(part, now)) {
                        return;
                    }
                    if constexpr (std::is_member_function_pointer_v<Slot>) {
                        std::invoke(slot, receiver);
                    } else {
                        slot();
                    }
                });
    }

Q_SIGNALS:
    /// There is another embedding, and all of the state is as it will be: words, results and jobs
    /// of the one before are dropped now, before embeddingChanged() tells anybody.
    void embeddingReset();
    /// Another embedding; what it changed of the settings is told after it.
    void embeddingChanged();
    /// What a receiver changes in turn is told to all when all have been told of this.
    void changed(const epsilens::ui::AnalysisSettings& before,
                 const epsilens::ui::AnalysisSettings& now);
    /// Everything that receivers changed in turn has been told; before: the first of these changes.
    void settled(const epsilens::ui::AnalysisSettings& before,
                 const epsilens::ui::AnalysisSettings& now);
    void selectedWordChanged();
    void sentenceChanged();
    /// The setting is the same as before, but a search has found it.
    void epsilonOriginChanged();

private:
    void announceChanges();

    embedding::EmbeddingHandle m_embedding;
    engine::SearchSpaceHandle m_searchSpace;
    std::shared_ptr<MetricSpaceCache> m_metricSpaces = std::make_shared<MetricSpaceCache>();
    struct Origin {
        AnalysisSettings settings{};
        QString sentences{};
        QString limits{};  ///< in words, where the sentences do not have them
    };

    std::optional<Origin> m_origin;
    std::optional<AnalysisSettings> m_failed;  ///< of the last search that found nothing
    AnalysisSettings m_settings;
    AnalysisSettings m_announced;  ///< the settings that changed() told of last
    bool m_hasChanged = false;     ///< since then
    bool m_isAnnouncing = false;
    std::optional<Word> m_selectedWord;
    QString m_sentence;
};

}  // namespace epsilens::ui
