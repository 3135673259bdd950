#include "ui/live/pinned_outputs.h"

#include <utility>

namespace epsilens::ui::live {

namespace {
constexpr std::size_t kMostDrawsHeld = 400'000;
}  // namespace

PinnedOutputs::PinnedOutputs(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_cache(std::make_shared<SelectionCache>()),
      m_job(tr("Following the sentence under the pinned settings"),
            [this](const Result<OutputAnswer>& answer) { take(answer); }) {
    connect(&m_state, &AnalysisState::embeddingDropped, this, &PinnedOutputs::forget);
    m_state.onChange(&AnalysisSettings::seed, this, &PinnedOutputs::compute);
    m_state.onChange(&AnalysisSettings::pin, this, [this] {
        m_failed.reset();
        compute();
        Q_EMIT changed();
    });
}

OutputSetting PinnedOutputs::setting() const {
    const mechanism::Setting& pin = *m_state.pin();
    return {pin.mechanism, m_state.seed(), m_draws, pin.mechanism.isExact() ? pin.epsilon : 0.0};
}

void PinnedOutputs::forget() {
    m_job.drop();
    m_words.clear();
    m_store.clear();
    m_cache = std::make_shared<SelectionCache>();
    m_failed.reset();
}

void PinnedOutputs::request(std::vector<Word> words, int draws) {
    m_words = std::move(words);
    m_draws = draws;
    compute();
}

void PinnedOutputs::compute() {
    if (!m_state.pin() || !m_state.searchSpace() || m_draws < 1) {
        m_job.cancel();
        return;
    }
    if (m_job.isRunning()) {
        return;  // what else is missing is asked for when its answer is there
    }
    const OutputSetting wanted = setting();
    OutputRequest request = m_store.missingOf(m_words, wanted);
    if (request.words.empty() || wanted == m_failed) {
        return;
    }
    request.space = m_state.searchSpace();
    request.spaces = m_state.metricSpaces();
    request.cache = m_cache;
    m_asked = wanted;
    m_job.start([request = std::move(request)](const JobContext& job) {
        return computeOutputs(request, job);
    });
}

void PinnedOutputs::take(const Result<OutputAnswer>& answer) {
    if (!answer) {
        if (answer.error().code != ErrorCode::cancelled) {
            m_failed = m_asked;
        }
    } else {
        m_store.add(*answer);
        m_store.trim(m_words, kMostDrawsHeld);
        Q_EMIT changed();
    }
    // What was asked for while the job ran, or was being stopped, has been waiting for its end.
    compute();
}

WordOutput PinnedOutputs::output(const Word& word, int draw) const {
    const auto& pin = m_state.pin();
    if (!pin || !m_store.isCurrent(word, setting())) {
        return {};
    }
    return outputOf(*m_store.find(word), word, draw, pin->epsilon, Freshness::current);
}

std::optional<ShownDistribution> PinnedOutputs::distribution(const Word& word) const {
    const auto& pin = m_state.pin();
    if (!pin || !m_store.isCurrent(word, setting())) {
        return std::nullopt;
    }
    return m_store.find(word)->distribution(pin->epsilon);
}

}  // namespace epsilens::ui::live
