#include "core/evaluation/attack_task.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/crew.h"
#include "core/base/pass_on.h"

namespace epsilens::evaluation {

Result<attack::AttackResults> AttackTask::run(attack::Task task, const attack::ShowAttack& show) {
    const Stopwatch watch;
    m_results.task = task;
    m_results.risk = attack::ofClassifier(attack::headlineOf(task).path,
                                          classifierName(m_options.classifiers.front()));
    auto done = prepare();
    const std::size_t epsilons = m_options.grid.epsilons.size();
    const std::size_t atOnce = epsilonsAtOnce();
    const std::size_t units = 1 + (epsilons + atOnce - 1) / atOnce;
    done = !done
               ? done
               : inUnits(
                     m_options.crew, static_cast<std::int64_t>(units),
                     [&](std::int64_t unit) {
                         return unit == 0 ? attackBaselines()
                                          : attackUnit(static_cast<std::size_t>(unit - 1), show);
                     },
                     [&](auto& archive, std::int64_t unit) {
                         archive(m_results.sentences);
                         if (unit == 0) {
                             archive(m_results.original, m_results.floor);
                         }
                         for (std::size_t cell = 0; cell < m_results.cells.size(); ++cell) {
                             if (static_cast<std::int64_t>(1 + cell % epsilons / atOnce) == unit) {
                                 archive(m_results.cells[cell]);
                             }
                         }
                     });
    if (!done && done.error().code != ErrorCode::cancelled) {
        return tl::unexpected(done.error());
    }
    m_results.seconds = watch.seconds();
    return std::move(m_results);
}

Result<void> AttackTask::attackUnit(std::size_t unit, const attack::ShowAttack& show) {
    constexpr double kPerturbing = 0.2;  // of the work on some epsilons
    const double learning = learningShare();
    const std::vector<double>& all = m_options.grid.epsilons;
    const std::size_t first = unit * epsilonsAtOnce();
    const std::size_t count = std::min(epsilonsAtOnce(), all.size() - first);
    const auto epsilons = std::span(all).subspan(first, count);
    const auto whole = static_cast<double>(all.size());
    const JobContext job = partOf(m_job, static_cast<double>(first) / whole,
                                  static_cast<double>(first + count) / whole);
    ASSIGN_OR_RETURN(const auto released,
                     m_perturber.perturb(pools(), epsilons, partOf(job, 0.0, kPerturbing)));
    const std::vector<mechanism::Mechanism> mechanisms = m_options.grid.mechanisms();
    const double ofOne = (1.0 - kPerturbing) / static_cast<double>(mechanisms.size());
    for (std::size_t i = 0; i < mechanisms.size(); ++i) {
        const double begin = kPerturbing + ofOne * static_cast<double>(i);
        const JobContext attacking = partOf(job, begin, begin + ofOne);
        RETURN_IF_ERROR(learn(mechanisms[i], epsilons, partOf(attacking, 0.0, learning)));
        for (std::size_t epsilon = 0; epsilon < count; ++epsilon) {
            const auto at = [&](std::size_t finished) {
                return std::lerp(learning, 1.0,
                                 static_cast<double>(finished) / static_cast<double>(count));
            };
            ASSIGN_OR_RETURN(m_results.cells[i * all.size() + first + epsilon],
                             findingsAt(released, i * count + epsilon,
                                        partOf(attacking, at(epsilon), at(epsilon + 1))));
            attacking.progress(at(epsilon + 1), "Attacking");
            if (show) {
                show(m_results);
            }
        }
    }
    return {};
}

}  // namespace epsilens::evaluation
