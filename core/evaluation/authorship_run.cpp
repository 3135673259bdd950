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

    void add(std::size_t document, std::int32_t author) {
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
        ASSIGN_OR_RETURN(m_results.original, attributed(*m_profiles, typed(m_unknown)));
        // Who perturbs his texts without noise is no other attacker.
        addAdaptive(*m_results.original, *figureAt(*m_results.original, "correct"));
        ASSIGN_OR_RETURN(m_results.floor, findingsAt(randomWords(), 0, {}));
        return {};
    }

    Result<attack::Findings> findingsAt(const std::vector<corpus::PerturbedPool>& released,
                                        std::size_t setting, const JobContext& /*job*/) override {
        const std::vector<std::string> unknown = written(m_unknown, released[0], setting);
        ASSIGN_OR_RETURN(auto findings, attributed(*m_profiles, unknown));
        ASSIGN_OR_RETURN(const auto adapted, profilesOf(written(m_known, released[1], setting)));
        ASSIGN_OR_RETURN(const auto adaptive, attributed(*adapted, unknown));
        addAdaptive(findings, *figureAt(adaptive, "correct"));
        return findings;
    }

private:
    static void addAdaptive(attack::Findings& findings, const attack::Figure& correct) {
        findings.add("adaptive.correct", corpus::Measured{correct.value, correct.ci95});
    }

    using Profiles = std::optional<attack::AuthorProfiles>;

    [[nodiscard]] Result<Profiles> profilesOf(std::vector<std::string> known) const {
        return attack::AuthorProfiles::create({std::move(known), m_known.authors}, m_how,
                                              {m_job.stop, {}});
    }

    /// Documents by the authors who have training documents, who are numbered anew.
    Result<void> chooseDocuments() {
        const corpus::DocumentSplit& split = m_parts.splits.front();
        std::vector<std::int32_t> numbers(m_parts.data.authors.size(), corpus::kNone);
        const auto eachAuthored = [&](const std::vector<std::size_t>& documents, auto&& use) {
            for (const std::size_t document : documents) {
                if (const std::int32_t author = m_parts.document(document).author;
                    author != corpus::kNone) {
                    use(document, numbers[static_cast<std::size_t>(author)]);
                }
            }
        };
        eachAuthored(split.training, [&](std::size_t document, std::int32_t& number) {
            number = number == corpus::kNone ? m_authors++ : number;
            m_known.add(document, number);
        });
        eachAuthored(split.test, [&](std::size_t document, std::int32_t number) {
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
                        formatCount(m_unknown.authors.size()), m_authors,
                        formatCount(m_known.authors.size()), 1.0 / m_authors),
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

    [[nodiscard]] Result<attack::Findings> attributed(const attack::AuthorProfiles& profiles,
                                                      std::span<const std::string> texts) const {
        ASSIGN_OR_RETURN(const auto attributions, profiles.attribute(texts, {m_job.stop, {}}));
        attack::Findings findings = attack::attributionFindings(attributions, m_unknown.authors);
        findings.add("chance", 1.0 / m_authors);
        return findings;
    }

    [[nodiscard]] std::vector<std::string> typed(const AuthoredPool& documents) const {
        std::vector<std::string> texts;
        texts.reserve(documents.authors.size());
        for (const std::size_t document : documents.pool.documents) {
            texts.push_back(m_parts.document(document).text);
        }
        return texts;
    }

    [[nodiscard]] std::vector<std::string> written(const AuthoredPool& documents,
                                                   const corpus::PerturbedPool& words,
                                                   std::size_t setting) const {
        return corpus::writeDocuments(m_parts.data, m_parts.space.embedding().vocabulary(),
                                      m_parts.options.policies, documents.pool.documents, words,
                                      setting, m_parts.options.threads);
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
