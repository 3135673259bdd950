#include "core/calibration/exact_counts.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/job_part.h"
#include "core/base/pass_on.h"

namespace epsilens::calibration {
namespace {

constexpr std::size_t kFewestMovesPerHistogram = 4096;
constexpr double kMostBytes = 512.0 * 1024.0 * 1024.0;
// Of the path of a draw: some three changes, of which N_w sees one and S_w two.
constexpr double kMovesPerPath = 3.0;
constexpr double kBytesPerMove = sizeof(double) + sizeof(std::uint32_t);

struct Move {
    double t = 0.0;
    std::uint32_t move = 0;
};

}  // namespace

ExactCounts::ExactCounts(std::span<const WordSteps> words, const CountLogs& logs, Count count)
    : m_counts(static_cast<std::size_t>(logs.draws()) + 1),
      m_movesPerHistogram(std::max(kFewestMovesPerHistogram, 4 * m_counts)) {
    std::vector<std::int64_t> histogram(m_counts);
    std::vector<Move> moves;
    for (const WordSteps& word : words) {
        StepTally tally(word, logs);
        ++histogram[static_cast<std::size_t>((tally.*count)())];
        for (const OutputChange& change : word.changes) {
            const auto before = static_cast<std::uint32_t>((tally.*count)());
            tally.advance();
            const auto after = static_cast<std::uint32_t>((tally.*count)());
            if (after != before) {
                moves.push_back({change.t, 2 * before + (after > before ? 1 : 0)});
            }
        }
    }
    std::stable_sort(moves.begin(), moves.end(),
                     [](const Move& a, const Move& b) { return a.t < b.t; });
    m_t.reserve(moves.size());
    m_moves.reserve(moves.size());
    for (const Move& move : moves) {
        if (m_t.size() % m_movesPerHistogram == 0) {
            m_histograms.insert(m_histograms.end(), histogram.begin(), histogram.end());
        }
        m_t.push_back(move.t);
        m_moves.push_back(move.move);
        apply(m_t.size() - 1, histogram);
    }
    if (m_t.size() % m_movesPerHistogram == 0) {
        m_histograms.insert(m_histograms.end(), histogram.begin(), histogram.end());
    }
}

void ExactCounts::apply(std::size_t move, std::vector<std::int64_t>& histogram) const {
    const std::size_t before = m_moves[move] / 2;
    --histogram[before];
    ++histogram[m_moves[move] % 2 != 0 ? before + 1 : before - 1];
}

statistics::Summary ExactCounts::summaryAfter(std::size_t moves) const {
    const std::size_t kept = moves / m_movesPerHistogram;
    const auto begin = m_histograms.begin() + static_cast<std::ptrdiff_t>(kept * m_counts);
    std::vector<std::int64_t> histogram(begin, begin + static_cast<std::ptrdiff_t>(m_counts));
    for (std::size_t move = kept * m_movesPerHistogram; move < moves; ++move) {
        apply(move, histogram);
    }
    return summaryOfCounts(histogram);
}

std::vector<CurvePoint> ExactCounts::at(std::span<const double> epsilons) const {
    std::vector<CurvePoint> points;
    points.reserve(epsilons.size());
    for (const double epsilon : epsilons) {
        const auto after = std::upper_bound(m_t.begin(), m_t.end(), 1.0 / epsilon) - m_t.begin();
        points.push_back({epsilon, summaryAfter(static_cast<std::size_t>(after))});
    }
    return points;
}

std::vector<double> ExactCounts::changes() const {
    std::vector<double> epsilons;
    epsilons.reserve(m_t.size());
    for (const double t : m_t) {
        if (epsilons.empty() || 1.0 / t < epsilons.back()) {
            epsilons.push_back(1.0 / t);
        }
    }
    return epsilons;
}

std::size_t ExactCounts::bytes() const {
    return m_t.capacity() * sizeof(double) + m_moves.capacity() * sizeof(std::uint32_t) +
           m_histograms.capacity() * sizeof(std::int64_t);
}

bool exactCountsFit(const engine::SearchSpace& space, const CalibrationOptions& options) {
    const auto words = selectWords(options.words, space.embedding().wordCount(), options.seed);
    return words && static_cast<double>(words->size()) * options.draws *
                            static_cast<double>(options.grid.usedLambdas().size()) * kMovesPerPath *
                            kBytesPerMove <=
                        kMostBytes;
}

Result<std::vector<ExactCurveHandle>> measureExactly(const engine::SearchSpace& space,
                                                     const CalibrationOptions& options,
                                                     const JobContext& job) {
    const std::vector<double> lambdas = options.grid.usedLambdas();
    const CountLogs logs(options.draws);
    std::vector<ExactCurveHandle> curves;
    for (std::size_t i = 0; i < lambdas.size(); ++i) {
        const auto all = static_cast<double>(lambdas.size());
        ASSIGN_OR_RETURN(const auto steps,
                         stepsOfSetting(space, options, lambdas[i],
                                        partOf(job, static_cast<double>(i) / all,
                                               static_cast<double>(i + 1) / all)));
        curves.push_back(std::make_shared<const ExactCurve>(
            ExactCurve{ExactCounts(steps, logs, &StepTally::kept),
                       ExactCounts(steps, logs, &StepTally::distinct)}));
    }
    return curves;
}

}  // namespace epsilens::calibration
