#include "ui/state/analysis_state.h"

#include <QScopedValueRollback>

namespace epsilens::ui {

std::shared_ptr<const embedding::PcaBasis> AnalysisState::basis() const {
    return m_embedding
               ? std::shared_ptr<const embedding::PcaBasis>(m_embedding, &m_embedding->basis)
               : nullptr;
}

double AnalysisState::epsilonBound() const {
    return m_embedding ? mechanism().epsilonBound(m_embedding->dimensions()) : 0.0;
}

void AnalysisState::setEmbedding(embedding::EmbeddingHandle embedding,
                                 engine::SearchSpaceHandle space) {
    const bool isSameFile = m_embedding && embedding &&
                            m_embedding->embedding.path == embedding->embedding.path &&
                            m_embedding->embedding.name == embedding->embedding.name;
    m_settings = movedTo(embedding, m_settings, !isSameFile);
    if (m_settings.words.kind == calibration::WordSelection::Kind::list &&
        embedding != m_embedding) {
        m_settings.words = {};
    }
    m_hasChanged = m_settings != m_announced;
    m_embedding = std::move(embedding);
    m_searchSpace = std::move(space);
    m_metricSpaces = std::make_shared<MetricSpaceCache>();
    m_selectedWord.reset();
    m_failed.reset();
    {
        const QScopedValueRollback announcing(m_isAnnouncing, true);
        Q_EMIT embeddingReset();
        Q_EMIT embeddingChanged();
    }
    announceChanges();
    Q_EMIT selectedWordChanged();
}

void AnalysisState::edit(const std::function<void(AnalysisSettings&)>& change) {
    AnalysisSettings wanted = m_settings;
    change(wanted);
    wanted = accepted(m_settings, std::move(wanted), m_embedding);
    if (wanted == m_settings) {
        return;
    }
    m_settings = std::move(wanted);
    m_hasChanged = true;
    if (!m_isAnnouncing) {
        announceChanges();
    }
}

QString AnalysisState::epsilonOrigin() const {
    if (m_origin && m_origin->settings.setting() == m_settings.setting()) {
        const bool areSameLimits = m_origin->settings.limits == m_settings.limits &&
                                   m_origin->settings.figureLimits == m_settings.figureLimits;
        const QString changed = tr(" The limits were changed after that");
        // A session may say so already.
        if (areSameLimits || m_origin->sentences.isEmpty() ||
            m_origin->sentences.contains(changed)) {
            return m_origin->sentences;
        }
        const QString& limits = m_origin->limits;
        return m_origin->sentences + changed +
               (limits.isEmpty() ? tr(".") : tr("; they were: %1.").arg(limits));
    }
    const bool hasFailed = m_failed && m_failed->limits == m_settings.limits &&
                           m_failed->currentMechanism() == m_settings.currentMechanism() &&
                           m_settings.asksForRunOf(*m_failed);
    return (m_settings.epsilonChosen
                ? tr("ε was set by hand, not found by a search under limits.")
                : tr("ε is the default of the program for this embedding: nobody has chosen it.")) +
           (hasFailed ? tr(" The search “Find ε” found no ε within the limits.") : QString());
}

void AnalysisState::rememberOrigin(const QString& sentences, const QString& limits) {
    m_origin = {m_settings, sentences, limits};
    m_failed.reset();
    Q_EMIT epsilonOriginChanged();
}

void AnalysisState::rememberFailedSearch() {
    m_failed = m_settings;
    Q_EMIT epsilonOriginChanged();
}

void AnalysisState::announceChanges() {
    const AnalysisSettings first = m_announced;
    {
        const QScopedValueRollback announcing(m_isAnnouncing, true);
        while (std::exchange(m_hasChanged, false)) {
            const AnalysisSettings before = std::exchange(m_announced, m_settings);
            Q_EMIT changed(before, m_announced);
        }
    }
    Q_EMIT settled(first, m_announced);
}

void AnalysisState::selectWord(std::optional<Word> word) {
    if (word == m_selectedWord || (word && word->embedding() != m_embedding)) {
        return;
    }
    m_selectedWord = std::move(word);
    Q_EMIT selectedWordChanged();
}

void AnalysisState::setSentence(const QString& sentence) {
    if (sentence == m_sentence) {
        return;
    }
    m_sentence = sentence;
    Q_EMIT sentenceChanged();
}

}  // namespace epsilens::ui
