#pragma once

#include <vector>

#include "core/calibration/limits.h"
#include "core/document/evaluation_document.h"
#include "core/evaluation/evaluation.h"
#include "core/evaluation/figure_search.h"

namespace epsilens::document {

/// A search for epsilon within limits on labelled texts, as a session keeps it: what it was asked,
/// and what it found. Nobody can check it but by searching again.
struct KeptSearch {
    KeptData data{};                          ///< the texts
    evaluation::EvaluationOptions options{};  ///< of one mechanism; the search ran between epsilons
    std::vector<calibration::Limit> limits{};  ///< on words
    int draws = 0;                             ///< R behind these
    std::vector<evaluation::FigureLimit> figureLimits{};
    evaluation::LimitsFound found{};  ///< the evaluation with other draws stands beside the search

    [[nodiscard]] mechanism::Mechanism mechanism() const {
        return options.grid.mechanisms().front();
    }
    /// The setting found, or that at which the limits are missed by least.
    [[nodiscard]] mechanism::Setting setting() const {
        return {mechanism(), found.epsilon.value_or(found.closest)};
    }
    /// Whether another search is asked the same, whatever it is asked of.
    [[nodiscard]] bool hasSameQuestion(const KeptSearch& other) const;
};

/// The fields of a KeptSearch, to a FieldWriter or from a FieldReader.
template <typename Fields, typename Search>
void describeSearch(Fields& json, Search& search);

}  // namespace epsilens::document
