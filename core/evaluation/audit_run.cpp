#include <cstdint>
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

void addDetection(std::vector<attack::Figure>& figures, const std::string& path,
                  const std::string& title, const attack::Detection& detection) {
    figures.push_back(attack::Figure::of(path + "auc", title + "AUC", detection.auc));
    figures.push_back(
        attack::Figure::of(path + "accuracy", title + "accuracy", detection.accuracy));
    figures.push_back(attack::Figure::of(path + "precision", "", detection.precision));
    figures.push_back(attack::Figure::of(path + "recall", "", detection.recall));
    figures.push_back(attack::Figure::of(path + "advantage", "", detection.advantage));
}

class Audit : public AttackTask {
public:
    Audit(const EvaluationParts& parts, const corpus::Perturber& perturber, const JobContext& job)
        : AttackTask(parts, perturber, job) {}

protected:
    Result<void> prepare() override {
        gatherTexts();
        attack::BootstrapOptions how;
        how.seed = m_parts.options.seed;
        how.threads = m_parts.options.threads;
        auto auditor = attack::Auditor::create(m_texts, how, {m_job.stop, {}});
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
        ASSIGN_OR_RETURN(m_results.floor, audited(randomWords().front().outputs.front()));
        return {};
    }

    Result<attack::Findings> findingsAt(const std::vector<corpus::PerturbedPool>& released,
                                        std::size_t setting, std::size_t /*epsilon*/,
                                        const JobContext& /*job*/) override {
        return audited(released.front().outputs[setting]);
    }

private:
    /// All documents, a line each.
    void gatherTexts() {
        const auto rows = m_parts.words.rows();
        m_texts.words.assign(rows.begin(), rows.end());
        m_texts.vocabularySize = static_cast<embedding::Row>(m_parts.space.embedding().wordCount());
        std::vector<std::size_t> authored;
        std::vector<std::int32_t> authors;
        for (std::int64_t document = 0; document < m_parts.words.documents(); ++document) {
            m_texts.lineEnds.push_back(static_cast<std::int64_t>(m_parts.words.end(document)));
            const auto index = static_cast<std::size_t>(document);
            if (m_parts.data.documents[index].author != corpus::kNone) {
                authored.push_back(index);
                authors.push_back(m_parts.data.documents[index].author);
            }
        }
        attack::UserGroups groups = attack::groupIntoUsers(authors, kUserDocuments);
        m_texts.users.assign(m_texts.lineEnds.size(), corpus::kNone);
        for (std::size_t i = 0; i < authored.size(); ++i) {
            m_texts.users[authored[i]] = groups.users[i];
        }
        m_texts.authors = std::move(groups.authors);
        m_pool.number = kAuditPool;
        m_pool.documents.resize(m_texts.users.size());
        std::iota(m_pool.documents.begin(), m_pool.documents.end(), std::int64_t{0});
    }

    /// released  what stands for each word
    Result<attack::Findings> audited(std::vector<embedding::Row> released) {
        for (embedding::Row& row : released) {
            row = row < 0 ? attack::kUnknownWord : row;
        }
        ASSIGN_OR_RETURN(const auto result, m_auditor->audit(released, {m_job.stop, {}}));
        if (m_results.sentences.empty()) {
            describe(result);
        }
        attack::Findings findings;
        addDetection(findings.figures, "adaptive.", "adaptive ", result.adaptive);
        addDetection(findings.figures, "", "naive ", result.naive);
        findings.figures.push_back(
            attack::Figure::number("users", "", static_cast<double>(result.users)));
        findings.figures.push_back(
            attack::Figure::number("members", "", static_cast<double>(result.members)));
        return findings;
    }

    void describe(const attack::AuditResult& result) {
        m_results.sentences = {
            fmt::format("A bigram model was trained on the released texts of {} of {} users; a "
                        "user is {} documents of one author.",
                        result.members, result.users, kUserDocuments),
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

std::unique_ptr<AttackTask> audit(const EvaluationParts& parts, const corpus::Perturber& perturber,
                                  const JobContext& job) {
    return std::make_unique<Audit>(parts, perturber, job);
}

}  // namespace epsilens::evaluation
