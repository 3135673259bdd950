#include "ui/live/path_store.h"

#include <algorithm>

namespace epsilens::ui::live {

void PathStore::clear() {
    m_paths.clear();
    m_neighbours.clear();
}

void PathStore::add(const PathAnswer& answer) {
    for (const auto& [word, neighbours] : answer.neighbours) {
        m_neighbours[word] = neighbours;
    }
    const std::span<const Row> words = answer.paths->words();
    for (std::size_t i = 0; i < words.size(); ++i) {
        m_paths[words[i]] = WordPaths{answer.setting, answer.paths, i, answer.critical[i]};
    }
}

void PathStore::trim(std::span<const Row> wanted, std::size_t mostPaths) {
    std::size_t held = 0;
    for (const auto& [word, paths] : m_paths) {
        held += static_cast<std::size_t>(paths.setting.draws);
    }
    if (held <= mostPaths) {
        return;
    }
    const auto unwanted = [wanted](const auto& entry) {
        return std::find(wanted.begin(), wanted.end(), entry.first) == wanted.end();
    };
    std::erase_if(m_paths, unwanted);
    std::erase_if(m_neighbours, unwanted);
}

const WordPaths* PathStore::find(Row word) const {
    const auto found = m_paths.find(word);
    return found == m_paths.end() ? nullptr : &found->second;
}

const engine::Neighbourhood* PathStore::neighbours(Row word) const {
    const auto found = m_neighbours.find(word);
    return found == m_neighbours.end() ? nullptr : &found->second;
}

bool PathStore::isCurrent(Row word, const PathSetting& setting) const {
    const WordPaths* paths = find(word);
    return paths != nullptr && paths->setting == setting;
}

statistics::OutputDistribution PathStore::distribution(Row word, double epsilon) const {
    const WordPaths& paths = m_paths.at(word);
    return statistics::outputDistribution(*paths.table, paths.index, epsilon,
                                          m_neighbours.at(word));
}

}  // namespace epsilens::ui::live
