#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace epsilens::engine {

/// An output that one draw returns for one word at neighbouring epsilons of a grid.
struct OutputRun {
    std::uint32_t first = 0;    ///< number of its largest epsilon; 0 is the largest of the grid
    std::int32_t position = 0;  ///< of the output in the search space
};

/// A word and a draw whose output is asked for at the epsilons of a grid, by their number from the
/// largest down. As epsilon falls, no output comes back once another one has taken its place.
class GridSearch {
public:
    GridSearch() = default;
    GridSearch(const GridSearch&) = delete;
    GridSearch& operator=(const GridSearch&) = delete;
    virtual ~GridSearch() = default;

    [[nodiscard]] virtual std::size_t epsilons() const = 0;
    /// How many epsilons it takes about as long to answer as a single one.
    [[nodiscard]] virtual std::size_t atOnce() const = 0;
    /// The outputs at some epsilons, which rise in number.
    virtual void outputsAt(std::span<const std::uint32_t> epsilons,
                           std::span<std::int32_t> positions) = 0;
    /// Where one output probably gives way to the next: the last epsilon of the first one. A wrong
    /// guess costs time only.
    [[nodiscard]] virtual std::uint32_t lastOf(const OutputRun& output, const OutputRun& next) = 0;
};

/// Finds the outputs at all epsilons of a grid from few searches: at epsilons that are spread over
/// the grid, then on either side of where two outputs that were found meet, until no gap between
/// different outputs is left. Holds scratch memory: one object per task.
class RunFinder {
public:
    /// The first run begins at 0; each ends where the next one begins, with another output. They
    /// hold until the next call.
    [[nodiscard]] std::span<const OutputRun> find(GridSearch& search);

private:
    void askSpread(GridSearch& search);
    void askGaps(GridSearch& search);
    void answer(GridSearch& search);

    std::vector<std::uint32_t> m_asked{};
    std::vector<std::int32_t> m_positions{};
    std::vector<OutputRun> m_known{};  ///< single epsilons, rising in number
    std::vector<OutputRun> m_merged{};
};

}  // namespace epsilens::engine
