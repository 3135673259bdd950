#include "core/attack/authorship.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/base/ascii.h"
#include "core/base/ordered.h"
#include "core/base/parallel.h"
#include "core/corpus/share.h"
#include "core/corpus/streams.h"

namespace epsilens::attack {
namespace {

constexpr std::size_t kPieceLength = 4;
constexpr std::size_t kPieces = 20'000;
constexpr std::size_t kRounds = 100;

/// Memory of a round, and the half of the pieces that counts in it.
struct Round {
    std::vector<Eigen::Index> places{};  ///< row of each piece that counts, -1 for the others
    RowMatrixF profiles{};               ///< rows x authors
    VectorF products{};                  ///< of one text with all authors
};

// Profiles of length 1 over the pieces that count in a round. The length of a text is the same for
// all authors.
void chooseHalf(const RowMatrixF& all, const StreamKey& key, Round& round) {
    const auto pieces = static_cast<std::size_t>(all.rows());
    std::vector<std::size_t> chosen = shuffledIndices(pieces, key);
    chosen.resize((pieces + 1) / 2);
    std::ranges::sort(chosen);
    round.places.assign(pieces, -1);
    for (std::size_t row = 0; row < chosen.size(); ++row) {
        round.places[chosen[row]] = static_cast<Eigen::Index>(row);
    }
    round.profiles = all(chosen, Eigen::all);
    // Of whole numbers: exact.
    const VectorD squares =
        round.profiles.cast<double>().array().square().colwise().sum().transpose();
    for (Eigen::Index author = 0; author < squares.size(); ++author) {
        round.profiles.col(author) *=
            squares[author] > 0.0 ? static_cast<float>(1.0 / std::sqrt(squares[author])) : 0.0F;
    }
}

std::int32_t winner(const AuthorProfiles::Counts& text, Round& round) {
    round.products.setZero(round.profiles.cols());
    for (const auto& [piece, count] : text) {
        if (const Eigen::Index place = round.places[piece]; place >= 0) {
            round.products += count * round.profiles.row(place).transpose();
        }
    }
    return static_cast<std::int32_t>(std::ranges::max_element(round.products) -
                                     round.products.begin());
}

}  // namespace

void forEachPiece(std::string_view text, const std::function<void(std::string_view)>& use) {
    constexpr std::string_view kBlanks = " \t\n\v\f\r";
    std::vector<std::size_t> places;
    for (std::size_t begin = text.find_first_not_of(kBlanks); begin < text.size();) {
        const std::size_t end = std::min(text.find_first_of(kBlanks, begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        // At which characters begin, and the end.
        places.clear();
        for (std::size_t i = 0; i < word.size(); ++i) {
            if (!continuesCharacter(word[i])) {
                places.push_back(i);
            }
        }
        const std::size_t characters = places.size();
        places.push_back(word.size());
        if (characters <= kPieceLength) {
            use(fmt::format(" {} ", word));
        }
        for (std::size_t i = 0; characters > kPieceLength && i + kPieceLength <= characters; ++i) {
            use(word.substr(places[i], places[i + kPieceLength] - places[i]));
        }
        begin = text.find_first_not_of(kBlanks, end);
    }
}

Result<AuthorProfiles> AuthorProfiles::create(const AuthoredTexts& known, std::uint64_t seed,
                                              int threads, const JobContext& job) {
    AuthorProfiles profiles;
    profiles.m_seed = seed;
    profiles.m_threads = threads;
    profiles.m_authors = *std::ranges::max_element(known.authors) + 1;
    std::unordered_map<std::string, std::int64_t> counts;
    std::string key;
    for (const std::string& text : known.texts) {
        RETURN_IF_ERROR(job.checkStop());
        forEachPiece(text, [&](std::string_view piece) {
            key.assign(piece);
            ++counts[key];
        });
    }
    // The commonest, ties by their bytes.
    std::vector<std::pair<std::int64_t, std::string_view>> ranked;
    ranked.reserve(counts.size());
    for (const auto& [piece, count] : counts) {
        ranked.emplace_back(-count, piece);
    }
    std::ranges::sort(ranked);
    ranked.resize(std::min(ranked.size(), kPieces));
    for (std::uint32_t number = 0; number < ranked.size(); ++number) {
        profiles.m_pieces.emplace(ranked[number].second, number);
    }
    profiles.m_profiles.setZero(static_cast<Eigen::Index>(ranked.size()), profiles.m_authors);
    for (std::size_t i = 0; i < known.texts.size() && !job.stopRequested(); ++i) {
        for (const auto& [piece, count] : profiles.countsOf(known.texts[i])) {
            profiles.m_profiles(piece, known.authors[i]) += count;
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
    std::ranges::sort(found);
    Counts counts;
    for (const std::uint32_t piece : found) {
        if (counts.empty() || counts.back().first != piece) {
            counts.emplace_back(piece, 0.0F);
        }
        counts.back().second += 1.0F;
    }
    return counts;
}

Result<std::vector<Attribution>> AuthorProfiles::attribute(std::span<const std::string> unknown,
                                                           const JobContext& job) const {
    const std::size_t count = unknown.size();
    std::vector<Counts> texts(count);
    RETURN_IF_ERROR(inParallel(
        count, m_threads, "Authorship", partOf(job, 0.0, 0.1), [](int) { return 0; },
        [&](int, std::size_t text) { texts[text] = countsOf(unknown[text]); }));
    std::vector<std::int32_t> winners(count * kRounds);
    RETURN_IF_ERROR(inParallel(
        kRounds, m_threads, "Authorship", partOf(job, 0.1, 1.0), [](int) { return Round{}; },
        [&](Round& round, std::size_t number) {
            chooseHalf(m_profiles,
                       {m_seed, corpus::kFeatureHalves, 0, static_cast<std::uint32_t>(number)},
                       round);
            for (std::size_t text = 0; text < count && !job.stopRequested(); ++text) {
                winners[text * kRounds + number] = winner(texts[text], round);
            }
        }));
    std::vector<Attribution> attributions;
    for (std::size_t text = 0; text < count; ++text) {
        std::vector<int> wins(static_cast<std::size_t>(m_authors));
        for (const std::int32_t author : std::span(winners).subspan(text * kRounds, kRounds)) {
            ++wins[static_cast<std::size_t>(author)];
        }
        const auto most = std::ranges::max_element(wins);
        attributions.push_back(
            {static_cast<std::int32_t>(most - wins.begin()), *most / static_cast<double>(kRounds)});
    }
    return attributions;
}

Findings attributionFindings(std::span<const Attribution> attributions,
                             std::span<const std::int32_t> authors) {
    constexpr int kSteps = 20;
    const auto texts = static_cast<double>(attributions.size());
    std::vector<float> isRight;
    const auto documents = indicesBelow<std::int32_t>(attributions.size());
    for (std::size_t i = 0; i < attributions.size(); ++i) {
        isRight.push_back(attributions[i].author == authors[i] ? 1.0F : 0.0F);
    }
    Findings findings;
    findings.add("correct", corpus::shareByDocuments(isRight, documents));
    findings.add("right", static_cast<double>(std::ranges::count(isRight, 1.0F)));
    findings.add("documents", texts);
    for (int step = 0; step <= kSteps; ++step) {
        const double threshold = static_cast<double>(step) / kSteps;
        double named = 0.0;
        double right = 0.0;
        for (std::size_t i = 0; i < attributions.size(); ++i) {
            if (attributions[i].share >= threshold) {
                named += 1.0;
                right += static_cast<double>(isRight[i]);
            }
        }
        const std::string path = fmt::format("thresholds.{}.", step);
        findings.add(path + "threshold", threshold);
        findings.add(path + "named", named);
        findings.add(path + "precision",
                     named > 0.0 ? right / named : std::numeric_limits<double>::quiet_NaN());
        findings.add(path + "recall", right / texts);
    }
    return findings;
}

}  // namespace epsilens::attack
