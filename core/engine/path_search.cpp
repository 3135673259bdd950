#include "core/engine/path_search.h"

#include <limits>

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

class EnvelopeBuilder {
public:
    EnvelopeBuilder(LineSearch& search, DrawPath& path) : m_search(search), m_path(path) {}

    // Appends the breaks and outputs after `left` up to and including `right`.
    void add(const Piece& left, const Piece& right) {
        const double t = crossing(left.line, right.line);
        const Piece middle = piece(1.0 / t, left.position);
        const bool isNew = middle.position != left.position && middle.position != right.position;
        if (isNew && isBetween(left, middle, right)) {
            add(left, middle);
            add(middle, right);
            return;
        }
        m_path.breaks.push_back(t);
        m_path.outputs.push_back(m_search.rowAt(right.position));
    }

    [[nodiscard]] Piece piece(double rate, std::int32_t guess) {
        const std::int32_t position = m_search.nearestAtRate(rate, guess);
        return {position, m_search.lineOf(position)};
    }

private:
    // Strictly below both lines at their crossing; float64 ties end the recursion.
    static bool isBetween(const Piece& left, const Piece& middle, const Piece& right) {
        return middle.line.projection > left.line.projection &&
               middle.line.projection < right.line.projection &&
               crossing(left.line, middle.line) < crossing(middle.line, right.line);
    }

    LineSearch& m_search;
    DrawPath& m_path;
};

}  // namespace

double criticalRate(LineSearch& search, Row word, double leastRate) {
    const std::int32_t own = search.wordPosition();
    if (search.rowAt(own) != word) {
        return std::numeric_limits<double>::infinity();
    }
    double rate = 0.0;
    std::int32_t rival = search.nearestAtRate(leastRate, own);
    while (rival != own) {
        const ScoreLine line = search.lineOf(rival);
        const double crossingRate = 2.0 * line.projection / line.squaredDistance;
        if (!(crossingRate > rate)) {
            break;
        }
        rate = crossingRate;
        rival = search.nearestAtRate(rate, own);
    }
    return rate;
}

DrawPath drawPath(LineSearch& search, double leastRate) {
    DrawPath path;
    EnvelopeBuilder builder(search, path);
    const Piece start{search.wordPosition(), {}};
    path.outputs.push_back(search.rowAt(start.position));
    const Piece end = builder.piece(leastRate, start.position);
    if (end.position != start.position && end.line.projection > 0.0) {
        builder.add(start, end);
    }
    return path;
}

}  // namespace epsilens::engine
