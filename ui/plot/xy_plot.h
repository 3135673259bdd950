#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include <QPoint>
#include <QString>

#include "ui/plot/plot_widget.h"
#include "ui/widgets/rest_timer.h"

class QCPAbstractItem;
class QCPGraph;
class QCPItemStraightLine;
class QCPItemText;
class QCPScatterStyle;
class QMouseEvent;

namespace epsilens::ui {

struct PlotPoint {
    double x = 0.0;
    double y = 0.0;
    std::optional<std::array<double, 2>> range{};  ///< around y
    QString text{};                   ///< what the pointer reads; empty: y and its range
    QString label{};                  ///< written beside it
    std::optional<std::size_t> id{};  ///< what a click on it chooses
    bool isMarked = true;
    bool isFaint = false;
};

struct PlotSeries {
    QString name{};  ///< in the legend, unless it is empty
    std::vector<PlotPoint> points{};
    std::function<QColor(const Theme&)> colour{};  ///< empty: that of its place
    double width = 1.6;
    Qt::PenStyle style = Qt::SolidLine;
    bool hasBand = false;  ///< between the ends of ranges; else they are bars
};

struct PlotReference {
    QString name{};
    double value = 0.0;
    bool isLimit = false;
};

struct PlotAxis {
    QString title{};
    QString symbol{};  ///< of the value that the cursor sets: "ε"; empty: it cannot be moved
    bool isLogarithmic = false;
    std::optional<PlotWidget::Range> range{};  ///< at home; else that of the content
    std::function<QString(double)> text{};     ///< of a value; empty: short, of y one decimal
};

struct PlotContent {
    PlotAxis x{};
    PlotAxis y{};
    std::vector<PlotSeries> series{};  ///< points in the order of x, if there is a cursor
    std::vector<PlotReference> references{};
    std::optional<double> zoneFrom{};  ///< values from here on are shaded
    QString zoneText{};
    bool hasCursor = true;
    QString csvTitle{};     ///< names of series, x, y and the ends of ranges
    QString description{};  ///< for assistive technology; empty: follows from the rest
    QString emptyText{};    ///< stands where there is no series
};

/// Series against x, with a line at the present x that drags and arrow keys move.
class XyPlot : public PlotWidget {
    Q_OBJECT

public:
    XyPlot(const char* objectName, const QString& name, QWidget* parent = nullptr);

    void setContent(PlotContent content);
    [[nodiscard]] const PlotContent& content() const { return m_content; }
    /// Results of earlier settings are grey, have no cursor and are neither chosen nor exported.
    void setOutdated(bool outdated);
    void mark(std::optional<std::size_t> id);
    void setCursor(double x);
    [[nodiscard]] double cursor() const { return m_cursor; }
    [[nodiscard]] QPoint cursorPosition() const;
    void showXs(Range range);

    [[nodiscard]] QString visibleCsv() const override;

Q_SIGNALS:
    void cursorMoved(double x);
    void dragStarted();
    void dragFinished();
    void pointChosen(std::size_t id);

protected:
    void applyTheme(const Theme& theme) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showHome();
    void rebuild();
    void addZone();
    void addReferences();
    void addBand(const PlotSeries& series, const QColor& colour);
    void addSeries(const PlotSeries& series, int index, const QColor& colour);
    QCPGraph* addMarks(const QCPScatterStyle& style);
    void addText(const PlotPoint& point);
    void describeContent();
    void placeCursor();
    [[nodiscard]] bool hasCursor() const;
    [[nodiscard]] bool isOnCursor(const QPoint& position) const;
    [[nodiscard]] QColor colourOf(std::size_t index) const;
    [[nodiscard]] QString placeText(double x) const;
    /// "76.1 (74.0 to 78.6)": the value with its range, if it has one.
    [[nodiscard]] QString textOf(const PlotPoint& point) const;
    /// Of measured points the nearest one, else between two; nothing beyond the ends.
    [[nodiscard]] std::optional<PlotPoint> readSeries(const PlotSeries& series, double x) const;
    /// The point with an id close to a place, with a cursor to its left or right.
    [[nodiscard]] const PlotPoint* pointAt(const QPoint& position) const;
    [[nodiscard]] QStringList textsAt(double x) const;
    void readAt(const QMouseEvent& event);

    PlotContent m_content;
    std::vector<QCPAbstractItem*> m_items;  ///< of the content
    QCPItemStraightLine* m_line;
    QCPItemText* m_label;  ///< at the lower end of the line
    double m_cursor = 10.0;
    std::optional<std::size_t> m_marked;
    QPoint m_pressed;
    bool m_isDragging = false;
    bool m_isOutdated = false;
    RestTimer m_rest;  ///< of the cursor, after which the description follows it
};

}  // namespace epsilens::ui
