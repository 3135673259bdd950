#pragma once

#include <vector>

#include <QString>
#include <QWidget>

namespace epsilens::ui::live {

/// The way from a word to one of its neighbours.
struct MarginRow {
    QString word{};
    double half = 0.0;        ///< half of the distance to it
    double spherical = 0.0;   ///< spread of spherical noise
    double elliptical = 0.0;  ///< spread of the noise as set, in the direction of the neighbour
};

/// What pulls a word away: for each near neighbour, half of its distance as a mark against the
/// spread of the noise in its direction as bars, spherical above elliptical.
class MarginList : public QWidget {
    Q_OBJECT

public:
    explicit MarginList(QWidget* parent = nullptr);

    /// lambda  of the noise as set, named beside its bars; at 0 both bars are one
    void setRows(std::vector<MarginRow> rows, double lambda);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int rowHeight() const;
    [[nodiscard]] int wordWidth() const;
    void paintLegend(QPainter& painter, int top) const;

    std::vector<MarginRow> m_rows;
    double m_lambda = 0.0;
};

}  // namespace epsilens::ui::live
