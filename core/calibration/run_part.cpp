#include "core/calibration/run_part.h"

#include <algorithm>
#include <utility>

namespace epsilens::calibration {

NextBlock everyBlock(std::int64_t index, std::int64_t parts) {
    return [block = index, parts](std::int64_t blocks) mutable -> std::optional<std::int64_t> {
        const std::int64_t next = std::exchange(block, block + parts);
        return next < blocks ? std::optional(next) : std::nullopt;
    };
}

bool fits(const BlockOutcome& outcome, std::size_t words, std::size_t variants,
          std::int64_t positions, const CalibrationOptions& options) {
    const std::size_t epsilons = options.grid.epsilons.size();
    const auto draws = static_cast<std::size_t>(options.draws);
    const auto isOfWords = [&](const auto& perWord) { return perWord.size() == words; };
    const auto isOfDraws = [&](const statistics::DrawSums& sums) {
        return sums.kept.size() == draws && sums.distinctWithout.size() == draws &&
               sums.hartleyWithout.size() == draws && sums.minWithout.size() == draws &&
               sums.shannonWithout.size() == draws;
    };
    const auto areCounts = [&](const std::vector<statistics::WordStatistics>& perWord) {
        return std::all_of(perWord.begin(), perWord.end(), [&](const auto& word) {
            return word.kept <= options.draws && word.near <= options.draws && word.distinct >= 1 &&
                   word.distinct <= options.draws && word.cosines <= options.draws;
        });
    };
    const auto areOutputs = [&](const std::vector<statistics::CountedOutputs>& perWord) {
        return std::all_of(perWord.begin(), perWord.end(), [&](const auto& outputs) {
            std::int64_t last = -1;
            std::int64_t sum = 0;
            for (const auto& output : outputs) {
                if (output.position <= last || output.count < 1) {
                    return false;
                }
                last = output.position;
                sum += output.count;
            }
            return sum == options.draws && last < positions;
        });
    };
    const auto isWhole = [&](const BlockResults& result) {
        return result.statistics.size() == epsilons && result.sums.size() == epsilons &&
               result.outputs.size() == (options.independentDraws ? epsilons : 0) &&
               result.critical.size() == (options.criticalEpsilons ? words * draws : 0) &&
               std::all_of(result.statistics.begin(), result.statistics.end(), isOfWords) &&
               std::all_of(result.statistics.begin(), result.statistics.end(), areCounts) &&
               std::all_of(result.outputs.begin(), result.outputs.end(), isOfWords) &&
               std::all_of(result.outputs.begin(), result.outputs.end(), areOutputs) &&
               std::all_of(result.sums.begin(), result.sums.end(), isOfDraws);
    };
    return outcome.sampled.size() == variants &&
           std::all_of(outcome.sampled.begin(), outcome.sampled.end(), isWhole);
}

}  // namespace epsilens::calibration
