#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/attack/model_audit.h"
#include "core/base/pass_on.h"
#include "core/evaluation/attack_task.h"

namespace epsilens::evaluation {
namespace {

// Documents of one author that make a user.
constexpr std::int32_t kUserDocuments = 10;

class Audit : public AttackTask {
public:
    explicit Audit(const TaskInput& input) : AttackTask(input) {}

protected:
    Result<void> prepare() override {
        gatherTexts();
        auto auditor = attack::Auditor::create(
            m_texts, {.seed = m_parts.options.seed, .threads = m_parts.options.threads},
            {m_job.stop, {}});
        if (!auditor) {
            return tl::unexpected(
                auditor.error().code == ErrorCode::invalidArgument
                    ? Error{ErrorCode::unsupported,
                            fmt::format("the audit cuts the documents of each author into users "
                                        "of {}: {}",
                                        kUserDocuments, auditor.error().message)}
                    : std::move(auditor.error()));
        }
        m_auditor.emplace(std::move(*auditor));
        return {};
    }

    [[nodiscard]] std::vector<corpus::DrawPool> pools() const override { return {m_pool}; }

    Result<void> attackBaselines() override {
        ASSIGN_OR_RETURN(m_results.original, audited(m_texts.words));
        ASSIGN_OR_RETURN(m_results.floor, findingsAt(randomWords(), 0, {}));
        return {};
    }

    Result<attack::Findings> findingsAt(const std::vector<corpus::PerturbedPool>& released,
                                        std::size_t setting, const JobContext& /*job*/) override {
        return audited(released.front().outputs[setting]);
    }

private:
    /// All documents, a line each.
    void gatherTexts() {
        const corpus::TokenisedDocuments& words = *m_parts.words;
        m_texts.words.assign(words.rows().begin(), words.rows().end());
        m_texts.vocabularySize = static_cast<embedding::Row>(m_parts.space.embedding().wordCount());
        std::vector<std::int32_t> authors;
        for (std::size_t document = 0; document < words.documents(); ++document) {
            m_texts.lineEnds.push_back(words.end(document));
            authors.push_back(m_parts.document(document).author);
        }
        attack::UserGroups groups = attack::groupIntoUsers(authors, kUserDocuments);
        m_texts.users = std::move(groups.users);
        m_texts.authors = std::move(groups.authors);
        m_pool.number = kAuditPool;
        m_pool.documents.resize(m_texts.users.size());
        std::iota(m_pool.documents.begin(), m_pool.documents.end(), std::size_t{0});
    }

    /// released  what stands for each word
    Result<attack::Findings> audited(std::vector<embedding::Row> released) {
        for (embedding::Row& row : released) {
            row = row < 0 ? attack::kUnknownWord : row;
        }
        ASSIGN_OR_RETURN(auto findings, m_auditor->audit(released, {m_job.stop, {}}));
        if (m_results.sentences.empty()) {
            describe(findings);
        }
        // Of few users it says little.
        std::erase_if(findings.figures,
                      [](const attack::Figure& figure) { return figure.path.ends_with("tprAt1"); });
        return findings;
    }

    void describe(const attack::Findings& findings) {
        m_results.sentences = {
            fmt::format("A bigram model was trained on the released texts of {} of {} users; a "
                        "user is {} documents of one author.",
                        figureAt(findings, "members")->value, figureAt(findings, "users")->value,
                        kUserDocuments),
            "The auditor holds the users' original texts and asks the model for the rank of every "
            "word. The auditor learned what members look like from other models, trained on texts "
            "of other authors (Song and Shmatikov 2019): naive on original texts, adaptive on "
            "texts perturbed as those of the model.",
            "An AUC of 0.5 is chance. Larger models remember more than this one. Intervals "
            "resample authors."};
    }

    std::optional<attack::Auditor> m_auditor{};
    attack::UserTexts m_texts{};
    corpus::DrawPool m_pool{};
};

}  // namespace

std::unique_ptr<AttackTask> audit(const TaskInput& input) {
    return std::make_unique<Audit>(input);
}

}  // namespace epsilens::evaluation
