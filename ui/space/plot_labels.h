#pragma once

#include <vector>

#include <QFont>
#include <QString>

#include "ui/space/plane_types.h"

class QCPItemText;
class QCPLayer;
class QCustomPlot;

namespace epsilens::ui {

struct Theme;

/// A point with a name.
struct NamedPoint {
    PlanePoint point{};
    QString name{};
};

/// Names beside points of a plot. None covers another, a point that is named, or the legend.
class PlotLabels {
public:
    /// plot, layer  outlive the labels; the items belong to the plot
    PlotLabels(QCustomPlot& plot, QCPLayer* layer) : m_plot(plot), m_layer(layer) {}

    /// points  earlier ones choose their places first
    /// isBold  whether the first name is bold
    void place(const std::vector<NamedPoint>& points, bool isBold, const QFont& font,
               const Theme& theme);
    /// How many names of points in sight there was no place for.
    [[nodiscard]] int leftOut() const { return m_leftOut; }

private:
    void ensure(std::size_t count);

    QCustomPlot& m_plot;
    QCPLayer* m_layer;
    std::vector<QCPItemText*> m_texts;
    int m_leftOut = 0;
};

}  // namespace epsilens::ui
