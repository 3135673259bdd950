#include "core/calibration/run_part.h"

#include <utility>

#include "core/base/packing.h"
#include "core/base/pass_on.h"

// What processes tell each other of these; see Packer.
namespace epsilens::statistics {

template <typename Archive>
void transfer(Archive& archive, DrawSums& sums) {
    archive(sums.kept, sums.distinctWithout, sums.hartleyWithout, sums.minWithout,
            sums.shannonWithout);
}

}  // namespace epsilens::statistics

namespace epsilens::calibration {

template <typename Archive>
void transfer(Archive& archive, BlockResults& results) {
    archive(results.statistics, results.sums, results.outputs, results.critical, results.rechecked);
}

template <typename Archive>
void transfer(Archive& archive, BlockOutcome& outcome) {
    archive(outcome.sampled, outcome.exact, outcome.critical);
}

NextBlock everyBlock(std::int64_t index, std::int64_t parts) {
    return [block = index, parts](std::int64_t blocks) mutable -> std::optional<std::int64_t> {
        const std::int64_t next = std::exchange(block, block + parts);
        return next < blocks ? std::optional(next) : std::nullopt;
    };
}

std::string packBlocks(const std::map<std::int64_t, BlockOutcome>& finished) {
    Packer packer;
    for (const auto& [block, outcome] : finished) {
        packer(block, outcome);
    }
    return std::move(packer).bytes();
}

void unpackBlocks(std::string_view packed, std::map<std::int64_t, BlockOutcome>& finished) {
    Unpacker unpacker(packed);
    while (!unpacker.atEnd()) {
        std::int64_t block = 0;
        BlockOutcome outcome;
        unpacker(block, outcome);
        finished.insert_or_assign(block, std::move(outcome));
    }
}

Result<CalibrationSummary> calibrateShared(const engine::SearchSpace& space,
                                           const CalibrationOptions& options, Crew* crew,
                                           const JobContext& job) {
    if (crew == nullptr) {
        return calibrate(space, options, job);
    }
    ASSIGN_OR_RETURN(auto all, calibratePart(
                                   space, options,
                                   [&](std::int64_t blocks) { return crew->next(blocks); }, job));
    for (const std::string& finished : crew->exchange(packBlocks(all.finished))) {
        unpackBlocks(finished, all.finished);
    }
    auto summary = calibrateFromParts(space, options, std::move(all), job);
    if (!summary) {
        crew->dismiss();
    }
    return summary;
}

}  // namespace epsilens::calibration
