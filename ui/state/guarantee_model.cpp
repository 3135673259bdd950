#include "ui/state/guarantee_model.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr int kNearPairs = 5;

}  // namespace

GuaranteeModel::GuaranteeModel(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_near({.title = tr("Finding the nearest words"),
              .key = [this] { return asked(); },
              .make = [](const Asked& asked, const JobContext& job) -> Result<Pairs> {
                  const std::vector words{asked.word.row()};
                  ASSIGN_OR_RETURN(const auto near, noiseNeighbours(*asked.space, asked.noise,
                                                                    words, asked.count, job));
                  Pairs pairs;
                  for (const embedding::Row row : near.front().rows) {
                      pairs.push_back({asked.word, Word(asked.space->handle(), row)});
                  }
                  return pairs;
              }}) {
    connect(&m_near, &QueryBase::changed, this, [this] {
        if (const Pairs* pairs = m_near.current()) {
            usePair(pairs->front());
        }
    });
    connect(&m_state, &AnalysisState::selectedWordChanged, &m_near, &QueryBase::update);
    connect(&m_state, &AnalysisState::embeddingReset, this, &GuaranteeModel::dropWords);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &GuaranteeModel::updateWords);
    m_state.onChange(&AnalysisSettings::currentMechanism, this, &GuaranteeModel::prepareMechanism);
    m_state.onChange(&AnalysisSettings::epsilon, this, &GuaranteeModel::updateGuarantee);
    updateWords();
}

std::optional<GuaranteeModel::Asked> GuaranteeModel::asked() const {
    const auto& space = m_state.searchSpace();
    const auto& selected = m_state.selectedWord();
    const int others = space ? m_state.embedding()->wordCount() - 1 : 0;
    if (!selected || others <= 0) {
        return std::nullopt;
    }
    // Near is what the noise takes for near.
    Asked asked{space, mechanism::Laplace(), *selected, std::min(kNearPairs, others)};
    if (m_state.mechanism().metric() == metric::Metric::poincare) {
        asked.noise = mechanism::Hyperbolic();
    }
    return asked;
}

void GuaranteeModel::dropWords() {
    // Their spelling may be known to the next embedding, too.
    m_before = {firstWord(), secondWord()};
    m_words.reset();
    m_near.update();
    m_prepared.reset();
    m_guarantee.reset();
}

void GuaranteeModel::updateWords() {
    if (const auto& embedding = m_state.embedding()) {
        const auto first = findWord(embedding, m_before[0]);
        const auto second = findWord(embedding, m_before[1]);
        if (first && second && *first != *second) {
            m_words = std::array{*first, *second};
        } else if (const auto rows = exampleWords(embedding->vocabulary()); !rows.empty()) {
            m_words = std::array{Word(embedding, rows.front().first),
                                 Word(embedding, rows.front().second)};
        }
    }
    prepareMechanism();
}

void GuaranteeModel::prepareMechanism() {
    m_prepared.reset();
    m_problem.clear();
    if (m_state.embedding()) {
        auto prepared =
            mechanism::PreparedMechanism::create(m_state.embedding(), m_state.mechanism());
        if (prepared) {
            m_prepared.emplace(std::move(*prepared));
        } else {
            m_problem = toQString(prepared.error().message);
        }
    }
    if (m_prepared && m_words) {
        m_distance = m_prepared->metric().distance(m_words->front().row(), m_words->back().row());
    }
    updateGuarantee();
    Q_EMIT promiseChanged();
}

std::optional<double> GuaranteeModel::lossAt(double epsilon) const {
    if (!m_prepared || !m_words) {
        return std::nullopt;
    }
    const auto guarantee = m_prepared->guarantee(epsilon);
    return guarantee ? std::optional(mechanism::pairLoss(*guarantee, m_distance)) : std::nullopt;
}

mechanism::PromiseReach GuaranteeModel::reach(double factor) const {
    return m_prepared && m_words ? mechanism::promiseReach(*m_prepared, m_distance, factor)
                                 : mechanism::PromiseReach{factor, std::nullopt};
}

void GuaranteeModel::updateGuarantee() {
    m_guarantee.reset();
    if (m_prepared) {
        auto guarantee = m_prepared->guarantee(m_state.epsilon());
        m_problem = guarantee ? QString() : toQString(guarantee.error().message);
        if (guarantee) {
            m_guarantee = std::move(*guarantee);
        }
    }
    Q_EMIT changed();
}

void GuaranteeModel::setWords(const QString& first, const QString& second) {
    if (!m_state.embedding()) {
        return;
    }
    const auto one = findWord(m_state.embedding(), first);
    const auto other = findWord(m_state.embedding(), second);
    if (one && other) {
        usePair({*one, *other});
    }
}

void GuaranteeModel::usePair(const PromisePair& pair) {
    if (pair != m_words) {
        m_words = pair;
        prepareMechanism();
    }
}

}  // namespace epsilens::ui
