#include "core/experiment/authorship_run.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/job_part.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/experiment/attack/authorship.h"
#include "core/experiment/attack_pools.h"
#include "core/experiment/attack_units.h"
#include "core/experiment/written_documents.h"

namespace epsilens::experiment {
namespace {

// Share of the work on an epsilon that is perturbing, for the progress.
constexpr double kPerturbingShare = 0.2;
constexpr const char* kAdaptiveTitle = "found by perturbed texts";

class AuthorshipRun {
public:
    AuthorshipRun(const EvaluationParts& parts, const Perturber& perturber, const JobContext& job)
        : m_parts(parts), m_perturber(perturber), m_job(job) {
        m_how.seed = parts.options.seed;
        m_how.threads = parts.options.threads;
    }

    Result<AttackResults> run() {
        m_results.task = Task::authorship;
        m_results.risk = "adaptive.correct";
        m_results.cells.resize(m_parts.cells());
        RETURN_IF_ERROR(chooseDocuments());
        describe();
        if (auto done = attackAll(); !done && done.error().code != ErrorCode::cancelled) {
            return tl::unexpected(std::move(done.error()));
        }
        return std::move(m_results);
    }

private:
    [[nodiscard]] std::int32_t authorOf(std::int64_t document) const {
        return m_parts.data.documents[static_cast<std::size_t>(document)].author;
    }

    /// Documents by the authors who have training documents, who are numbered anew.
    Result<void> chooseDocuments() {
        const DocumentSplit& split = m_parts.splits.front();
        std::vector<std::int32_t> numbers(m_parts.data.authors.size(), kNone);
        for (const std::int64_t document : split.training) {
            if (authorOf(document) == kNone) {
                continue;
            }
            std::int32_t& number = numbers[static_cast<std::size_t>(authorOf(document))];
            number = number == kNone ? m_authors++ : number;
            m_known.documents.push_back(document);
            m_knownAuthors.push_back(number);
        }
        for (const std::int64_t document : split.test) {
            if (authorOf(document) != kNone &&
                numbers[static_cast<std::size_t>(authorOf(document))] != kNone) {
                m_unknown.documents.push_back(document);
                m_unknownAuthors.push_back(numbers[static_cast<std::size_t>(authorOf(document))]);
            }
        }
        if (m_authors < 2 || m_unknown.documents.empty()) {
            return fail(ErrorCode::unsupported,
                        "the search for the author needs training documents of two authors, and a "
                        "test document by one of them");
        }
        m_known.number = kKnownTextsPool;
        m_unknown.number = kUnknownTextsPool;
        return {};
    }

    void describe() {
        m_results.sentences = {
            fmt::format("{} test documents, released, by {} authors of whom the attacker holds {} "
                        "training documents; chance is {:.3f}.",
                        formatCount(static_cast<std::int64_t>(m_unknown.documents.size())),
                        m_authors, formatCount(static_cast<std::int64_t>(m_known.documents.size())),
                        1.0 / m_authors),
            "The attacker knows that the author is one of these. The attacker counts pieces of "
            "words, and in each of 100 rounds a random half of the pieces names the most similar "
            "author (Koppel, Schler, Argamon 2011).",
            "These known texts are original; adaptive: the attacker perturbs them as the release "
            "does.",
            "Word order, length and punctuation pass the mechanism unchanged; an attacker who uses "
            "them may find more. Intervals are for other texts by these authors."};
        if (m_parts.options.policies.stopWords || m_parts.options.policies.onlyWords) {
            m_results.sentences.emplace_back(
                "Words that are not replaced reveal their author openly.");
        }
    }

    Result<void> attackAll() {
        const AuthoredTexts known{typedTexts(m_known), m_knownAuthors};
        ASSIGN_OR_RETURN(const auto profiles,
                         AuthorProfiles::create(known, m_how, {m_job.stop, {}}));
        return attackInUnits(
            m_parts, m_results, [&] { return attackBaselines(profiles); },
            [&](std::size_t epsilon) { return attackEpsilon(profiles, epsilon); });
    }

    Result<void> attackBaselines(const AuthorProfiles& profiles) {
        ASSIGN_OR_RETURN(m_results.original, attributed(profiles, typedTexts(m_unknown)));
        // Who perturbs his texts without noise is no other attacker.
        Figure adaptive = *figureAt(*m_results.original, "correct");
        adaptive.path = "adaptive.correct";
        adaptive.title = kAdaptiveTitle;
        m_results.original->figures.push_back(std::move(adaptive));
        const std::vector<PerturbedPool> random{m_perturber.uniform(m_unknown),
                                                m_perturber.uniform(m_known)};
        ASSIGN_OR_RETURN(m_results.floor, attackSetting(profiles, random, 0));
        return {};
    }

    /// Every mechanism at the i-th epsilon.
    Result<void> attackEpsilon(const AuthorProfiles& profiles, std::size_t i) {
        const std::vector<double>& epsilons = m_parts.options.grid.epsilons;
        const auto at = [&](double done) {
            return (static_cast<double>(i) + done) / static_cast<double>(epsilons.size());
        };
        const std::vector<DrawPool> pools{m_unknown, m_known};
        ASSIGN_OR_RETURN(const auto perturbed,
                         m_perturber.perturb(pools, std::span(epsilons).subspan(i, 1),
                                             partOf(m_job, at(0.0), at(kPerturbingShare))));
        for (std::size_t setting = 0; setting < m_parts.mechanisms(); ++setting) {
            ASSIGN_OR_RETURN(m_results.cells[setting * epsilons.size() + i],
                             attackSetting(profiles, perturbed, setting));
            m_job.progress(
                at(kPerturbingShare + (1.0 - kPerturbingShare) * static_cast<double>(setting + 1) /
                                          static_cast<double>(m_parts.mechanisms())),
                "Authors");
        }
        return {};
    }

    Result<Findings> attackSetting(const AuthorProfiles& profiles,
                                   const std::vector<PerturbedPool>& perturbed,
                                   std::size_t setting) const {
        std::vector<std::string> unknown = written(m_unknown, perturbed[0], setting);
        ASSIGN_OR_RETURN(auto findings, attributed(profiles, unknown));
        const AuthoredTexts known{written(m_known, perturbed[1], setting), m_knownAuthors};
        ASSIGN_OR_RETURN(const auto adapted,
                         AuthorProfiles::create(known, m_how, {m_job.stop, {}}));
        ASSIGN_OR_RETURN(
            const auto result,
            adapted.attribute({std::move(unknown), m_unknownAuthors}, {m_job.stop, {}}));
        findings.figures.push_back(Figure::of("adaptive.correct", kAdaptiveTitle, result.success));
        return findings;
    }

    Result<Findings> attributed(const AuthorProfiles& profiles,
                                std::vector<std::string> texts) const {
        ASSIGN_OR_RETURN(const auto result, profiles.attribute({std::move(texts), m_unknownAuthors},
                                                               {m_job.stop, {}}));
        Findings findings;
        findings.figures = {
            Figure::of("correct", "found by original texts", result.success),
            Figure::number("right", "documents", static_cast<double>(result.right)),
            Figure::number("documents", "", static_cast<double>(m_unknown.documents.size())),
            Figure::number("chance", "", result.chance)};
        for (std::size_t i = 0; i < result.points.size(); ++i) {
            const AttributionPoint& point = result.points[i];
            const std::string path = fmt::format("thresholds.{}.", i);
            findings.figures.push_back(Figure::number(path + "threshold", "", point.threshold));
            findings.figures.push_back(
                Figure::number(path + "named", "", static_cast<double>(point.named)));
            findings.figures.push_back(Figure::number(path + "precision", "", point.precision));
            findings.figures.push_back(Figure::number(path + "recall", "", point.recall));
        }
        return findings;
    }

    [[nodiscard]] std::vector<std::string> typedTexts(const DrawPool& pool) const {
        std::vector<std::string> texts;
        texts.reserve(pool.documents.size());
        for (const std::int64_t document : pool.documents) {
            texts.push_back(m_parts.data.documents[static_cast<std::size_t>(document)].text);
        }
        return texts;
    }

    [[nodiscard]] std::vector<std::string> written(const DrawPool& pool, const PerturbedPool& words,
                                                   std::size_t setting) const {
        return writeDocuments(m_parts.data, m_parts.space.embedding().vocabulary(),
                              m_parts.options.policies, pool.documents, words, setting,
                              m_parts.options.threads);
    }

    const EvaluationParts& m_parts;
    const Perturber& m_perturber;
    const JobContext& m_job;
    AuthorshipOptions m_how{};
    std::int32_t m_authors = 0;
    DrawPool m_known{};
    DrawPool m_unknown{};
    std::vector<std::int32_t> m_knownAuthors{};
    std::vector<std::int32_t> m_unknownAuthors{};
    AttackResults m_results{};
};

}  // namespace

Result<AttackResults> runAuthorship(const EvaluationParts& parts, const Perturber& perturber,
                                    const JobContext& job) {
    return AuthorshipRun(parts, perturber, job).run();
}

}  // namespace epsilens::experiment
