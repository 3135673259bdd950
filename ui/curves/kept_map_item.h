#pragma once

#include <optional>
#include <vector>

#include <qcustomplot.h>
#include <QColor>

#include "core/calibration/limits.h"
#include "ui/curves/curve_parameter.h"

namespace epsilens::ui {

/// How often words are kept at one epsilon of a row, and whether the limits hold there.
struct KeptPlace {
    double share = 0.0;         ///< mean share of the draws
    std::optional<bool> met{};  ///< nothing without limits, or where they cannot be told
};

/// Reads a curve of a run; nothing where nothing is known at the epsilon.
[[nodiscard]] std::optional<KeptPlace> keptPlace(const RunCurves& run, const Reading& reading,
                                                 const std::vector<calibration::Limit>& limits);

/// The rows of a KeptMap, row i at the height i of the y axis. Include in .cpp files only.
class KeptMapItem : public QCPAbstractItem {
public:
    struct Colours {
        QColor none;  ///< no draw keeps the word
        QColor all;
        QColor line;  ///< of hatches, borders and equal shares
        QColor frame;
    };

    explicit KeptMapItem(QCustomPlot* plot) : QCPAbstractItem(plot) {}

    /// limits  none where there is nothing to hatch
    /// framed  a row, or -1
    void show(RunCurvesHandle run, std::vector<calibration::Limit> limits, int framed,
              const Colours& colours);

    double selectTest(const QPointF& /*position*/, bool /*onlySelectable*/,
                      QVariant* /*details*/) const override {
        return -1.0;
    }

protected:
    void draw(QCPPainter* painter) override;

private:
    using Row = std::vector<std::optional<KeptPlace>>;  ///< one entry per pixel

    void paintShares(QCPPainter& painter, const Row& row, const QRectF& area) const;
    void paintOutside(QCPPainter& painter, const Row& row, const QRectF& area) const;
    void paintEqualShares(QCPPainter& painter, const Row& row, const QRectF& area,
                          bool isLabelled) const;

    RunCurvesHandle m_run;
    std::vector<calibration::Limit> m_limits;
    int m_framed = -1;
    Colours m_colours;
};

}  // namespace epsilens::ui
