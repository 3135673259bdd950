#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/stored_evaluation.h"
#include "core/report/plot.h"
#include "core/report/report_model.h"

namespace epsilens::report {

/// A setting by what its texts are still good for and by what an attacker learns from them.
struct FrontierPoint {
    std::size_t family = 0;  ///< settings that differ in epsilon alone
    double epsilon = 0.0;
    std::string setting{};  ///< "ε 5, λ 0.5"
    double utility = 0.0;
    double risk = 0.0;
};

struct FrontierWords {
    std::string attack{};   ///< "membership"
    std::string risk{};     ///< title of the axis
    std::string utility{};  ///< "accuracy of linear"
    std::vector<std::string> families{};
};

/// A line in the colours of a family.
[[nodiscard]] PlotLine coloursOfFamily(std::size_t family);

/// Usefulness against risk, with its table: the settings of a family are joined, with their epsilon
/// at the points, and those that another one beats in both are drawn faint.
///
/// points  family after family, epsilon rising within each
[[nodiscard]] Figure frontierFigure(const FrontierWords& words,
                                    const std::vector<FrontierPoint>& points);

/// A figure that evaluations store, with its title.
struct StoredColumn {
    std::string figure{};  ///< "classify.linear.accuracy"
    std::string title{};
};

/// Whether two settings differ in epsilon alone.
[[nodiscard]] bool isSameFamily(const document::StoredCondition& first,
                                const document::StoredCondition& second);

/// The same of an evaluation that was stored, by the first of some figures that it has; nothing
/// where it has none of either kind.
///
/// attack  name of the task
[[nodiscard]] std::optional<Figure> frontierFigure(const document::StoredEvaluation& evaluation,
                                                   std::string_view attack,
                                                   const std::vector<StoredColumn>& utilities,
                                                   const std::vector<StoredColumn>& risks);

}  // namespace epsilens::report
