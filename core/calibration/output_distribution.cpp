#include "core/calibration/output_distribution.h"

#include <algorithm>
#include <unordered_map>

namespace epsilens::calibration {

OutputClass classify(Row word, Row output, const engine::Neighbourhood& neighbours) {
    if (output == word) {
        return OutputClass::kept;
    }
    return neighbours.contains(output) ? OutputClass::near : OutputClass::far;
}

OutputDistribution outputDistribution(Row word, std::span<const Row> outputs,
                                      const engine::Neighbourhood& neighbours) {
    std::unordered_map<Row, int> counts;
    for (const Row output : outputs) {
        ++counts[output];
    }
    OutputDistribution result;
    result.draws = static_cast<int>(outputs.size());
    for (const auto& [row, count] : counts) {
        const OutputClass outputClass = classify(word, row, neighbours);
        int& total = outputClass == OutputClass::kept   ? result.kept
                     : outputClass == OutputClass::near ? result.near
                                                        : result.far;
        total += count;
        result.outputs.push_back({row, count, outputClass});
    }
    std::ranges::sort(result.outputs, [](const auto& a, const auto& b) {
        return a.count != b.count ? a.count > b.count : a.row < b.row;
    });
    return result;
}

}  // namespace epsilens::calibration
