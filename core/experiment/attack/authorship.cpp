#include "core/experiment/attack/authorship.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/base/eigen.h"
#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/experiment/attack/in_parallel.h"
#include "core/experiment/attack/streams.h"

namespace epsilens::experiment {
namespace {

constexpr std::size_t kPieceLength = 4;
// Authors whose products are formed together.
constexpr std::size_t kGroup = 8;

using PieceCounts = std::unordered_map<std::string, std::int64_t>;

// Weights of authors in one row of the profiles, padded to whole vectors.
std::size_t strideOf(std::int32_t authors) {
    return (static_cast<std::size_t>(authors) + kGroup - 1) / kGroup * kGroup;
}

bool startsCharacter(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

bool isBlank(char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

// Places in a word at which its characters begin, and its end.
void findCharacters(std::string_view word, std::vector<std::size_t>& places) {
    places.clear();
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (startsCharacter(word[i])) {
            places.push_back(i);
        }
    }
    places.push_back(word.size());
}

struct PieceCount {
    std::uint32_t piece = 0;
    float count = 0.0F;
};

// The commonest pieces, ties by their bytes.
std::vector<std::string> commonestPieces(const PieceCounts& counts, std::int64_t wanted) {
    std::vector<std::pair<std::int64_t, std::string_view>> ranked;
    ranked.reserve(counts.size());
    for (const auto& [piece, count] : counts) {
        ranked.emplace_back(-count, piece);
    }
    std::sort(ranked.begin(), ranked.end());
    ranked.resize(std::min(ranked.size(), static_cast<std::size_t>(wanted)));
    std::vector<std::string> pieces;
    pieces.reserve(ranked.size());
    for (const auto& entry : ranked) {
        pieces.emplace_back(entry.second);
    }
    return pieces;
}

Result<std::int32_t> authorCount(const AuthoredTexts& known) {
    const auto largest = std::max_element(known.authors.begin(), known.authors.end());
    const std::int32_t authors = largest == known.authors.end() ? 0 : *largest + 1;
    if (authors < 2) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("authorship needs known texts of at least 2 authors, there are {}",
                                authors));
    }
    std::vector<bool> hasText(static_cast<std::size_t>(authors));
    for (const std::int32_t author : known.authors) {
        hasText[static_cast<std::size_t>(author)] = true;
    }
    const auto without = std::find(hasText.begin(), hasText.end(), false);
    if (without != hasText.end()) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("author {} has no known text", without - hasText.begin() + 1));
    }
    return authors;
}

std::vector<AttributionPoint> pointsOf(std::span<const Attribution> attributions,
                                       std::span<const std::int32_t> authors) {
    constexpr int kSteps = 20;
    std::vector<AttributionPoint> points;
    for (int step = 0; step <= kSteps; ++step) {
        AttributionPoint point{static_cast<double>(step) / kSteps, 0, 0.0, 0.0};
        std::int64_t right = 0;
        for (std::size_t i = 0; i < attributions.size(); ++i) {
            if (attributions[i].share >= point.threshold) {
                ++point.named;
                right += attributions[i].author == authors[i] ? 1 : 0;
            }
        }
        point.precision = point.named > 0
                              ? static_cast<double>(right) / static_cast<double>(point.named)
                              : std::numeric_limits<double>::quiet_NaN();
        point.recall = static_cast<double>(right) / static_cast<double>(attributions.size());
        points.push_back(point);
    }
    return points;
}

}  // namespace

struct AuthorProfiles::Pieces {
    std::unordered_map<std::string, std::uint32_t> numbers{};

    [[nodiscard]] std::size_t size() const { return numbers.size(); }

    /// Counts of the pieces of a text, by rising number.
    [[nodiscard]] std::vector<PieceCount> countsOf(std::string_view text) const {
        std::vector<std::uint32_t> found;
        std::string key;
        forEachPiece(text, [&](std::string_view piece) {
            key.assign(piece);
            if (const auto number = numbers.find(key); number != numbers.end()) {
                found.push_back(number->second);
            }
        });
        std::sort(found.begin(), found.end());
        std::vector<PieceCount> counts;
        for (const std::uint32_t piece : found) {
            if (counts.empty() || counts.back().piece != piece) {
                counts.push_back({piece, 0.0F});
            }
            counts.back().count += 1.0F;
        }
        return counts;
    }
};

/// The rounds of one attribution: who wins each of them for each text.
class AuthorProfiles::Rounds {
public:
    Rounds(const AuthorProfiles& profiles, std::vector<std::vector<PieceCount>> texts)
        : m_profiles(profiles),
          m_stride(strideOf(profiles.m_authors)),
          m_texts(std::move(texts)),
          m_winners(m_texts.size() * static_cast<std::size_t>(profiles.m_options.rounds)) {}

    Result<void> run(const JobContext& job) {
        const auto rounds = static_cast<std::size_t>(m_profiles.m_options.rounds);
        return inParallel(
            rounds, m_profiles.m_options.threads, "Authorship", job,
            [&](int) {
                return Scratch{{}, {}, std::vector<float>(m_stride), {}};
            },
            [&](Scratch& scratch, std::size_t round) {
                chooseHalf(round, scratch);
                for (std::size_t text = 0; text < m_texts.size() && !job.stopRequested(); ++text) {
                    m_winners[text * rounds + round] = winner(scratch, text);
                }
            });
    }

    [[nodiscard]] Attribution attribution(std::size_t text) const {
        const auto rounds = static_cast<std::size_t>(m_profiles.m_options.rounds);
        std::vector<int> wins(static_cast<std::size_t>(m_profiles.m_authors));
        for (std::size_t round = 0; round < rounds; ++round) {
            ++wins[static_cast<std::size_t>(m_winners[text * rounds + round])];
        }
        const auto most = std::max_element(wins.begin(), wins.end());
        return {static_cast<std::int32_t>(most - wins.begin()),
                static_cast<double>(*most) / static_cast<double>(rounds)};
    }

private:
    struct Scratch {
        std::vector<std::int32_t> places{};  ///< row of each piece that counts, -1 for the others
        std::vector<float> profiles{};       ///< rows x stride
        std::vector<float> products{};       ///< of one text with all authors
        std::vector<std::pair<std::size_t, float>> entries{};  ///< rows and counts of one text
    };

    // Profiles of length 1 over the pieces that count in a round. The length of a text is the same
    // for all authors.
    void chooseHalf(std::size_t round, Scratch& scratch) const {
        const std::size_t pieces = m_profiles.m_pieces->size();
        const std::size_t rows = (pieces + 1) / 2;
        std::vector<std::size_t> chosen = shuffled(
            pieces, m_profiles.m_options.seed, kFeatureHalves, static_cast<std::uint32_t>(round));
        chosen.resize(rows);
        std::sort(chosen.begin(), chosen.end());
        scratch.places.assign(pieces, -1);
        scratch.profiles.resize(rows * m_stride);
        std::vector<double> squares(m_stride);
        for (std::size_t row = 0; row < rows; ++row) {
            scratch.places[chosen[row]] = static_cast<std::int32_t>(row);
            for (std::size_t author = 0; author < m_stride; ++author) {
                const float weight = m_profiles.m_profiles[chosen[row] * m_stride + author];
                scratch.profiles[row * m_stride + author] = weight;
                squares[author] += static_cast<double>(weight) * static_cast<double>(weight);
            }
        }
        for (std::size_t i = 0; i < scratch.profiles.size(); ++i) {
            const double square = squares[i % m_stride];
            scratch.profiles[i] *=
                square > 0.0 ? static_cast<float>(1.0 / std::sqrt(square)) : 0.0F;
        }
    }

    [[nodiscard]] std::int32_t winner(Scratch& scratch, std::size_t text) const {
        scratch.entries.clear();
        for (const PieceCount& entry : m_texts[text]) {
            if (const std::int32_t place = scratch.places[entry.piece]; place >= 0) {
                scratch.entries.emplace_back(place, entry.count);
            }
        }
        using Group = Eigen::Array<float, kGroup, 1>;
        float* products = scratch.products.data();
        for (std::size_t first = 0; first < m_stride; first += kGroup) {
            Group sums = Group::Zero();
            const float* column = scratch.profiles.data() + first;
            for (const auto& [row, count] : scratch.entries) {
                sums += count * Eigen::Map<const Group>(column + row * m_stride);
            }
            Eigen::Map<Group>(products + first) = sums;
        }
        return static_cast<std::int32_t>(
            std::max_element(products, products + m_profiles.m_authors) - products);
    }

    const AuthorProfiles& m_profiles;
    std::size_t m_stride;
    std::vector<std::vector<PieceCount>> m_texts;
    std::vector<std::int32_t> m_winners;  ///< texts x rounds
};

void forEachPiece(std::string_view text, const std::function<void(std::string_view)>& use) {
    std::vector<std::size_t> places;
    std::string whole;
    for (std::size_t begin = 0; begin < text.size();) {
        if (isBlank(text[begin])) {
            ++begin;
            continue;
        }
        std::size_t end = begin;
        while (end < text.size() && !isBlank(text[end])) {
            ++end;
        }
        const std::string_view word = text.substr(begin, end - begin);
        findCharacters(word, places);
        const std::size_t characters = places.size() - 1;
        if (characters <= kPieceLength) {
            whole.assign(1, ' ').append(word).push_back(' ');
            use(whole);
        }
        for (std::size_t i = 0; characters > kPieceLength && i + kPieceLength <= characters; ++i) {
            use(word.substr(places[i], places[i + kPieceLength] - places[i]));
        }
        begin = end;
    }
}

Result<AuthorProfiles> AuthorProfiles::create(const AuthoredTexts& known,
                                              const AuthorshipOptions& options,
                                              const JobContext& job) {
    AuthorProfiles profiles;
    profiles.m_options = options;
    ASSIGN_OR_RETURN(profiles.m_authors, authorCount(known));
    PieceCounts counts;
    std::string key;
    for (const std::string& text : known.texts) {
        if (job.stopRequested()) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        forEachPiece(text, [&](std::string_view piece) {
            key.assign(piece);
            ++counts[key];
        });
    }
    auto pieces = std::make_shared<Pieces>();
    for (std::string& piece : commonestPieces(counts, options.features)) {
        pieces->numbers.emplace(std::move(piece), static_cast<std::uint32_t>(pieces->size()));
    }
    profiles.m_pieces = pieces;
    const std::size_t stride = strideOf(profiles.m_authors);
    profiles.m_profiles.assign(pieces->size() * stride, 0.0F);
    for (std::size_t i = 0; i < known.texts.size() && !job.stopRequested(); ++i) {
        for (const PieceCount& entry : pieces->countsOf(known.texts[i])) {
            profiles
                .m_profiles[entry.piece * stride + static_cast<std::size_t>(known.authors[i])] +=
                entry.count;
        }
    }
    return profiles;
}

Result<AuthorshipResult> AuthorProfiles::attribute(const AuthoredTexts& unknown,
                                                   const JobContext& job) const {
    for (const std::int32_t author : unknown.authors) {
        if (author < 0 || author >= m_authors) {
            return fail(
                ErrorCode::invalidArgument,
                fmt::format("a text is by author {}, of whom no text is known", author + 1));
        }
    }
    std::vector<std::vector<PieceCount>> texts(unknown.texts.size());
    RETURN_IF_ERROR(inParallel(
        texts.size(), m_options.threads, "Authorship", partOf(job, 0.0, 0.1), [](int) { return 0; },
        [&](int, std::size_t text) { texts[text] = m_pieces->countsOf(unknown.texts[text]); }));
    Rounds rounds(*this, std::move(texts));
    RETURN_IF_ERROR(rounds.run(partOf(job, 0.1, 1.0)));
    AuthorshipResult result;
    std::vector<float> isRight;
    std::vector<std::int32_t> documents(unknown.texts.size());
    std::iota(documents.begin(), documents.end(), 0);
    for (std::size_t text = 0; text < unknown.texts.size(); ++text) {
        result.attributions.push_back(rounds.attribution(text));
        const bool right = result.attributions.back().author == unknown.authors[text];
        isRight.push_back(right ? 1.0F : 0.0F);
        result.right += right ? 1 : 0;
    }
    result.success = shareByDocuments(isRight, documents);
    result.chance = 1.0 / static_cast<double>(m_authors);
    result.points = pointsOf(result.attributions, unknown.authors);
    return result;
}

}  // namespace epsilens::experiment
