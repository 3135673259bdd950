#include "core/experiment/known_figures.h"

#include <algorithm>

namespace epsilens::experiment {

std::optional<FigureValue> KnownFigures::find(const Place& place) const {
    const auto found = std::find_if(m_figures.begin(), m_figures.end(),
                                    [&](const Known& known) { return known.place == place; });
    return found == m_figures.end() ? std::nullopt : std::optional(found->value);
}

void KnownFigures::add(const Place& place, const FigureValue& value) {
    if (!find(place)) {
        m_figures.push_back({place, value});
    }
}

}  // namespace epsilens::experiment
