#include "core/calibration/result_size.h"

#include "core/calibration/block_run.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/run_results.h"
#include "core/io/memory_limit.h"
#include "core/statistics/exact_statistics.h"

namespace epsilens::calibration {
namespace {

// Of a word and a cell in a WordTable.
constexpr double kTableBytes = 2.0 * sizeof(double) + sizeof(float);
// The outputs of a word and the sums of each draw, of two tasks at a time.
constexpr double kBytesPerDraw = 2.0 * (5.0 * sizeof(double) + sizeof(std::int32_t));

}  // namespace

double resultBytes(const CalibrationOptions& options, std::int64_t words) {
    const auto n = static_cast<double>(words);
    if (options.grid.mechanism.isExact()) {
        const auto cells =
            static_cast<double>(options.grid.mechanisms().size() * options.grid.epsilons.size());
        return cells * (static_cast<double>(sizeof(Cell)) +
                        n * static_cast<double>(sizeof(statistics::ExactStatistics)));
    }
    const auto lambdas = static_cast<double>(options.grid.usedLambdas().size());
    const double cells = lambdas * static_cast<double>(options.grid.epsilons.size());
    const double draws = options.draws;
    const double values =
        n * (kTableBytes + static_cast<double>(CellValues::bytesPerWord(options.draws)));
    const double ofBlock = static_cast<double>(blockSize(words, options)) *
                           static_cast<double>(sizeof(statistics::WordStatistics));
    const double outputs = options.independentDraws
                               ? n * draws * static_cast<double>(sizeof(statistics::CountedOutput))
                               : 0.0;
    const double critical = options.criticalEpsilons ? n * lambdas * draws * 8.0 : 0.0;
    return cells * (static_cast<double>(sizeof(Cell)) + draws * kBytesPerDraw + values + ofBlock +
                    outputs) +
           critical;
}

Result<void> checkMemory(const CalibrationOptions& options, std::int64_t words) {
    return io::MemoryBudget(0).check(resultBytes(options, words), "the results",
                                     "ask for fewer words, draws or values in the grid");
}

}  // namespace epsilens::calibration
