#include "core/release/consistent_words.h"

#include <algorithm>

namespace epsilens::release {

void ConsistentWords::replace(std::span<const Row> words, std::span<const std::int64_t> documents,
                              std::span<Row> outputs, const Draw& draw) {
    std::vector<Row> fresh;
    std::vector<std::size_t> places(words.size());
    const std::size_t known = m_outputs.size();
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (documents[i] != m_document) {
            m_document = documents[i];
            m_places.clear();
        }
        const auto [place, isNew] = m_places.emplace(words[i], known + fresh.size());
        if (isNew) {
            fresh.push_back(words[i]);
        }
        places[i] = place->second;
        m_most = std::max(m_most, static_cast<std::int64_t>(m_places.size()));
    }
    m_drawnCount += static_cast<std::int64_t>(fresh.size());
    m_outputs.resize(known + fresh.size());
    draw(fresh, std::span(m_outputs).subspan(known));
    for (std::size_t i = 0; i < words.size(); ++i) {
        outputs[i] = m_outputs[places[i]];
    }
    // Only the outputs of the document that may go on are kept.
    std::vector<Row> kept;
    kept.reserve(m_places.size());
    for (auto& [word, place] : m_places) {
        kept.push_back(m_outputs[place]);
        place = kept.size() - 1;
    }
    m_outputs = std::move(kept);
}

}  // namespace epsilens::release
