#include "core/calibration/compared_words.h"

#include <iterator>
#include <utility>

namespace epsilens::calibration {
namespace {

statistics::Summary summaryOf(const std::vector<std::int32_t>& numbers) {
    return statistics::summarize(std::vector<float>(numbers.begin(), numbers.end()));
}

}  // namespace

void ComparedWords::add(std::size_t cell, std::vector<statistics::CountedOutputs> outputs) {
    m_outputs[cell].insert(m_outputs[cell].end(), std::make_move_iterator(outputs.begin()),
                           std::make_move_iterator(outputs.end()));
}

void ComparedWords::compare(std::size_t cell, Cell& result) const {
    const std::vector<statistics::CountedOutputs>& outputs = m_outputs[cell];
    result.kw = summaryOf(statistics::sharedOutputs(outputs));
    if (m_options.deniabilityOdds && m_options.draws >= kLeastDeniabilityDraws) {
        addDeniability(outputs, result);
    }
}

void ComparedWords::addDeniability(const std::vector<statistics::CountedOutputs>& outputs,
                                   Cell& result) const {
    std::vector<float> sizes;
    double shares = 0.0;
    for (const statistics::WordDeniability& word :
         statistics::sampledDeniability(outputs, *m_options.deniabilityOdds)) {
        if (word.size) {
            sizes.push_back(static_cast<float>(*word.size));
            shares += word.share;
        }
    }
    if (sizes.empty()) {
        return;
    }
    const auto measured = static_cast<std::int64_t>(sizes.size());
    result.deniability = Deniability{*m_options.deniabilityOdds, statistics::summarize(sizes),
                                     measured, shares / static_cast<double>(measured)};
}

}  // namespace epsilens::calibration
