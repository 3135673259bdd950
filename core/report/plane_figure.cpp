#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/report_parts.h"
#include "core/report/svg_plot.h"

namespace epsilens::report {
namespace {

using plane::Contour;
using plane::PlanePoint;
using Setting = calibration::PlanePicture::Setting;

std::string variancePercent(double share) {
    return fmt::format("{:.3g}%", 100.0 * share);
}

std::string axisTitle(const calibration::PlanePicture& picture, std::size_t axis) {
    const std::string share = variancePercent(picture.shares[axis]);
    return picture.isDisk ? fmt::format("axis {} of the disk, {} of ‖x‖²", axis + 1, share)
                          : fmt::format("principal axis {}, {} of the variance", axis + 1, share);
}

/// Points around the word, in the coordinates of the plane.
std::vector<PlotPoint> placed(const std::vector<PlanePoint>& points, const PlanePoint& from) {
    std::vector<PlotPoint> all;
    all.reserve(points.size());
    for (const PlanePoint& point : points) {
        all.push_back({from.x + point.x, from.y + point.y});
    }
    return all;
}

/// What a contour holds: "50% of the noise", or the words within the radius of TEM.
std::string contentOf(const Contour& contour) {
    return contour.share > 0.0 ? variancePercent(contour.share) + " of the noise" : "within γ";
}

std::string_view colourOf(const Contour& contour) {
    constexpr double kInner = 0.75;
    return contour.share > kInner ? kVermillion : kBlue;
}

PlotEllipse ellipseOf(const Contour& contour, const PlanePoint& word, Dash dash,
                      std::string label) {
    return {std::move(label),
            colourOf(contour),
            {word.x + contour.centre.x, word.y + contour.centre.y},
            contour.semiAxisX,
            contour.semiAxisY,
            0.0,
            dash};
}

/// Whether noise at the setting is spherical already: one outline says both.
bool isSpherical(const Setting& setting) {
    return !setting.spherical.empty() && !setting.contours.empty() &&
           setting.contours.front().semiAxisX == setting.spherical.front().semiAxisX &&
           setting.contours.front().semiAxisY == setting.spherical.front().semiAxisY;
}

void addOutlines(Plot& plot, const calibration::PlanePicture& picture, const Setting& setting) {
    if (picture.isDisk) {
        plot.ellipses.push_back(
            {"edge of the disk", kGrey, {0.0, 0.0}, 1.0, 1.0, 0.0, Dash::dotted});
    }
    for (const Contour& contour : setting.spherical) {
        plot.ellipses.push_back(ellipseOf(contour, picture.place, Dash::dashed,
                                          "spherical, " + variancePercent(contour.share)));
    }
    if (isSpherical(setting)) {
        return;
    }
    for (const Contour& contour : setting.contours) {
        plot.ellipses.push_back(ellipseOf(contour, picture.place, Dash::solid, contentOf(contour)));
    }
}

void addPoints(Plot& plot, const calibration::PlanePicture& picture, const Setting& setting,
               bool isTem) {
    constexpr double kWordRadius = 1.5;
    constexpr double kDrawRadius = 2.2;
    constexpr double kPlaceRadius = 5.0;
    plot.points.push_back({"words", kGrey, placed(picture.words, {}), Marker::circle, kWordRadius});
    plot.points.push_back({isTem ? "outputs" : "noisy points", kOrange,
                           placed(setting.draws, picture.place), Marker::diamond, kDrawRadius});
    plot.points.push_back({"the word looked at",
                           kBlack,
                           {{picture.place.x, picture.place.y}},
                           Marker::triangle,
                           kPlaceRadius});
}

void addRows(Table& table, const calibration::PlanePicture& picture, const Setting& setting,
             const std::vector<Contour>& contours, std::string_view shape) {
    for (const Contour& contour : contours) {
        table.rows.push_back({std::string(shape), contentOf(contour),
                              formatSignificant(picture.place.x + contour.centre.x, 4),
                              formatSignificant(picture.place.y + contour.centre.y, 4),
                              formatSignificant(contour.semiAxisX, 4),
                              formatSignificant(contour.semiAxisY, 4),
                              fmt::format("{} of {}", plane::countInside(setting.draws, contour),
                                          setting.draws.size())});
    }
}

std::string caption(const calibration::PlanePicture& picture, const Setting& setting, bool isTem) {
    const std::string projection =
        picture.isWhole ? "The vectors have no other dimensions."
                        : fmt::format(
                              "The plane holds {} of {}; words and noise extend into the other "
                              "dimensions, too.",
                              variancePercent(picture.shares[0] + picture.shares[1]),
                              picture.isDisk ? "the mean squared norm" : "the variance");
    const char* shape = setting.spherical.empty()
                            ? ""
                            : " Dashed: spherical noise of the same power (λ = 0); solid: the "
                              "noise of this setting.";
    const char* balls =
        picture.isDisk && !picture.isWhole && !isTem
            ? " The outlines are balls that hold their share in all dimensions; seen in the plane, "
              "more of the points lie within."
            : "";
    return fmt::format("{} of {} words drawn at random, and {} {} of “{}”.{}{} {}",
                       formatCount(static_cast<std::int64_t>(picture.words.size())),
                       formatCount(picture.vocabulary), setting.draws.size(),
                       isTem ? "outputs" : "noisy points", picture.word, shape, balls, projection);
}

}  // namespace

std::optional<Figure> planeFigure(const Report& report, const Findings& findings) {
    if (!report.run.plane) {
        return std::nullopt;
    }
    const calibration::CalibrationSummary& summary = *report.run.summary;
    const calibration::PlanePicture& picture = *report.run.plane;
    const std::size_t cell = findings.cell.value_or(0);
    const Setting& setting = picture.settings[cell];
    const bool isTem = summary.grid.mechanism.isExact();
    Plot plot;
    plot.title = fmt::format("Space around “{}” at {}", picture.word,
                             settingText(summary, summary.cells[cell]));
    plot.description = caption(picture, setting, isTem);
    plot.x = {axisTitle(picture, 0), false, {}};
    plot.y = {axisTitle(picture, 1), false, {}};
    plot.equalAspect = true;
    addOutlines(plot, picture, setting);
    addPoints(plot, picture, setting, isTem);
    Table table{"Outlines as drawn, with the points of the picture within them",
                {"shape", "holds", "centre x", "centre y", "semi-axis x", "semi-axis y", "points"},
                {}};
    addRows(table, picture, setting, setting.contours,
            picture.isDisk ? "ball of the disk" : "this setting");
    addRows(table, picture, setting, setting.spherical, "spherical");
    return Figure{plot.title + ". " + plot.description, svgPlot(plot), std::move(table)};
}

}  // namespace epsilens::report
