#include "ui/state/word_sources.h"

#include <algorithm>

namespace epsilens::ui {

namespace {

/// As many as undo and a run that goes on may come back to.
constexpr std::size_t kMostSources = 20;

/// The count of a list says nothing about it.
bool areSame(const calibration::WordSelection& a, const calibration::WordSelection& b) {
    return a.kind == b.kind && a.rows == b.rows;
}

}  // namespace

void WordSources::remember(const calibration::WordSelection& words,
                           const calibration::SelectionDescription& source) {
    std::erase_if(m_sources, [&words](const Source& one) { return areSame(one.words, words); });
    m_sources.push_front({words, source});
    if (m_sources.size() > kMostSources) {
        m_sources.pop_back();
    }
}

std::optional<calibration::SelectionDescription> WordSources::of(
    const calibration::WordSelection& words) const {
    const auto found =
        std::find_if(m_sources.begin(), m_sources.end(),
                     [&words](const Source& one) { return areSame(one.words, words); });
    return found == m_sources.end() ? std::nullopt : std::optional(found->description);
}

}  // namespace epsilens::ui
