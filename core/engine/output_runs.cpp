#include "core/engine/output_runs.h"

#include <algorithm>

namespace epsilens::engine {

std::span<const OutputRun> RunFinder::find(GridSearch& search) {
    m_known.clear();
    for (askSpread(search); !m_asked.empty(); askGaps(search)) {
        answer(search);
    }
    const auto rest = std::unique(
        m_known.begin(), m_known.end(),
        [](const OutputRun& a, const OutputRun& b) { return a.position == b.position; });
    m_known.erase(rest, m_known.end());
    return m_known;
}

void RunFinder::askSpread(GridSearch& search) {
    const std::size_t all = search.epsilons();
    const std::size_t count = std::min(all, std::max<std::size_t>(2, search.atOnce()));
    m_asked.clear();
    for (std::size_t i = 0; i < count; ++i) {
        m_asked.push_back(static_cast<std::uint32_t>(count < 2 ? 0 : i * (all - 1) / (count - 1)));
    }
}

void RunFinder::askGaps(GridSearch& search) {
    m_asked.clear();
    for (std::size_t i = 1; i < m_known.size(); ++i) {
        const OutputRun& before = m_known[i - 1];
        const OutputRun& after = m_known[i];
        if (before.position == after.position || after.first == before.first + 1) {
            continue;
        }
        const std::uint32_t last =
            std::clamp(search.lastOf(before, after), before.first, after.first - 1);
        if (last > before.first) {
            m_asked.push_back(last);
        }
        if (last + 1 < after.first) {
            m_asked.push_back(last + 1);
        }
    }
}

void RunFinder::answer(GridSearch& search) {
    m_positions.resize(m_asked.size());
    search.outputsAt(m_asked, m_positions);
    m_merged.clear();
    auto known = m_known.begin();
    for (std::size_t i = 0; i < m_asked.size(); ++i) {
        while (known != m_known.end() && known->first < m_asked[i]) {
            m_merged.push_back(*known++);
        }
        m_merged.push_back({m_asked[i], m_positions[i]});
    }
    m_merged.insert(m_merged.end(), known, m_known.end());
    m_known.swap(m_merged);
}

}  // namespace epsilens::engine
