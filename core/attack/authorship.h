#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/corpus/share.h"

namespace epsilens::attack {

/// Texts with the number of the author of each, from 0.
struct AuthoredTexts {
    std::vector<std::string> texts{};
    std::vector<std::int32_t> authors{};
};

struct AuthorshipOptions {
    std::uint64_t seed = 1;  ///< of the pieces of each round
    int threads = 0;
};

/// The author that a text is given to, and the share of the rounds that he won.
struct Attribution {
    std::int32_t author = 0;
    double share = 0.0;
};

/// What remains when texts are given to nobody unless an author won a share of at least
/// `threshold`.
struct AttributionPoint {
    double threshold = 0.0;
    std::int64_t named = 0;  ///< texts given to somebody
    double precision = 0.0;  ///< of these, the share given to their author; NaN without any
    double recall = 0.0;     ///< share of all texts given to their author
};

struct AuthorshipResult {
    std::vector<Attribution> attributions{};  ///< one for each text
    std::int64_t right = 0;                   ///< texts given to their author, without a threshold
    corpus::Measured success{};               ///< as a share, with texts as what was drawn
    std::vector<AttributionPoint> points{};   ///< thresholds 0, 0.05, …, 1
};

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
    /// Fails with cancelled.
    [[nodiscard]] static Result<AuthorProfiles> create(const AuthoredTexts& known,
                                                       const AuthorshipOptions& options,
                                                       const JobContext& job = {});

    /// Gives each text to the author who wins most of 100 rounds; in a round a random half of the
    /// pieces counts, and the author with the largest cosine wins. Ties go to the lowest author.
    ///
    /// unknown  at least one text, by authors of the profiles
    /// Fails with cancelled.
    [[nodiscard]] Result<AuthorshipResult> attribute(const AuthoredTexts& unknown,
                                                     const JobContext& job = {}) const;

private:
    /// Numbers of pieces, rising, and how often each occurs in a text.
    using Counts = std::vector<std::pair<std::uint32_t, float>>;
    struct Round;

    [[nodiscard]] Counts countsOf(std::string_view text) const;
    void chooseHalf(std::size_t number, Round& round) const;
    [[nodiscard]] std::int32_t winner(const Counts& text, Round& round) const;
    /// Weights of authors in a row of the profiles, padded to whole vectors.
    [[nodiscard]] std::size_t stride() const;

    std::int32_t m_authors = 0;
    AuthorshipOptions m_options{};
    std::unordered_map<std::string, std::uint32_t> m_pieces{};  ///< numbers of the commonest
    std::vector<float> m_profiles{};  ///< pieces x stride, weights of the authors
};

}  // namespace epsilens::attack
