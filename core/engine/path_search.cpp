#include "core/engine/path_search.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace epsilens::engine {
namespace {

// A piece of the envelope: a position and its score line relative to the word.
struct Piece {
    std::int32_t position = 0;
    ScoreLine line{};
};

// t where the second line, of larger projection, falls below the first.
double crossing(const ScoreLine& first, const ScoreLine& second) {
    return 0.5 * (second.squaredDistance - first.squaredDistance) /
           (second.projection - first.projection);
}

// Strictly below both lines at their crossing; float64 ties end the search.
bool isBetween(const Piece& left, const Piece& middle, const Piece& right) {
    return middle.line.projection > left.line.projection &&
           middle.line.projection < right.line.projection &&
           crossing(left.line, middle.line) < crossing(middle.line, right.line);
}

/// Pieces in the order of their projections, and which crossings of neighbours are known to hold.
class EnvelopeBuilder {
public:
    EnvelopeBuilder(LineSearch& search, const Piece& start, const Piece& end)
        : m_search(search), m_pieces{start, end}, m_isClosed{0} {}

    [[nodiscard]] std::vector<Piece> build() {
        for (askOpenCrossings(); !m_found.empty(); askOpenCrossings()) {
            useFound();
        }
        return std::move(m_pieces);
    }

private:
    // Searches at every open crossing, and around a single one as far as that costs no time.
    void askOpenCrossings() {
        m_rates.clear();
        m_gaps.clear();
        for (std::size_t gap = 0; gap < m_isClosed.size(); ++gap) {
            if (m_isClosed[gap] == 0) {
                m_rates.push_back(1.0 / crossing(m_pieces[gap].line, m_pieces[gap + 1].line));
                m_gaps.push_back(gap);
            }
        }
        if (m_rates.size() == 1) {
            askAround(m_rates.front());
        }
        m_found.resize(m_rates.size());
        if (!m_rates.empty()) {
            m_search.nearestAtRates(m_rates, m_found);
        }
    }

    void askAround(double rate) {
        constexpr double kStep = 1.5;
        for (double factor = kStep; m_rates.size() + 1 < m_search.ratesAtOnce(); factor *= kStep) {
            m_rates.push_back(rate * factor);
            m_rates.push_back(rate / factor);
        }
    }

    // A crossing at which no new piece lies below is closed; a new piece opens those beside it.
    void useFound() {
        std::vector<Piece>& fresh = m_fresh;
        fresh.clear();
        for (std::size_t i = 0; i < m_found.size(); ++i) {
            if (i < m_gaps.size()) {
                m_isClosed[m_gaps[i]] = 1;
            }
            if (!contains(m_pieces, m_found[i]) && !contains(fresh, m_found[i])) {
                fresh.push_back({m_found[i], m_search.lineOf(m_found[i])});
            }
        }
        for (const Piece& piece : fresh) {
            insert(piece);
        }
    }

    static bool contains(const std::vector<Piece>& pieces, std::int32_t position) {
        return std::ranges::any_of(pieces,
                                   [&](const Piece& piece) { return piece.position == position; });
    }

    void insert(const Piece& piece) {
        const auto right = std::upper_bound(
            m_pieces.begin(), m_pieces.end(), piece,
            [](const Piece& a, const Piece& b) { return a.line.projection < b.line.projection; });
        const auto place = right - m_pieces.begin();
        if (place > 0 && right != m_pieces.end() && isBetween(right[-1], piece, *right)) {
            m_pieces.insert(right, piece);
            m_isClosed[static_cast<std::size_t>(place) - 1] = 0;
            m_isClosed.insert(m_isClosed.begin() + place, 0);
        }
    }

    LineSearch& m_search;
    std::vector<Piece> m_pieces;
    std::vector<std::uint8_t> m_isClosed;  ///< per pair of neighbours
    std::vector<double> m_rates{};         ///< asked: those of open crossings first
    std::vector<std::size_t> m_gaps{};     ///< of the open crossings
    std::vector<std::int32_t> m_found{};
    std::vector<Piece> m_fresh{};
};

}  // namespace

Row DrawPath::output(double epsilon) const {
    const auto next = std::ranges::upper_bound(breaks, 1.0 / epsilon);
    return outputs[static_cast<std::size_t>(next - breaks.begin())];
}

double DrawPath::criticalEpsilon(Row word) const {
    if (outputs.front() != word) {
        return std::numeric_limits<double>::infinity();
    }
    return breaks.empty() ? 0.0 : 1.0 / breaks.front();
}

DrawPath drawPath(LineSearch& search, double leastRate) {
    DrawPath path;
    const Piece start{search.wordPosition(), {}};
    path.outputs.push_back(search.space().rowAt(start.position));
    std::int32_t last = 0;
    search.nearestAtRates({&leastRate, 1}, {&last, 1});
    const Piece end{last, search.lineOf(last)};
    if (end.position != start.position && end.line.projection > 0.0) {
        const std::vector<Piece> pieces = EnvelopeBuilder(search, start, end).build();
        for (std::size_t i = 1; i < pieces.size(); ++i) {
            path.breaks.push_back(crossing(pieces[i - 1].line, pieces[i].line));
            path.outputs.push_back(search.space().rowAt(pieces[i].position));
        }
    }
    return path;
}

}  // namespace epsilens::engine
