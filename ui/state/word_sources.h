#pragma once

#include <deque>
#include <optional>

#include "core/calibration/options.h"
#include "core/calibration/provenance.h"

namespace epsilens::ui {

/// Where lists of words to measure came from, for the report of a run over them: a selection itself
/// is only the rows.
class WordSources {
public:
    void remember(const calibration::WordSelection& words,
                  const calibration::SelectionDescription& source);
    /// Nothing for words that no source is known of.
    [[nodiscard]] std::optional<calibration::SelectionDescription> of(
        const calibration::WordSelection& words) const;
    /// Rows of another embedding are other words.
    void forget() { m_sources.clear(); }

private:
    struct Source {
        calibration::WordSelection words{};
        calibration::SelectionDescription description{};
    };
    std::deque<Source> m_sources;  ///< the latest first
};

}  // namespace epsilens::ui
