#include "core/experiment/audit_run.h"

#include <cstdint>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/experiment/attack/model_audit.h"
#include "core/experiment/attack_pools.h"
#include "core/experiment/attack_units.h"

namespace epsilens::experiment {
namespace {

// Share of the work on an epsilon that is perturbing, for the progress.
constexpr double kPerturbingShare = 0.3;
// Documents of one author that make a user.
constexpr std::int32_t kUserDocuments = 10;

void addDetection(std::vector<Figure>& figures, const std::string& path, const std::string& title,
                  const Detection& detection) {
    figures.push_back(Figure::of(path + "auc", title + "AUC", detection.auc));
    figures.push_back(Figure::of(path + "accuracy", title + "accuracy", detection.accuracy));
    figures.push_back(Figure::of(path + "precision", "", detection.precision));
    figures.push_back(Figure::of(path + "recall", "", detection.recall));
    figures.push_back(Figure::of(path + "advantage", "", detection.advantage));
}

class AuditRun {
public:
    AuditRun(const EvaluationParts& parts, const Perturber& perturber, const JobContext& job)
        : m_parts(parts), m_perturber(perturber), m_job(job) {}

    Result<AttackResults> run() {
        m_results.task = Task::audit;
        m_results.risk = "adaptive.auc";
        m_results.cells.resize(m_parts.cells());
        gatherTexts();
        if (auto done = attackAll(); !done && done.error().code != ErrorCode::cancelled) {
            return tl::unexpected(
                done.error().code == ErrorCode::invalidArgument
                    ? Error{ErrorCode::unsupported,
                            fmt::format("the audit cuts the documents of each author into users "
                                        "of {}: {}",
                                        kUserDocuments, done.error().message)}
                    : std::move(done.error()));
        }
        return std::move(m_results);
    }

private:
    /// All documents, a line each.
    void gatherTexts() {
        const auto rows = m_parts.words.rows();
        m_texts.words.assign(rows.begin(), rows.end());
        m_texts.vocabularySize = static_cast<Row>(m_parts.space.embedding().wordCount());
        std::vector<std::size_t> authored;
        std::vector<std::int32_t> authors;
        for (std::int64_t document = 0; document < m_parts.words.documents(); ++document) {
            m_texts.lineEnds.push_back(static_cast<std::int64_t>(m_parts.words.end(document)));
            const auto index = static_cast<std::size_t>(document);
            if (m_parts.data.documents[index].author != kNone) {
                authored.push_back(index);
                authors.push_back(m_parts.data.documents[index].author);
            }
        }
        UserGroups groups = groupIntoUsers(authors, kUserDocuments);
        m_texts.users.assign(m_texts.lineEnds.size(), kNone);
        for (std::size_t i = 0; i < authored.size(); ++i) {
            m_texts.users[authored[i]] = groups.users[i];
        }
        m_texts.authors = std::move(groups.authors);
        m_pool.number = kAuditPool;
        m_pool.documents.resize(m_texts.users.size());
        std::iota(m_pool.documents.begin(), m_pool.documents.end(), std::int64_t{0});
    }

    Result<void> attackAll() {
        AuditOptions how;
        how.seed = m_parts.options.seed;
        how.threads = m_parts.options.threads;
        ASSIGN_OR_RETURN(const auto auditor, Auditor::create(m_texts, how, {m_job.stop, {}}));
        return attackInUnits(
            m_parts, m_results, [&] { return attackBaselines(auditor); },
            [&](std::size_t epsilon) { return attackEpsilon(auditor, epsilon); });
    }

    Result<void> attackBaselines(const Auditor& auditor) {
        ASSIGN_OR_RETURN(m_results.original, audited(auditor, m_texts.words));
        ASSIGN_OR_RETURN(m_results.floor,
                         audited(auditor, m_perturber.uniform(m_pool).outputs.front()));
        return {};
    }

    /// Every mechanism at the i-th epsilon.
    Result<void> attackEpsilon(const Auditor& auditor, std::size_t i) {
        const std::vector<double>& epsilons = m_parts.options.grid.epsilons;
        const auto at = [&](double done) {
            return (static_cast<double>(i) + done) / static_cast<double>(epsilons.size());
        };
        const std::vector<DrawPool> pools{m_pool};
        ASSIGN_OR_RETURN(auto perturbed,
                         m_perturber.perturb(pools, std::span(epsilons).subspan(i, 1),
                                             partOf(m_job, at(0.0), at(kPerturbingShare))));
        std::vector<std::vector<Row>>& outputs = perturbed.front().outputs;
        for (std::size_t setting = 0; setting < outputs.size(); ++setting) {
            ASSIGN_OR_RETURN(m_results.cells[setting * epsilons.size() + i],
                             audited(auditor, std::move(outputs[setting])));
            m_job.progress(
                at(kPerturbingShare + (1.0 - kPerturbingShare) * static_cast<double>(setting + 1) /
                                          static_cast<double>(outputs.size())),
                "Users");
        }
        return {};
    }

    /// released  what stands for each word
    Result<Findings> audited(const Auditor& auditor, std::vector<Row> released) {
        for (Row& row : released) {
            row = row < 0 ? kUnknownWord : row;
        }
        ASSIGN_OR_RETURN(const auto result, auditor.audit(released, {m_job.stop, {}}));
        if (m_results.sentences.empty()) {
            describe(result);
        }
        Findings findings;
        addDetection(findings.figures, "adaptive.", "adaptive ", result.adaptive);
        addDetection(findings.figures, "", "naive ", result.naive);
        findings.figures.push_back(Figure::number("users", "", static_cast<double>(result.users)));
        findings.figures.push_back(
            Figure::number("members", "", static_cast<double>(result.members)));
        return findings;
    }

    void describe(const AuditResult& result) {
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

    const EvaluationParts& m_parts;
    const Perturber& m_perturber;
    const JobContext& m_job;
    UserTexts m_texts{};
    DrawPool m_pool{};
    AttackResults m_results{};
};

}  // namespace

Result<AttackResults> runAudit(const EvaluationParts& parts, const Perturber& perturber,
                               const JobContext& job) {
    return AuditRun(parts, perturber, job).run();
}

}  // namespace epsilens::experiment
