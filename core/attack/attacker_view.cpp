#include "core/attack/attacker_view.h"

#include <utility>
#include <variant>

#include "core/base/job_context.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/mechanism/prepared_mechanism.h"

namespace epsilens::attack {
namespace {

Result<std::vector<AttackerKernel>> exactViews(const engine::MetricSpace& space,
                                               const mechanism::Truncation& truncation,
                                               std::span<const double> epsilons, int threads,
                                               const JobContext& job) {
    std::vector<Decay> decays;
    for (const double epsilon : epsilons) {
        ASSIGN_OR_RETURN(const auto law, truncation.at(epsilon));
        decays.push_back({0.5 * epsilon, law.cap()});
    }
    ASSIGN_OR_RETURN(auto kernels,
                     DistanceKernel::create(space, decays, space.wordCount(), threads, job));
    std::vector<AttackerKernel> views;
    for (DistanceKernel& kernel : kernels) {
        views.push_back({std::move(kernel)});
    }
    return views;
}

Result<std::vector<AttackerKernel>> fittedViews(const engine::SearchSpace& words,
                                                const engine::MetricSpace& space,
                                                const mechanism::Mechanism& mechanism,
                                                std::span<const double> epsilons,
                                                const VectorD& prior, std::uint64_t seed,
                                                int threads, const JobContext& job) {
    constexpr std::uint32_t kFitting = 0;
    constexpr std::uint32_t kJudging = 1;
    const auto draw = [&](std::uint32_t role, const JobContext& part) {
        return drawPairs(words, mechanism, epsilons,
                         drawWords(prior, kPairsOfSetting, seed + 1 + role), seed, role, threads,
                         part);
    };
    ASSIGN_OR_RETURN(const auto fitting, draw(kFitting, partOf(job, 0.0, 0.15)));
    ASSIGN_OR_RETURN(const auto judging, draw(kJudging, partOf(job, 0.15, 0.3)));
    return fitKernels(space, fitting, judging, prior, threads, partOf(job, 0.3, 1.0));
}

}  // namespace

Result<AttackerView> AttackerView::learn(const engine::SearchSpace& space,
                                         const mechanism::Mechanism& mechanism,
                                         std::span<const double> epsilons, const VectorD& prior,
                                         std::uint64_t seed, int threads, const JobContext& job) {
    ASSIGN_OR_RETURN(const auto prepared,
                     mechanism::PreparedMechanism::create(space.handle(), mechanism));
    ASSIGN_OR_RETURN(auto metric, engine::MetricSpace::create(prepared.metric(), threads));
    AttackerView view(prepared.form(), std::move(metric), prior);
    const auto* weights = std::get_if<mechanism::SelectionWeights>(&view.m_form);
    ASSIGN_OR_RETURN(
        view.m_settings,
        weights != nullptr
            ? exactViews(view.m_space, weights->truncation, epsilons, threads, job)
            : fittedViews(space, view.m_space, mechanism, epsilons, prior, seed, threads, job));
    return view;
}

Result<std::vector<WordGuess>> AttackerView::guesses(std::size_t setting,
                                                     std::span<const Row> outputs, int threads,
                                                     const JobContext& job) const {
    const AttackerKernel& view = m_settings[setting];
    const int workers = workersOf(threads);
    std::vector<VectorF> scratch(static_cast<std::size_t>(workers), VectorF(m_logPrior.size()));
    std::vector<WordGuess> result(outputs.size());
    RETURN_IF_ERROR(visitDistances(
        m_space, outputs, workers, "Guessing", job,
        [&](std::size_t i, int worker, const engine::MetricRow& row) {
            VectorF& scores = scratch[static_cast<std::size_t>(worker)];
            view.kernel.logColumn(row.distances, scores.data());
            scores += m_logPrior;
            const SureGuess sure = sureGuess(scores);
            const Row word = view.rule == GuessRule::posterior ? sure.word
                             : view.rule == GuessRule::output  ? row.word
                                                               : m_commonest;
            result[i] = {
                word, view.calibration ? (*view.calibration)(sure.probability) : sure.probability,
                !view.calibration};
        }));
    return result;
}

}  // namespace epsilens::attack
