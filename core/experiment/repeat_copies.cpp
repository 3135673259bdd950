#include "core/experiment/repeat_copies.h"

#include <cstddef>
#include <iterator>
#include <utility>

#include "core/base/pass_on.h"

namespace epsilens::experiment {

Result<std::vector<PerturbedPool>> RepeatCopies::take(int repeat, std::span<const double> epsilons,
                                                      const JobContext& job) {
    const RepeatGroup group = m_parts.groupOf(repeat);
    if (repeat == group.first) {
        std::vector<DrawPool> pools;
        for (int i = group.first; i < group.first + group.size; ++i) {
            const DocumentSplit& split = m_parts.splits[static_cast<std::size_t>(i)];
            pools.push_back({poolNumber(i, Role::training), split.training});
            if (m_parts.options.perturbTest) {
                pools.push_back({poolNumber(i, Role::test), split.test});
            }
        }
        m_ready.clear();
        ASSIGN_OR_RETURN(auto perturbed, m_perturber.perturb(pools, epsilons, job));
        const std::size_t perRepeat = perturbed.size() / static_cast<std::size_t>(group.size);
        for (auto at = perturbed.begin(); at != perturbed.end();) {
            const auto end = at + static_cast<std::ptrdiff_t>(perRepeat);
            m_ready.emplace_back(std::make_move_iterator(at), std::make_move_iterator(end));
            at = end;
        }
        m_first = group.first;
    }
    return std::move(m_ready[static_cast<std::size_t>(repeat - m_first)]);
}

}  // namespace epsilens::experiment
