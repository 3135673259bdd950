#include "core/calibration/some_epsilons.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace epsilens::calibration {
namespace {

/// The numbers of the cells of some epsilons, in the order in which a run of them has them.
std::vector<std::size_t> cellsOf(const CalibrationSummary& summary,
                                 std::span<const double> epsilons) {
    const std::vector<double>& all = summary.grid.epsilons;
    std::vector<std::size_t> cells;
    for (std::size_t first = 0; first < summary.cells.size(); first += all.size()) {
        for (const double epsilon : epsilons) {
            const auto found = std::find(all.begin(), all.end(), epsilon);
            cells.push_back(first + static_cast<std::size_t>(found - all.begin()));
        }
    }
    return cells;
}

template <typename Value>
std::vector<Value> taken(const std::vector<Value>& values, std::span<const std::size_t> places) {
    std::vector<Value> some;
    some.reserve(places.size());
    for (const std::size_t place : places) {
        some.push_back(values.at(place));
    }
    return some;
}

/// All but the values of single words and the critical epsilons.
CalibrationSummary withoutWords(const CalibrationSummary& summary, std::span<const double> epsilons,
                                std::span<const std::size_t> cells) {
    CalibrationSummary some;
    some.grid = summary.grid;
    some.grid.epsilons.assign(epsilons.begin(), epsilons.end());
    some.cells = taken(summary.cells, cells);
    some.guarantees = taken(summary.guarantees, cells);
    some.words = summary.words;
    some.wordsAsked = summary.wordsAsked;
    some.draws = summary.draws;
    some.seed = summary.seed;
    some.threads = summary.threads;
    some.nearNeighbours = summary.nearNeighbours;
    some.blockSize = summary.blockSize;
    some.independentDraws = summary.independentDraws;
    some.substitutions = summary.substitutions;
    some.recheckedInFloat64 = summary.recheckedInFloat64;
    some.partial = summary.partial;
    some.seconds = summary.seconds;
    return some;
}

}  // namespace

bool isOfAxis(const Run& run) {
    const std::vector<double>& epsilons = run.summary->grid.epsilons;
    const std::vector<Cell>& cells = run.summary->cells;
    bool isGrid =
        run.request.options.epsilonAxis && !epsilons.empty() && cells.size() % epsilons.size() == 0;
    for (std::size_t i = 0; isGrid && i < cells.size(); ++i) {
        isGrid = cells[i].epsilon == epsilons[i % epsilons.size()];
    }
    return isGrid;
}

Run runAt(const Run& run, std::span<const double> epsilons) {
    const std::vector<std::size_t> cells = cellsOf(*run.summary, epsilons);
    Run some;
    some.request = run.request;
    some.request.options.grid.epsilons.assign(epsilons.begin(), epsilons.end());
    some.request.options.epsilonAxis = false;
    some.summary =
        std::make_shared<const CalibrationSummary>(withoutWords(*run.summary, epsilons, cells));
    some.provenance = run.provenance;
    some.worstWords = taken(run.worstWords, cells);
    if (!run.examples.empty()) {
        some.examples = taken(run.examples, cells);
    }
    some.pairs = run.pairs;
    return some;
}

std::vector<double> spreadEpsilons(const CalibrationSummary& summary, std::size_t count,
                                   double besides) {
    const std::vector<double>& all = summary.grid.epsilons;
    if (all.size() <= count) {
        return all;
    }
    std::vector<double> some;
    std::size_t next = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool isDue = i == next * (all.size() - 1) / (count - 1);
        next += isDue ? 1 : 0;
        if (isDue || all[i] == besides) {
            some.push_back(all[i]);
        }
    }
    return some;
}

}  // namespace epsilens::calibration
