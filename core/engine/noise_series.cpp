#include "core/engine/noise_series.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace epsilens::engine {

std::int32_t DrawSearch::nearest(std::size_t epsilon) {
    const auto number =
        static_cast<std::uint32_t>(std::ranges::find(m_falling, epsilon) - m_falling.begin());
    std::int32_t position = 0;
    outputsAt({&number, 1}, {&position, 1});
    return position;
}

void DrawSearch::nearestAtAll(std::span<std::int32_t> positions) {
    const std::span<const OutputRun> runs = runsAtAll();
    std::size_t end = m_falling.size();
    for (std::size_t i = runs.size(); i > 0; --i) {
        for (; end > runs[i - 1].first; --end) {
            positions[m_falling[end - 1]] = runs[i - 1].position;
        }
    }
}

std::span<const OutputRun> DrawSearch::runsAtAll() {
    m_known.clear();
    for (askSpread(); !m_asked.empty(); askGaps()) {
        answer();
    }
    const auto rest = std::unique(
        m_known.begin(), m_known.end(),
        [](const OutputRun& a, const OutputRun& b) { return a.position == b.position; });
    m_known.erase(rest, m_known.end());
    return m_known;
}

std::uint32_t DrawSearch::lastOf(const OutputRun& output, const OutputRun& next) {
    return (output.first + next.first) / 2;
}

void DrawSearch::askSpread() {
    const std::size_t all = m_falling.size();
    const std::size_t count = std::min(all, std::max<std::size_t>(2, lines().ratesAtOnce()));
    m_asked.clear();
    for (std::size_t i = 0; i < count; ++i) {
        m_asked.push_back(static_cast<std::uint32_t>(count < 2 ? 0 : i * (all - 1) / (count - 1)));
    }
}

void DrawSearch::askGaps() {
    m_asked.clear();
    for (std::size_t i = 1; i < m_known.size(); ++i) {
        const OutputRun& before = m_known[i - 1];
        const OutputRun& after = m_known[i];
        if (before.position == after.position || after.first == before.first + 1) {
            continue;
        }
        const std::uint32_t last = std::clamp(lastOf(before, after), before.first, after.first - 1);
        if (last > before.first) {
            m_asked.push_back(last);
        }
        if (last + 1 < after.first) {
            m_asked.push_back(last + 1);
        }
    }
}

void DrawSearch::answer() {
    m_positions.resize(m_asked.size());
    outputsAt(m_asked, m_positions);
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

Result<NoiseSeriesHandle> createSeries(const SearchSpace& space,
                                       const mechanism::Mechanism& mechanism,
                                       const std::vector<double>& lambdas) {
    if (mechanism.isExact()) {
        return fail(ErrorCode::unsupported, fmt::format("{} draws no noise", mechanism.name()));
    }
    std::vector<mechanism::EllipticalNoise> noises;
    if (mechanism.hasLambda()) {
        const std::shared_ptr<const embedding::PcaBasis> basis(space.handle(),
                                                               &space.handle()->basis);
        for (const double lambda : lambdas) {
            ASSIGN_OR_RETURN(auto noise, mechanism::EllipticalNoise::create(basis, lambda));
            noises.push_back(std::move(noise));
        }
    } else {
        ASSIGN_OR_RETURN(auto form, mechanism.on(space.handle()));
        if (const auto* noise = std::get_if<mechanism::HyperbolicNoise>(&form)) {
            return hyperbolicSeries(space, *noise);
        }
        noises.push_back(std::get<mechanism::EllipticalNoise>(std::move(form)));
    }
    return ellipticalSeries(space, std::move(noises));
}

}  // namespace epsilens::engine
