#include "core/attack/authorship.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/base/eigen.h"
#include "core/base/in_parallel.h"
#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/corpus/streams.h"

namespace epsilens::attack {
namespace {

constexpr std::size_t kPieceLength = 4;
constexpr std::size_t kPieces = 20'000;
constexpr std::size_t kRounds = 100;
// Authors whose products are formed together.
constexpr std::size_t kGroup = 8;

using PieceCounts = std::unordered_map<std::string, std::int64_t>;

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

// The commonest pieces, ties by their bytes.
std::vector<std::string> commonestPieces(const PieceCounts& counts) {
    std::vector<std::pair<std::int64_t, std::string_view>> ranked;
    ranked.reserve(counts.size());
    for (const auto& [piece, count] : counts) {
        ranked.emplace_back(-count, piece);
    }
    std::sort(ranked.begin(), ranked.end());
    ranked.resize(std::min(ranked.size(), kPieces));
    std::vector<std::string> pieces;
    pieces.reserve(ranked.size());
    for (const auto& entry : ranked) {
        pieces.emplace_back(entry.second);
    }
    return pieces;
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

/// Memory of a round, and the half of the pieces that counts in it.
struct AuthorProfiles::Round {
    std::vector<std::int32_t> places{};  ///< row of each piece that counts, -1 for the others
    std::vector<float> profiles{};       ///< rows x stride
    std::vector<float> products{};       ///< of one text with all authors
    std::vector<std::pair<std::size_t, float>> entries{};  ///< rows and counts of one text
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

std::size_t AuthorProfiles::stride() const {
    return (static_cast<std::size_t>(m_authors) + kGroup - 1) / kGroup * kGroup;
}

Result<AuthorProfiles> AuthorProfiles::create(const AuthoredTexts& known,
                                              const AuthorshipOptions& options,
                                              const JobContext& job) {
    AuthorProfiles profiles;
    profiles.m_options = options;
    profiles.m_authors = *std::max_element(known.authors.begin(), known.authors.end()) + 1;
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
    for (std::string& piece : commonestPieces(counts)) {
        profiles.m_pieces.emplace(std::move(piece),
                                  static_cast<std::uint32_t>(profiles.m_pieces.size()));
    }
    const std::size_t stride = profiles.stride();
    profiles.m_profiles.assign(profiles.m_pieces.size() * stride, 0.0F);
    for (std::size_t i = 0; i < known.texts.size() && !job.stopRequested(); ++i) {
        for (const auto& [piece, count] : profiles.countsOf(known.texts[i])) {
            profiles.m_profiles[piece * stride + static_cast<std::size_t>(known.authors[i])] +=
                count;
        }
    }
    return profiles;
}

AuthorProfiles::Counts AuthorProfiles::countsOf(std::string_view text) const {
    std::vector<std::uint32_t> found;
    std::string key;
    forEachPiece(text, [&](std::string_view piece) {
        key.assign(piece);
        if (const auto number = m_pieces.find(key); number != m_pieces.end()) {
            found.push_back(number->second);
        }
    });
    std::sort(found.begin(), found.end());
    Counts counts;
    for (const std::uint32_t piece : found) {
        if (counts.empty() || counts.back().first != piece) {
            counts.emplace_back(piece, 0.0F);
        }
        counts.back().second += 1.0F;
    }
    return counts;
}

// Profiles of length 1 over the pieces that count in a round. The length of a text is the same for
// all authors.
void AuthorProfiles::chooseHalf(std::size_t number, Round& round) const {
    const std::size_t pieces = m_pieces.size();
    const std::size_t rows = (pieces + 1) / 2;
    const std::size_t stride = this->stride();
    std::vector<std::size_t> chosen = shuffledIndices(
        pieces, {m_options.seed, corpus::kFeatureHalves, 0, static_cast<std::uint32_t>(number)});
    chosen.resize(rows);
    std::sort(chosen.begin(), chosen.end());
    round.places.assign(pieces, -1);
    round.profiles.resize(rows * stride);
    std::vector<double> squares(stride);
    for (std::size_t row = 0; row < rows; ++row) {
        round.places[chosen[row]] = static_cast<std::int32_t>(row);
        for (std::size_t author = 0; author < stride; ++author) {
            const float weight = m_profiles[chosen[row] * stride + author];
            round.profiles[row * stride + author] = weight;
            squares[author] += static_cast<double>(weight) * static_cast<double>(weight);
        }
    }
    for (std::size_t i = 0; i < round.profiles.size(); ++i) {
        const double square = squares[i % stride];
        round.profiles[i] *= square > 0.0 ? static_cast<float>(1.0 / std::sqrt(square)) : 0.0F;
    }
}

std::int32_t AuthorProfiles::winner(const Counts& text, Round& round) const {
    round.entries.clear();
    for (const auto& [piece, count] : text) {
        if (const std::int32_t place = round.places[piece]; place >= 0) {
            round.entries.emplace_back(place, count);
        }
    }
    using Group = Eigen::Array<float, kGroup, 1>;
    round.products.resize(stride());
    float* products = round.products.data();
    for (std::size_t first = 0; first < stride(); first += kGroup) {
        Group sums = Group::Zero();
        const float* column = round.profiles.data() + first;
        for (const auto& [row, count] : round.entries) {
            sums += count * Eigen::Map<const Group>(column + row * stride());
        }
        Eigen::Map<Group>(products + first) = sums;
    }
    return static_cast<std::int32_t>(std::max_element(products, products + m_authors) - products);
}

Result<AuthorshipResult> AuthorProfiles::attribute(const AuthoredTexts& unknown,
                                                   const JobContext& job) const {
    const std::size_t count = unknown.texts.size();
    std::vector<Counts> texts(count);
    RETURN_IF_ERROR(inParallel(
        count, m_options.threads, "Authorship", partOf(job, 0.0, 0.1), [](int) { return 0; },
        [&](int, std::size_t text) { texts[text] = countsOf(unknown.texts[text]); }));
    std::vector<std::int32_t> winners(count * kRounds);
    RETURN_IF_ERROR(inParallel(
        kRounds, m_options.threads, "Authorship", partOf(job, 0.1, 1.0),
        [](int) { return Round{}; },
        [&](Round& round, std::size_t number) {
            chooseHalf(number, round);
            for (std::size_t text = 0; text < count && !job.stopRequested(); ++text) {
                winners[text * kRounds + number] = winner(texts[text], round);
            }
        }));
    AuthorshipResult result;
    std::vector<float> isRight;
    std::vector<std::int32_t> documents(count);
    std::iota(documents.begin(), documents.end(), 0);
    for (std::size_t text = 0; text < count; ++text) {
        std::vector<int> wins(static_cast<std::size_t>(m_authors));
        for (const std::int32_t author : std::span(winners).subspan(text * kRounds, kRounds)) {
            ++wins[static_cast<std::size_t>(author)];
        }
        const auto most = std::max_element(wins.begin(), wins.end());
        const auto author = static_cast<std::int32_t>(most - wins.begin());
        result.attributions.push_back({author, *most / static_cast<double>(kRounds)});
        const bool right = author == unknown.authors[text];
        isRight.push_back(right ? 1.0F : 0.0F);
        result.right += right ? 1 : 0;
    }
    result.success = corpus::shareByDocuments(isRight, documents);
    result.points = pointsOf(result.attributions, unknown.authors);
    return result;
}

}  // namespace epsilens::attack
