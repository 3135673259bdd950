#pragma once

#include <array>
#include <vector>

#include <QString>

#include "ui/space/plane_types.h"
#include "ui/widgets/theme.h"

class QCPAbstractPlottable;
class QCPCurve;
class QCPGraph;
class QCustomPlot;

namespace epsilens::ui {

/// The noise of the pinned settings around a word.
struct PlottedPin {
    std::vector<Contour> contours{};  ///< at most two, the wider last
    std::vector<QString> names{};     ///< of the contours
    std::vector<PlanePoint> offsets{};
    QString drawsName{};
};

/// The pinned noise in a plot: grey, contours in long dashes, draws as small crosses. So it differs
/// from the current noise, which is solid, and from spherical noise, in short dashes, by more than
/// its colour.
class PinnedNoiseItems {
public:
    /// Adds the curves to the plot's current layer.
    explicit PinnedNoiseItems(QCustomPlot& plot);

    /// word  nothing is shown where it is not visible
    void show(const PlottedPin& pin, const PlanePoint& word, bool isVisible);
    void applyTheme(const Theme& theme);
    /// What is visible of it, in the order of a legend.
    [[nodiscard]] std::vector<QCPAbstractPlottable*> shown() const;

private:
    std::array<QCPCurve*, 2> m_contours{};
    QCPGraph* m_draws;
};

}  // namespace epsilens::ui
