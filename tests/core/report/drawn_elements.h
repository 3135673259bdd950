#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/plot.h"

namespace epsilens::test {

/// An element of a drawing in SVG, as it is written.
struct DrawnElement {
    std::map<std::string, std::string> attributes{};
    std::string text{};  ///< what stands in it, of elements with an end of their own

    /// A number among the attributes.
    [[nodiscard]] double number(const std::string& attribute) const;
    [[nodiscard]] bool has(const std::string& attribute, std::string_view value) const;
    /// What is in the attribute "points".
    [[nodiscard]] std::vector<report::PlotPoint> corners() const;
};

/// All of one name, in their order.
[[nodiscard]] std::vector<DrawnElement> elementsOf(const std::string& svg, const std::string& name);

}  // namespace epsilens::test
