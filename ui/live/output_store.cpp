#include "ui/live/output_store.h"

#include <algorithm>

namespace epsilens::ui::live {

Row StoredOutputs::output(int draw, double epsilon) const {
    return outputs.paths
               ? outputs.paths->output(outputs.index, draw % outputs.paths->draws(), epsilon)
               : outputs.draws[static_cast<std::size_t>(draw) % outputs.draws.size()];
}

ShownDistribution StoredOutputs::distribution(double epsilon) const {
    return outputs.paths ? ShownDistribution(statistics::outputDistribution(
                               *outputs.paths, outputs.index, epsilon, *outputs.neighbours))
                         : outputs.distribution;
}

void OutputStore::add(const OutputAnswer& answer) {
    for (const WordOutputs& word : answer.words) {
        StoredOutputs& stored = m_words[word.word];
        const auto neighbours = word.neighbours ? word.neighbours : stored.outputs.neighbours;
        stored = {answer.setting, word};
        stored.outputs.neighbours = neighbours;
    }
}

void OutputStore::trim(std::span<const Row> wanted, std::size_t mostDraws) {
    std::size_t held = 0;
    for (const auto& [word, stored] : m_words) {
        held += static_cast<std::size_t>(stored.setting.draws);
    }
    if (held > mostDraws) {
        std::erase_if(m_words, [wanted](const auto& entry) {
            return std::find(wanted.begin(), wanted.end(), entry.first) == wanted.end();
        });
    }
}

const StoredOutputs* OutputStore::find(Row word) const {
    const auto found = m_words.find(word);
    return found == m_words.end() ? nullptr : &found->second;
}

const engine::Neighbourhood* OutputStore::neighbours(Row word) const {
    const StoredOutputs* stored = find(word);
    return stored == nullptr ? nullptr : stored->outputs.neighbours.get();
}

bool OutputStore::isCurrent(Row word, const OutputSetting& setting) const {
    const StoredOutputs* stored = find(word);
    return stored != nullptr && stored->setting == setting;
}

bool OutputStore::hasNeighbours(Row word, const OutputSetting& setting) const {
    const StoredOutputs* stored = find(word);
    return stored != nullptr && stored->setting.sharesNeighbours(setting);
}

}  // namespace epsilens::ui::live
