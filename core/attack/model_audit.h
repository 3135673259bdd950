#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/attack/detection.h"
#include "core/attack/prior.h"
#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"

namespace epsilens::attack {

/// The original texts of users: a user is one who may have given his texts to train a model.
struct UserTexts {
    std::vector<Row> words{};             ///< of all tokens; kUnknownWord allowed
    std::vector<std::size_t> lineEnds{};  ///< end of each line in words, rising
    std::vector<std::int32_t> users{};    ///< of each line; negative: of nobody, left out
    std::vector<std::int32_t> authors{};  ///< of each user; users of one author are alike
    Row vocabularySize = 0;
};

/// Documents of one author that make a user.
inline constexpr std::int32_t kUserDocuments = 10;

/// Sets the user of each line and the author of each user: the documents of each author, in order,
/// are cut into users of `size` documents; the rest of an author's documents belong to nobody (-1),
/// as do those without an author (negative).
///
/// documentAuthors  of each line
void cutIntoUsers(UserTexts& texts, std::span<const std::int32_t> documentAuthors,
                  std::int32_t size);

/// Audits language models. Half of the authors is the target's, half the auditor's; of each author
/// half of the users are "in". The target is a bigram model of the released texts of its users. The
/// auditor asks it for the ranks of the words in a user's original texts, sums them up in a
/// histogram, and decides by a logistic regression that he learned on models of his own users.
///
/// Source: Song and Shmatikov 2019; Feyisetan et al. 2020. Derivation: model_audit.md
class Auditor {
public:
    /// texts    outlives the auditor
    /// options  of the bootstrap by authors; their seed also splits users
    /// Trains the naive shadow models. Fails with unsupported when there are fewer than two authors
    /// with two users each, and with cancelled.
    [[nodiscard]] static Result<Auditor> create(const UserTexts& texts,
                                                const BootstrapOptions& options,
                                                const JobContext& job = {});

    /// How surely members are found, as detect: by shadow models trained on original texts (naive),
    /// and under adaptive. by those trained on texts released like those of the target. Then the
    /// numbers of users of the target's authors, and of members among them.
    ///
    /// released  what stands for each token in the released texts, negative for nothing known
    /// Fails with cancelled.
    [[nodiscard]] Result<Findings> audit(std::span<const Row> released,
                                         const JobContext& job = {}) const;

private:
    enum Side : std::uint8_t { kAuditor, kTarget };

    /// Users with the histograms of their ranks under models.
    struct Cases {
        RowMatrixD features{};
        std::vector<std::uint8_t> members{};
    };

    Auditor(const UserTexts& texts, const BootstrapOptions& options)
        : m_texts(&texts), m_options(options) {}

    [[nodiscard]] Result<void> splitAuthors();
    /// One model of the target, several of the auditor.
    [[nodiscard]] Result<Cases> casesOf(std::span<const Row> trainingWords, Side side,
                                        const JobContext& job) const;
    void decide(const Cases& shadow, const Cases& target, const std::string& path,
                Findings& findings) const;

    const UserTexts* m_texts;
    BootstrapOptions m_options;
    std::array<std::vector<std::int32_t>, 2> m_users{};  ///< of each side, rising
    std::vector<std::int32_t> m_clusters{};  ///< of the target's users: their authors, from 0
    Cases m_naive{};
};

}  // namespace epsilens::attack
