#include "core/report/plot.h"

#include <utility>
#include <vector>

#include <catch2/catch.hpp>

// Expected places follow from the borders of the frame and proportion.

using namespace epsilens;
using report::Plot;
using report::PlotFrame;
using report::PlotPoint;

namespace {

Plot plotOf(std::vector<PlotPoint> points, bool logarithmic = false) {
    Plot plot;
    plot.title = "title";
    plot.x.logarithmic = logarithmic;
    plot.lines.push_back({"line", report::kBlue, std::move(points)});
    return plot;
}

}  // namespace

// That values are placed in proportion is read off the drawings in svg_plot_test.cpp.

TEST_CASE("All data lie inside the frame that is chosen for them") {
    Plot plot = plotOf({{5, -3}, {0.01, 8}}, true);
    plot.bands.push_back({"band", report::kSky, {1, 2}, {-10, 0}, {3, 40}});
    plot.points.push_back({"points", report::kGreen, {{1000, 1}}});
    plot.rules.push_back({"limit", report::kGrey, true, 55, report::Dash::dashed});
    const PlotFrame frame(plot);
    for (const PlotPoint point : {PlotPoint{5, -3}, PlotPoint{0.01, 8}, PlotPoint{1, -10},
                                  PlotPoint{2, 40}, PlotPoint{1000, 1}, PlotPoint{1, 55}}) {
        CHECK(frame.holds(point));
    }
    CHECK_FALSE(frame.holds({0, 1}));
    // A single value, and none at all, still give an axis.
    CHECK(PlotFrame(plotOf({{7, 7}}, true)).holds({7, 7}));
    CHECK(PlotFrame(plotOf({{0, 0}})).holds({0, 0}));
    CHECK(PlotFrame(plotOf({})).rangeX()[1] > 0);
}

TEST_CASE("A quantity that is never negative keeps zero as its lowest end") {
    CHECK(PlotFrame(plotOf({{1, 0.01}, {2, 5}})).rangeY()[0] == 0.0);
    CHECK(PlotFrame(plotOf({{1, -0.01}, {2, 5}})).rangeY()[0] < -0.01);
}

TEST_CASE("Ticks are round numbers inside the range") {
    CHECK(report::plotTicks({0, 100}, false) == std::vector<double>{0, 20, 40, 60, 80, 100});
    CHECK(report::plotTicks({0, 1}, false) == std::vector<double>{0, 0.2, 0.4, 0.6, 0.8, 1});
    CHECK(report::plotTicks({0.5, 2000}, true) == std::vector<double>{1, 10, 100, 1000});
    CHECK(report::plotTicks({0.9, 30}, true) == std::vector<double>{1, 2, 5, 10, 20});
    // Within less than a decade there may be no power of ten.
    const auto few = report::plotTicks({6, 9}, true);
    CHECK(few.size() >= 2);
    CHECK(few.front() >= 6);
    CHECK(few.back() <= 9);
}
