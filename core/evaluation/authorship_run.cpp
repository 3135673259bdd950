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

/// Documents of a pool and the numbers of their authors.
struct AuthoredPool {
    corpus::DrawPool pool{};
    std::vector<std::int32_t> authors{};

    void add(std::int64_t document, std::int32_t author) {
        pool.documents.push_back(document);
        authors.push_back(author);
    }
};

class Authorship : public AttackTask {
public:
    explicit Authorship(const TaskInput& input)
        : AttackTask(input),
          m_how{.seed = m_parts.options.seed, .threads = m_parts.options.threads} {}

protected:
    Result<void> prepare() override {
        RETURN_IF_ERROR(chooseDocuments());
        describe();
        ASSIGN_OR_RETURN(m_profiles, profilesOf(typed(m_known)));
        return {};
    }

    [[nodiscard]] std::vector<corpus::DrawPool> pools() const override {
        return {m_unknown.pool, m_known.pool};
    }

    Result<void> attackBaselines() override {
        ASSIGN_OR_RETURN(m_results.original, attributed(typed(m_unknown)));
        // Who perturbs his texts without noise is no other attacker.
        attack::Figure adaptive = *attack::figureAt(*m_results.original, "correct");
        adaptive.path = "adaptive.correct";
        m_results.original->figures.push_back(std::move(adaptive));
        ASSIGN_OR_RETURN(m_results.floor, findingsAt(randomWords(), 0, {}));
        return {};
    }

    Result<attack::Findings> findingsAt(const std::vector<corpus::PerturbedPool>& released,
                                        std::size_t setting, const JobContext& /*job*/) override {
        const attack::AuthoredTexts unknown = written(m_unknown, released[0], setting);
        ASSIGN_OR_RETURN(auto findings, attributed(unknown));
        ASSIGN_OR_RETURN(const auto adapted, profilesOf(written(m_known, released[1], setting)));
        ASSIGN_OR_RETURN(const auto result, adapted->attribute(unknown, {m_job.stop, {}}));
        findings.add("adaptive.correct", result.success);
        return findings;
    }

private:
    using Profiles = std::optional<attack::AuthorProfiles>;

    [[nodiscard]] Result<Profiles> profilesOf(const attack::AuthoredTexts& known) const {
        return attack::AuthorProfiles::create(known, m_how, {m_job.stop, {}});
    }

    /// Documents by the authors who have training documents, who are numbered anew.
    Result<void> chooseDocuments() {
        const corpus::DocumentSplit& split = m_parts.splits.front();
        std::vector<std::int32_t> numbers(m_parts.data.authors.size(), corpus::kNone);
        const auto eachAuthored = [&](const std::vector<std::int64_t>& documents, auto&& use) {
            for (const std::int64_t document : documents) {
                if (const std::int32_t author = m_parts.document(document).author;
                    author != corpus::kNone) {
                    use(document, numbers[static_cast<std::size_t>(author)]);
                }
            }
        };
        eachAuthored(split.training, [&](std::int64_t document, std::int32_t& number) {
            number = number == corpus::kNone ? m_authors++ : number;
            m_known.add(document, number);
        });
        eachAuthored(split.test, [&](std::int64_t document, std::int32_t number) {
            if (number != corpus::kNone) {
                m_unknown.add(document, number);
            }
        });
        if (m_authors < 2 || m_unknown.authors.empty()) {
            return fail(ErrorCode::unsupported,
                        "the search for the author needs training documents of two authors, and a "
                        "test document by one of them");
        }
        m_known.pool.number = kKnownTextsPool;
        m_unknown.pool.number = kUnknownTextsPool;
        return {};
    }

    void describe() {
        m_results.sentences = {
            fmt::format("{} test documents, released, by {} authors of whom the attacker holds {} "
                        "training documents; chance is {:.3f}.",
                        formatCount(static_cast<std::int64_t>(m_unknown.authors.size())), m_authors,
                        formatCount(static_cast<std::int64_t>(m_known.authors.size())),
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

    [[nodiscard]] Result<attack::Findings> attributed(const attack::AuthoredTexts& texts) const {
        ASSIGN_OR_RETURN(const auto result, m_profiles->attribute(texts, {m_job.stop, {}}));
        attack::Findings findings;
        findings.add("correct", result.success);
        findings.add("right", static_cast<double>(result.right));
        findings.add("documents", static_cast<double>(texts.authors.size()));
        findings.add("chance", 1.0 / m_authors);
        for (std::size_t i = 0; i < result.points.size(); ++i) {
            const attack::AttributionPoint& point = result.points[i];
            const std::string path = fmt::format("thresholds.{}.", i);
            findings.add(path + "threshold", point.threshold);
            findings.add(path + "named", static_cast<double>(point.named));
            findings.add(path + "precision", point.precision);
            findings.add(path + "recall", point.recall);
        }
        return findings;
    }

    [[nodiscard]] attack::AuthoredTexts typed(const AuthoredPool& documents) const {
        attack::AuthoredTexts texts{{}, documents.authors};
        for (const std::int64_t document : documents.pool.documents) {
            texts.texts.push_back(m_parts.document(document).text);
        }
        return texts;
    }

    [[nodiscard]] attack::AuthoredTexts written(const AuthoredPool& documents,
                                                const corpus::PerturbedPool& words,
                                                std::size_t setting) const {
        return {corpus::writeDocuments(m_parts.data, m_parts.space.embedding().vocabulary(),
                                       m_parts.options.policies, documents.pool.documents, words,
                                       setting, m_parts.options.threads),
                documents.authors};
    }

    attack::AuthorshipOptions m_how;
    Profiles m_profiles{};  ///< of the known texts
    std::int32_t m_authors = 0;
    AuthoredPool m_known{};
    AuthoredPool m_unknown{};
};

}  // namespace

std::unique_ptr<AttackTask> authorship(const TaskInput& input) {
    return std::make_unique<Authorship>(input);
}

}  // namespace epsilens::evaluation
