#pragma once

#include <array>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "core/mechanism/prepared_mechanism.h"
#include "ui/state/analysis_state.h"
#include "ui/state/query.h"
#include "ui/state/word.h"

namespace epsilens::ui {

using PromisePair = std::array<Word, 2>;

/// What the mechanism as set really guarantees, in words and for two words, without a window. The
/// two are a word that is selected anywhere and the nearest other word, until others are chosen.
class GuaranteeModel : public QObject {
    Q_OBJECT

public:
    using Pairs = std::vector<PromisePair>;

    explicit GuaranteeModel(AnalysisState& state, QObject* parent = nullptr);

    /// Nothing without an embedding, and where the mechanism cannot run; see problem().
    [[nodiscard]] const std::optional<mechanism::Guarantee>& guarantee() const {
        return m_guarantee;
    }
    [[nodiscard]] const QString& problem() const { return m_problem; }
    [[nodiscard]] double distance() const { return m_distance; }

    /// Largest log ratio of the two words; nothing without words, or a mechanism at this epsilon.
    [[nodiscard]] std::optional<double> lossAt(double epsilon) const;
    /// Up to which epsilon the odds change by at most a factor; without an epsilon: no words.
    [[nodiscard]] mechanism::PromiseReach reach(double factor) const;

    [[nodiscard]] const std::optional<PromisePair>& words() const { return m_words; }
    [[nodiscard]] QString firstWord() const { return m_words ? (*m_words)[0].text() : QString(); }
    [[nodiscard]] QString secondWord() const { return m_words ? (*m_words)[1].text() : QString(); }
    /// Takes two words of the vocabulary; if one is unknown, nothing happens.
    void setWords(const QString& first, const QString& second);
    /// The word selected last with each of those nearest to it, nearest first.
    [[nodiscard]] Pairs nearPairs() const { return m_near.last() ? *m_near.last() : Pairs(); }

Q_SIGNALS:
    void changed();
    /// Another mechanism or other words: lossAt() and reach() have other values.
    void promiseChanged();

private:
    struct Asked {
        engine::SearchSpaceHandle space{};
        mechanism::Mechanism noise{};
        Word word;
        int count = 0;

        [[nodiscard]] bool operator==(const Asked&) const = default;
    };

    void dropWords();
    void updateWords();
    void prepareMechanism();
    void updateGuarantee();
    [[nodiscard]] std::optional<Asked> asked() const;
    void usePair(const PromisePair& pair);

    AnalysisState& m_state;
    std::optional<mechanism::PreparedMechanism> m_prepared;
    std::optional<mechanism::Guarantee> m_guarantee;
    QString m_problem;
    std::optional<PromisePair> m_words;
    std::array<QString, 2> m_before;  ///< of the embedding of before
    double m_distance = 0.0;          ///< of the words, in the guarantee's metric
    Query<Asked, Pairs> m_near;       ///< of a word and those nearest to it
};

}  // namespace epsilens::ui
