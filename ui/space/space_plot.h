#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <QTimer>

#include "ui/plot/plot_widget.h"
#include "ui/space/space_model.h"

class QCPCurve;
class QCPGraph;
class QCPItemText;

namespace epsilens::ui {

/// A text that wants to stand beside a point.
struct LabelRequest {
    QPointF anchor;  ///< pixels
    QSizeF size;
};

/// Places labels beside their points so that no two overlap, none covers another label's point and
/// all lie within bounds. Earlier requests choose first; one that finds no place gets none.
///
/// obstacles  further boxes to keep clear, such as a legend
/// Returns one box per request, in order.
[[nodiscard]] std::vector<std::optional<QRectF>> placeLabels(
    const std::vector<LabelRequest>& requests, const QRectF& bounds,
    const std::vector<QRectF>& obstacles);

/// Words in the plane of two principal axes with equal aspect, noise around one of them. The axes
/// follow the noise once it rests.
class SpacePlot : public PlotWidget {
    Q_OBJECT

public:
    explicit SpacePlot(QWidget* parent = nullptr);

    /// cloud       may be null
    /// word        nothing hides word, neighbours and noise
    /// neighbours  nearest first: the order in which labels choose their places
    void setWords(std::shared_ptr<const PlaneCloud> cloud, std::optional<PlaneWord> word,
                  std::vector<PlaneWord> neighbours);
    void setNoise(const PlottedNoise& noise);

    /// How many labels of points in sight the plot had no place for when it was drawn last.
    [[nodiscard]] int labelsLeftOut() const { return m_labelsLeftOut; }
    /// The word of the cloud at a place of the widget plot(), if one is near.
    [[nodiscard]] std::optional<Word> wordAt(const QPoint& position) const;
    /// Place of a point of the plane in the coordinates of plot().
    [[nodiscard]] QPointF positionOf(const PlanePoint& point) const;
    [[nodiscard]] QString visibleCsv() const override;

Q_SIGNALS:
    void wordClicked(const epsilens::ui::Word& word);
    void labelsPlaced();

protected:
    void applyTheme(const Theme& theme) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addGraphs();
    [[nodiscard]] std::span<const PlaneWord> cloudWords() const;
    void showNoise();
    void fillLegend();
    void fit();
    void afterLayout();
    /// Names the word and its neighbours; none covers another, a point that is named, or the
    /// legend.
    void nameWords();

    QCPGraph* m_cloudGraph = nullptr;
    QCPGraph* m_drawsGraph = nullptr;
    QCPGraph* m_neighbourGraph = nullptr;
    QCPGraph* m_wordGraph = nullptr;
    QCPCurve* m_edge = nullptr;  ///< the unit circle
    std::array<QCPCurve*, 2> m_contourCurves{};
    std::array<QCPCurve*, 2> m_sphericalCurves{};
    std::vector<QCPItemText*> m_labels;
    int m_labelsLeftOut = 0;

    std::shared_ptr<const PlaneCloud> m_cloud;
    std::optional<PlaneWord> m_word;
    std::vector<PlaneWord> m_neighbours;
    PlottedNoise m_noise;
    QTimer m_rest;  ///< runs while the noise moves
    QSize m_fittedSize;
    QPoint m_pressedAt;
};

}  // namespace epsilens::ui
