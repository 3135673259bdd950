#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "ui/plot/epsilon_plot.h"
#include "ui/tradeoff/trade_off_model.h"

class QCPAbstractItem;

namespace epsilens::ui {

/// What a plot of measured settings shows. Values are counts out of 100.
struct TradeOffPicture {
    struct Point {
        std::size_t cell = 0;  ///< of the result
        double x = 0.0;
        double y = 0.0;
        std::optional<std::array<double, 2>> ci95{};  ///< of y
        QString text{};                               ///< for the pointer
        QString csv{};                                ///< its row
        QString label{};                              ///< written beside it
        bool isBeaten = false;                        ///< drawn faint
    };
    struct Line {
        QString name{};  ///< in the legend, unless it is empty
        std::vector<Point> points{};
    };
    /// A value that does not depend on epsilon.
    struct Reference {
        QString name{};
        double value = 0.0;
        bool isLimit = false;
    };

    QString x{};  ///< title of the axis; empty: epsilon, logarithmic
    QString y{};
    std::vector<Line> lines{};  ///< with points
    std::vector<Reference> references{};
    QString csvTitle{};
    QString description{};
};

/// How many texts each classifier puts into the right class against epsilon, with what it does
/// without noise, with random words, and without looking, and where limits on that lie.
///
/// family  index into those of the result
[[nodiscard]] TradeOffPicture utilityPicture(const TradeOffResult& result, std::size_t family,
                                             const std::vector<evaluation::FigureLimit>& limits);

/// How many words each attacker guesses against epsilon, with what is guessed without the release,
/// and where limits on the best one lie.
[[nodiscard]] TradeOffPicture riskPicture(const TradeOffResult& result, std::size_t family,
                                          const std::vector<evaluation::FigureLimit>& limits);

/// What settings are worth against what they cost: a line for each family, points labelled with
/// their epsilon; a setting that another one beats in both is faint.
[[nodiscard]] TradeOffPicture frontierPicture(const TradeOffResult& result);

/// What each attacker guesses at a cell of the result, a line for each, with its interval.
[[nodiscard]] QString attackersText(const TradeOffResult& result, std::size_t cell);

/// Draws a picture, against epsilon with the cursor. A click on a measured point chooses its
/// setting.
class TradeOffPlot : public EpsilonPlot {
    Q_OBJECT

public:
    /// name  for assistive technology, "Accuracy against epsilon"
    TradeOffPlot(const char* objectName, const QString& name, QWidget* parent = nullptr);

    void setPicture(TradeOffPicture picture);
    /// Rings the points of a cell: of the present setting, or of that nearest to it. Results of
    /// other settings than those at hand are grey, have no cursor and are neither chosen nor
    /// exported.
    void mark(std::optional<std::size_t> cell, bool isOutdated);

    [[nodiscard]] const TradeOffPicture& picture() const { return m_picture; }
    [[nodiscard]] QString visibleCsv() const override;

Q_SIGNALS:
    /// A measured point was clicked.
    void cellChosen(std::size_t cell);

protected:
    void applyTheme(const Theme& theme) override;
    void readAt(const QMouseEvent& event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showHome();
    void rebuild();
    void addReferences();
    void addLine(const TradeOffPicture::Line& line, int index);
    [[nodiscard]] bool isOverEpsilon() const { return m_picture.x.isEmpty(); }
    /// The point nearest to a place of the plot, over epsilon to its left or right; null without
    /// one close by.
    [[nodiscard]] const TradeOffPicture::Point* pointAt(const QPoint& position);

    TradeOffPicture m_picture;
    std::vector<QCPAbstractItem*> m_texts;  ///< labels and what stands in an empty plot
    std::optional<std::size_t> m_marked;
    QPoint m_pressed;
    bool m_isOutdated = false;
};

}  // namespace epsilens::ui
