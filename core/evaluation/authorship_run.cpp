#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/attack/authorship.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/corpus/perturber.h"
#include "core/evaluation/attack_task.h"

namespace epsilens::evaluation {
namespace {

constexpr const char* kAdaptiveTitle = "found by perturbed texts";

class Authorship : public AttackTask {
public:
    Authorship(const EvaluationParts& parts, const corpus::Perturber& perturber,
               const JobContext& job)
        : AttackTask(parts, perturber, job) {
        m_how.seed = parts.options.seed;
        m_how.threads = parts.options.threads;
    }

protected:
    Result<void> prepare() override {
        RETURN_IF_ERROR(chooseDocuments());
        describe();
        const attack::AuthoredTexts known{typedTexts(m_known), m_knownAuthors};
        ASSIGN_OR_RETURN(auto profiles,
                         attack::AuthorProfiles::create(known, m_how, {m_job.stop, {}}));
        m_profiles.emplace(std::move(profiles));
        return {};
    }

    [[nodiscard]] std::vector<corpus::DrawPool> pools() const override {
        return {m_unknown, m_known};
    }

    Result<void> attackBaselines() override {
        ASSIGN_OR_RETURN(m_results.original, attributed(typedTexts(m_unknown)));
        // Who perturbs his texts without noise is no other attacker.
        attack::Figure adaptive = *attack::figureAt(*m_results.original, "correct");
        adaptive.path = "adaptive.correct";
        adaptive.title = kAdaptiveTitle;
        m_results.original->figures.push_back(std::move(adaptive));
        ASSIGN_OR_RETURN(m_results.floor, findingsAt(randomWords(), 0, 0, {}));
        return {};
    }

    Result<attack::Findings> findingsAt(const std::vector<corpus::PerturbedPool>& released,
                                        std::size_t setting, std::size_t /*epsilon*/,
                                        const JobContext& /*job*/) override {
        std::vector<std::string> unknown = written(m_unknown, released[0], setting);
        ASSIGN_OR_RETURN(auto findings, attributed(unknown));
        const attack::AuthoredTexts known{written(m_known, released[1], setting), m_knownAuthors};
        ASSIGN_OR_RETURN(const auto adapted,
                         attack::AuthorProfiles::create(known, m_how, {m_job.stop, {}}));
        ASSIGN_OR_RETURN(
            const auto result,
            adapted.attribute({std::move(unknown), m_unknownAuthors}, {m_job.stop, {}}));
        findings.figures.push_back(
            attack::Figure::of("adaptive.correct", kAdaptiveTitle, result.success));
        return findings;
    }

private:
    [[nodiscard]] std::int32_t authorOf(std::int64_t document) const {
        return m_parts.data.documents[static_cast<std::size_t>(document)].author;
    }

    /// Documents by the authors who have training documents, who are numbered anew.
    Result<void> chooseDocuments() {
        const corpus::DocumentSplit& split = m_parts.splits.front();
        std::vector<std::int32_t> numbers(m_parts.data.authors.size(), corpus::kNone);
        for (const std::int64_t document : split.training) {
            if (authorOf(document) == corpus::kNone) {
                continue;
            }
            std::int32_t& number = numbers[static_cast<std::size_t>(authorOf(document))];
            number = number == corpus::kNone ? m_authors++ : number;
            m_known.documents.push_back(document);
            m_knownAuthors.push_back(number);
        }
        for (const std::int64_t document : split.test) {
            if (authorOf(document) != corpus::kNone &&
                numbers[static_cast<std::size_t>(authorOf(document))] != corpus::kNone) {
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

    Result<attack::Findings> attributed(std::vector<std::string> texts) const {
        ASSIGN_OR_RETURN(
            const auto result,
            m_profiles->attribute({std::move(texts), m_unknownAuthors}, {m_job.stop, {}}));
        attack::Findings findings;
        findings.figures = {
            attack::Figure::of("correct", "found by original texts", result.success),
            attack::Figure::number("right", "documents", static_cast<double>(result.right)),
            attack::Figure::number("documents", "",
                                   static_cast<double>(m_unknown.documents.size())),
            attack::Figure::number("chance", "", 1.0 / m_authors)};
        for (std::size_t i = 0; i < result.points.size(); ++i) {
            const attack::AttributionPoint& point = result.points[i];
            const std::string path = fmt::format("thresholds.{}.", i);
            findings.figures.push_back(
                attack::Figure::number(path + "threshold", "", point.threshold));
            findings.figures.push_back(
                attack::Figure::number(path + "named", "", static_cast<double>(point.named)));
            findings.figures.push_back(
                attack::Figure::number(path + "precision", "", point.precision));
            findings.figures.push_back(attack::Figure::number(path + "recall", "", point.recall));
        }
        return findings;
    }

    [[nodiscard]] std::vector<std::string> typedTexts(const corpus::DrawPool& pool) const {
        std::vector<std::string> texts;
        texts.reserve(pool.documents.size());
        for (const std::int64_t document : pool.documents) {
            texts.push_back(m_parts.data.documents[static_cast<std::size_t>(document)].text);
        }
        return texts;
    }

    [[nodiscard]] std::vector<std::string> written(const corpus::DrawPool& pool,
                                                   const corpus::PerturbedPool& words,
                                                   std::size_t setting) const {
        return corpus::writeDocuments(m_parts.data, m_parts.space.embedding().vocabulary(),
                                      m_parts.options.policies, pool.documents, words, setting,
                                      m_parts.options.threads);
    }

    attack::AuthorshipOptions m_how{};
    std::optional<attack::AuthorProfiles> m_profiles{};  ///< of the known texts
    std::int32_t m_authors = 0;
    corpus::DrawPool m_known{};
    corpus::DrawPool m_unknown{};
    std::vector<std::int32_t> m_knownAuthors{};
    std::vector<std::int32_t> m_unknownAuthors{};
};

}  // namespace

std::unique_ptr<AttackTask> authorship(const EvaluationParts& parts,
                                       const corpus::Perturber& perturber, const JobContext& job) {
    return std::make_unique<Authorship>(parts, perturber, job);
}

}  // namespace epsilens::evaluation
