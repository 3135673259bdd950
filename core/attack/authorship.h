#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/attack/findings.h"
#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"

namespace epsilens::attack {

/// Texts with the number of the author of each, from 0.
struct AuthoredTexts {
    std::vector<std::string> texts{};
    std::vector<std::int32_t> authors{};
};

/// The author that a text is given to, and the share of the rounds that he won.
struct Attribution {
    std::int32_t author = 0;
    double share = 0.0;
};

/// What attributions come to against the true authors: correct, the share of texts given to their
/// author, with texts as what was drawn; right and documents, the numbers behind it; and what
/// remains when texts are given to nobody unless an author won a share of at least a threshold of
/// 0, 0.05, …, 1, under thresholds.NUMBER.: threshold, named (texts given to somebody), precision
/// (of these, the share given to their author; NaN without any) and recall (share of all texts
/// given to their author).
[[nodiscard]] Findings attributionFindings(std::span<const Attribution> attributions,
                                           std::span<const std::int32_t> authors);

/// The pieces that a text is described by: every run of four characters within a word of five or
/// more, and every shorter word whole, as ` word `. Words are what blanks separate; letter case and
/// punctuation count. Calls use(piece) in the order of the text.
///
/// Source: Koppel, Schler, Argamon 2011, section 3 ("space-free character 4-grams")
void forEachPiece(std::string_view text, const std::function<void(std::string_view)>& use);

/// Authors by the 20,000 commonest pieces of their known texts. Immutable.
class AuthorProfiles {
public:
    /// known  by two authors or more, each with a text
    /// seed   of the pieces of each round
    /// Fails with cancelled.
    [[nodiscard]] static Result<AuthorProfiles> create(const AuthoredTexts& known,
                                                       std::uint64_t seed = 1, int threads = 0,
                                                       const JobContext& job = {});

    /// Gives each text to the author who wins most of 100 rounds; in a round a random half of the
    /// pieces counts, and the author with the largest cosine wins. Ties go to the lowest author.
    ///
    /// unknown  at least one text
    /// Fails with cancelled.
    [[nodiscard]] Result<std::vector<Attribution>> attribute(std::span<const std::string> unknown,
                                                             const JobContext& job = {}) const;

    /// Numbers of pieces, rising, and how often each occurs in a text.
    using Counts = std::vector<std::pair<std::uint32_t, float>>;

private:
    [[nodiscard]] Counts countsOf(std::string_view text) const;

    std::int32_t m_authors = 0;
    std::uint64_t m_seed = 1;
    int m_threads = 0;
    std::unordered_map<std::string, std::uint32_t> m_pieces{};  ///< numbers of the commonest
    RowMatrixF m_profiles{};  ///< counts: pieces x authors, padded with zeros
};

}  // namespace epsilens::attack
