#pragma once

#include <string>

#include "core/report/plot.h"

namespace epsilens::report {

/// The plot as an SVG document of its own, without an XML declaration, so that it can stand inside
/// HTML; only elements and attributes of SVG Tiny 1.2.
[[nodiscard]] std::string svgPlot(const Plot& plot);

}  // namespace epsilens::report
