#include "ui/live/output_store.h"

#include <algorithm>

namespace epsilens::ui::live {

Row StoredOutputs::output(int draw, double epsilon) const {
    return outputs.paths
               ? outputs.paths->output(outputs.index, draw % outputs.paths->draws(), epsilon)
               : outputs.draws[static_cast<std::size_t>(draw) % outputs.draws.size()];
}

ShownDistribution StoredOutputs::distribution(double epsilon) const {
    return outputs.paths ? ShownDistribution(embedding, statistics::outputDistribution(
                                                            *outputs.paths, outputs.index, epsilon,
                                                            *outputs.neighbours))
                         : outputs.distribution;
}

WordOutput outputOf(const StoredOutputs& stored, const Word& word, int draw, double epsilon,
                    Freshness freshness) {
    const Row row = stored.output(draw, epsilon);
    return {row, freshness, statistics::classify(word.row(), row, *stored.outputs.neighbours)};
}

void OutputStore::add(const OutputAnswer& answer) {
    for (const WordOutputs& word : answer.words) {
        StoredOutputs& stored = m_words[word.word];
        const auto neighbours = word.neighbours ? word.neighbours : stored.outputs.neighbours;
        stored = {answer.space->handle(), answer.setting, word};
        stored.outputs.neighbours = neighbours;
    }
}

void OutputStore::trim(std::span<const Word> wanted, std::size_t mostDraws) {
    std::size_t held = 0;
    for (const auto& [word, stored] : m_words) {
        held += static_cast<std::size_t>(stored.setting.draws);
    }
    if (held > mostDraws) {
        std::erase_if(m_words, [wanted](const auto& entry) {
            return std::none_of(wanted.begin(), wanted.end(),
                                [&entry](const Word& word) { return word.row() == entry.first; });
        });
    }
}

const StoredOutputs* OutputStore::find(const Word& word) const {
    const auto found = m_words.find(word.row());
    const bool isOfIt = found != m_words.end() && found->second.embedding == word.embedding();
    return isOfIt ? &found->second : nullptr;
}

NeighbourhoodHandle OutputStore::neighbours(const Word& word) const {
    const StoredOutputs* stored = find(word);
    return stored == nullptr ? nullptr : stored->outputs.neighbours;
}

bool OutputStore::isCurrent(const Word& word, const OutputSetting& setting) const {
    const StoredOutputs* stored = find(word);
    return stored != nullptr && stored->setting == setting;
}

OutputRequest OutputStore::missingOf(std::span<const Word> wanted,
                                     const OutputSetting& setting) const {
    OutputRequest request;
    request.setting = setting;
    for (const Word& word : wanted) {
        if (!isCurrent(word, setting)) {
            request.words.push_back(word.row());
            if (!hasNeighbours(word, setting)) {
                request.withoutNeighbours.push_back(word.row());
            }
        }
    }
    return request;
}

bool OutputStore::hasNeighbours(const Word& word, const OutputSetting& setting) const {
    const StoredOutputs* stored = find(word);
    return stored != nullptr && stored->setting.sharesNeighbours(setting);
}

}  // namespace epsilens::ui::live
