#pragma once

#include <array>
#include <optional>
#include <vector>

#include <QString>
#include <QTimer>

#include "ui/plot/plot_widget.h"
#include "ui/space/plane_jobs.h"

class QCPCurve;
class QCPGraph;
class QCPItemText;
class QCPLayer;

namespace epsilens::ui {

/// Words of the plane, which the pointer can name and select.
struct PlottedCloud {
    std::vector<PlanePoint> points{};
    bool isDisk = false;  ///< the unit circle bounds the picture
};

/// A point with a name.
struct NamedPoint {
    PlanePoint point{};
    QString name{};
};

/// A contour and what the legend calls it.
struct NamedContour {
    Contour contour{};
    QString name{};
};

/// The noise around a word: the mechanism's contours, spherical ones for comparison, and draws.
struct PlottedNoise {
    std::vector<NamedContour> contours{};  ///< at most two, the wider last
    std::vector<Contour> spherical{};      ///< of PlaneNoise::kShares, or none
    std::vector<PlanePoint> offsets{};     ///< of draws, from the word
    QString drawsName{};                   ///< "200 draws at ε 10"
};

/// Words in the plane of two principal axes with equal aspect, noise around one of them.
///
/// The cloud is drawn once per view; contours, draws and labels lie on layers of their own, so that
/// another epsilon draws those only; the axes follow it once it rests.
class SpacePlot : public PlotWidget {
    Q_OBJECT

public:
    explicit SpacePlot(QWidget* parent = nullptr);

    void setCloud(const PlottedCloud& cloud);
    /// word        nothing hides word, neighbours and noise
    /// neighbours  nearest first: the order in which labels choose their places
    void setScene(const std::optional<NamedPoint>& word, const std::vector<NamedPoint>& neighbours);
    void setNoise(const PlottedNoise& noise);

    /// How many labels of points in sight the plot had no place for when it was drawn last.
    [[nodiscard]] int labelsLeftOut() const { return m_labelsLeftOut; }
    /// Index of the cloud's point at a place of the widget plot(), if one is near.
    [[nodiscard]] std::optional<std::size_t> pointAt(const QPoint& position) const;
    /// Place of a point of the plane in the coordinates of plot().
    [[nodiscard]] QPointF positionOf(const PlanePoint& point) const;
    [[nodiscard]] QString visibleCsv() const override;

public Q_SLOTS:
    /// Shows the word with its contours and draws as large as they fit.
    void zoomToNoise();

Q_SIGNALS:
    /// The pointer rests on a point of the cloud, or on none.
    void pointHovered(std::optional<std::size_t> index, const QPoint& globalPosition);
    void pointClicked(std::size_t index);
    void labelsPlaced();

protected:
    void applyTheme(const Theme& theme) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addGraphs();
    void showNoise();
    void fillLegend();
    void fit();
    void afterLayout();
    /// Names the word and its neighbours; none covers another, a point that is named, or the
    /// legend.
    void placeLabels();

    QCPLayer* m_noiseLayer = nullptr;
    QCPGraph* m_cloudGraph = nullptr;
    QCPGraph* m_drawsGraph = nullptr;
    QCPGraph* m_neighbourGraph = nullptr;
    QCPGraph* m_wordGraph = nullptr;
    QCPCurve* m_edge = nullptr;  ///< the unit circle
    std::array<QCPCurve*, 2> m_contourCurves{};
    std::array<QCPCurve*, 2> m_sphericalCurves{};
    std::vector<QCPItemText*> m_labels;
    int m_labelsLeftOut = 0;

    PlottedCloud m_cloud;
    std::optional<NamedPoint> m_word;
    std::vector<NamedPoint> m_neighbours;
    PlottedNoise m_noise;
    QTimer m_rest;  ///< runs while the noise moves
    QSize m_fittedSize;
    QPoint m_pressedAt;
};

}  // namespace epsilens::ui
