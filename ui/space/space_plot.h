#pragma once

#include <array>
#include <optional>
#include <vector>

#include <QTimer>

#include "core/plane/plane_noise.h"
#include "ui/plot/plot_widget.h"
#include "ui/state/word.h"

class QCPCurve;
class QCPGraph;
class QCPItemText;

namespace epsilens::ui {

struct PlaneWord {
    Word word;
    plane::PlanePoint point{};
    double distance = 0.0;  ///< from the selected word, as the mechanism measures
};

struct PlottedWords {
    bool isDisk = false;
    std::vector<PlaneWord> cloud{};
    std::optional<PlaneWord> word{};      ///< nothing hides its neighbours and the noise, too
    std::vector<PlaneWord> neighbours{};  ///< nearest first, as labels choose their places
};

struct NamedContour {
    plane::Contour contour{};
    QString name{};
};

/// The noise around the word: contours of the mechanism, spherical ones for comparison, and draws.
struct PlottedNoise {
    std::vector<NamedContour> contours{};      ///< at most two, the wider last
    std::vector<NamedContour> spherical{};     ///< of PlaneNoise::kShares, or none
    std::vector<plane::PlanePoint> offsets{};  ///< of draws from the word
    QString drawsName{};                       ///< "200 draws at ε 10"
};

struct LabelRequest {
    QPointF anchor;  ///< pixels
    QSizeF size;
};

/// Places labels beside their points so that no two overlap, none covers another label's point and
/// all lie within bounds. Earlier requests choose first; one that finds no place gets none.
///
/// obstacles  further boxes to keep clear, such as a legend
[[nodiscard]] std::vector<std::optional<QRectF>> placeLabels(
    const std::vector<LabelRequest>& requests, const QRectF& bounds,
    const std::vector<QRectF>& obstacles);

/// Words in a plane with equal aspect, noise around one of them. The axes follow the noise once it
/// rests.
class SpacePlot : public PlotWidget {
    Q_OBJECT

public:
    explicit SpacePlot(QWidget* parent = nullptr);

    void setWords(PlottedWords words);
    void setNoise(const PlottedNoise& noise);

    [[nodiscard]] int labelsLeftOut() const { return m_labelsLeftOut; }
    [[nodiscard]] std::optional<Word> wordAt(const QPoint& position) const;
    [[nodiscard]] QPointF positionOf(const plane::PlanePoint& point) const;
    [[nodiscard]] QString visibleCsv() const override;

Q_SIGNALS:
    void wordClicked(const epsilens::ui::Word& word);
    void labelsPlaced();

protected:
    void applyTheme(const Theme& theme) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showNoise();
    void fillLegend();
    void fit();
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

    PlottedWords m_words;
    PlottedNoise m_noise;
    QTimer m_rest;  ///< runs while the noise moves
    QSize m_fittedSize;
    QPoint m_pressedAt;
};

}  // namespace epsilens::ui
