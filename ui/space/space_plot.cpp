#include "ui/space/space_plot.h"

#include <algorithm>
#include <cmath>

#include <qcustomplot.h>
#include <QGuiApplication>
#include <QMouseEvent>

#include "ui/plot/plot_legend.h"
#include "ui/space/plane_extent.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr std::size_t kManyPoints = 6'000;  ///< from here on one pixel each
constexpr double kHomeMargin = 0.05;
constexpr double kHoverDistance = 7.0;  ///< pixels
constexpr int kClickDistance = 3;
constexpr int kRestMs = 400;  ///< after which the axes follow the noise

void setPoints(QCPGraph& graph, const std::vector<PlanePoint>& points) {
    QVector<double> x;
    QVector<double> y;
    x.reserve(static_cast<qsizetype>(points.size()));
    y.reserve(static_cast<qsizetype>(points.size()));
    for (const PlanePoint& point : points) {
        x.append(point.x);
        y.append(point.y);
    }
    graph.setData(x, y);
}

void setOutline(QCPCurve& curve, const Contour& contour, const PlanePoint& centre) {
    QVector<double> x;
    QVector<double> y;
    for (const PlanePoint& point : outline(contour, centre, kOutlinePoints)) {
        x.append(point.x);
        y.append(point.y);
    }
    curve.setData(x, y);
}

QString shareName(double share) {
    return QStringLiteral("%1%").arg(std::lround(100.0 * share));
}

QString sphericalName(const Contour& contour) {
    return SpacePlot::tr("%1 spherical, λ 0").arg(shareName(contour.share));
}

}  // namespace

SpacePlot::SpacePlot(QWidget* parent)
    : PlotWidget(parent), m_canvas(&plot()), m_labels(plot(), overlayLayer()) {
    QLocale numbers = QLocale::c();
    numbers.setNumberOptions(QLocale::OmitGroupSeparator);
    m_canvas->setLocale(numbers);
    m_canvas->addLayer(QStringLiteral("noise"), m_canvas->layer(QStringLiteral("main")));
    m_noiseLayer = m_canvas->layer(QStringLiteral("noise"));
    m_noiseLayer->setMode(QCPLayer::lmBuffered);
    addGraphs();
    addContours();
    placeLegendAbove(*m_canvas);
    // Its text names epsilon, so it is drawn apart from the cloud too.
    m_canvas->legend->setVisible(true);
    m_canvas->layer(QStringLiteral("legend"))->setMode(QCPLayer::lmBuffered);
    setEqualAspect(true);
    connect(m_canvas, &QCustomPlot::afterLayout, this, &SpacePlot::afterLayout);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, &SpacePlot::fitWhenAtRest);
    setAccessibleName(tr("Words and noise in the plane of two principal axes"));
    refreshTheme();
}

void SpacePlot::addGraphs() {
    const auto add = [this](const char* layer, const QString& name) {
        m_canvas->setCurrentLayer(QLatin1String(layer));
        QCPGraph* graph = m_canvas->addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setName(name);
        return graph;
    };
    m_cloudGraph = add("main", tr("words"));
    m_cloudGraph->setAntialiasedScatters(false);
    // A scatter style without a pen falls back to that of its graph.
    m_cloudGraph->setPen(Qt::NoPen);
    m_drawsGraph = add("noise", tr("draws"));
    m_neighbourGraph = add("noise", tr("neighbours"));
    m_wordGraph = add("noise", tr("selected word"));
}

void SpacePlot::addContours() {
    m_canvas->setCurrentLayer(QStringLiteral("noise"));
    for (std::size_t i = 0; i < PlaneNoise::kShares.size(); ++i) {
        m_sphericalCurves[i] = new QCPCurve(m_canvas->xAxis, m_canvas->yAxis);
        m_contourCurves[i] = new QCPCurve(m_canvas->xAxis, m_canvas->yAxis);
    }
    m_canvas->setCurrentLayer(QStringLiteral("main"));
    m_edge = new QCPCurve(m_canvas->xAxis, m_canvas->yAxis);
    m_edge->setName(tr("edge of the ball"));
    m_edge->setVisible(false);
    setOutline(*m_edge, Contour{0.0, 1.0, 1.0, {}}, {});
}

void SpacePlot::setCloud(const PlottedCloud& cloud) {
    m_cloud = cloud;
    m_edge->setVisible(cloud.isDisk);
    setPoints(*m_cloudGraph, cloud.points);
    refreshTheme();
    fillLegend();
    fit();
    replotSoon();
}

void SpacePlot::setScene(const std::optional<NamedPoint>& word,
                         const std::vector<NamedPoint>& neighbours) {
    m_word = word;
    m_neighbours = neighbours;
    std::vector<PlanePoint> places;
    for (const NamedPoint& neighbour : m_neighbours) {
        places.push_back(neighbour.point);
    }
    setPoints(*m_neighbourGraph, places);
    setPoints(*m_wordGraph, m_word ? std::vector{m_word->point} : std::vector<PlanePoint>{});
    m_neighbourGraph->setVisible(!m_neighbours.empty());
    showNoise();
    fit();
    replotSoon();
}

void SpacePlot::setNoise(const PlottedNoise& noise) {
    const bool isFirst = m_noise.contours.empty() && m_noise.offsets.empty();
    m_noise = noise;
    showNoise();
    if (isFirst) {
        fit();
    } else {
        m_rest.start();
    }
    // Another view is drawn by itself; in the same one the cloud stays as it is.
    m_noiseLayer->replot();
    m_canvas->layer(QStringLiteral("legend"))->replot();
}

void SpacePlot::fitWhenAtRest() {
    if (QGuiApplication::mouseButtons() == Qt::NoButton) {
        fit();
    } else {
        m_rest.start();
    }
}

void SpacePlot::showNoise() {
    const bool visible = m_word.has_value();
    const PlanePoint centre = visible ? m_word->point : PlanePoint{};
    showContours(centre);
    std::vector<PlanePoint> draws;
    for (const PlanePoint& offset : m_noise.offsets) {
        draws.push_back({centre.x + offset.x, centre.y + offset.y});
    }
    setPoints(*m_drawsGraph, draws);
    m_drawsGraph->setVisible(visible && !draws.empty());
    m_drawsGraph->setName(m_noise.drawsName);
    fillLegend();
}

void SpacePlot::showContours(const PlanePoint& word) {
    const auto& own = m_noise.contours;
    const auto& reference = m_noise.spherical;
    // Elliptical contours that are spherical would only cover those they are compared with.
    const bool isSpherical = !own.empty() && !reference.empty() &&
                             own[0].contour.semiAxisX == reference[0].semiAxisX &&
                             own[0].contour.semiAxisY == reference[0].semiAxisY;
    for (std::size_t i = 0; i < m_contourCurves.size(); ++i) {
        const bool hasReference = m_word && i < reference.size();
        m_sphericalCurves[i]->setVisible(hasReference);
        if (hasReference) {
            setOutline(*m_sphericalCurves[i], reference[i], word);
            m_sphericalCurves[i]->setName(sphericalName(reference[i]));
        }
        const bool hasOwn = m_word && i < own.size() && !isSpherical;
        m_contourCurves[i]->setVisible(hasOwn);
        if (hasOwn) {
            setOutline(*m_contourCurves[i], own[i].contour, word);
            m_contourCurves[i]->setName(own[i].name);
        }
    }
}

void SpacePlot::fillLegend() {
    std::vector<QCPAbstractPlottable*> shown;
    for (QCPGraph* graph : {m_cloudGraph, m_wordGraph, m_neighbourGraph}) {
        if (graph->visible() && graph->dataCount() > 0) {
            shown.push_back(graph);
        }
    }
    for (QCPAbstractPlottable* plottable : std::initializer_list<QCPAbstractPlottable*>{
             m_contourCurves[0], m_contourCurves[1], m_sphericalCurves[0], m_sphericalCurves[1],
             m_drawsGraph, m_edge}) {
        if (plottable->visible()) {
            shown.push_back(plottable);
        }
    }
    m_canvas->legend->clearItems();
    for (QCPAbstractPlottable* plottable : shown) {
        plottable->addToLegend();
    }
    fitLegend(*m_canvas);
}

void SpacePlot::zoomToNoise() {
    if (!m_word) {
        return;
    }
    Extent extent;
    extent.add(m_word->point);
    for (const NamedContour& named : m_noise.contours) {
        extent.add(named.contour, m_word->point);
    }
    for (const PlanePoint& offset : m_noise.offsets) {
        if (m_noise.contours.empty()) {
            extent.add({m_word->point.x + offset.x, m_word->point.y + offset.y});
        }
    }
    const double width = std::max(extent.right - extent.left, extent.top - extent.bottom);
    if (!(width > 0.0)) {
        return;
    }
    const PlanePoint middle{0.5 * (extent.left + extent.right), 0.5 * (extent.bottom + extent.top)};
    // The vertical axis follows the horizontal one, which has to leave it room enough.
    constexpr double kMargin = 1.3;
    const QSize size = m_canvas->axisRect()->size();
    const double aspect =
        size.height() > 0 ? std::max(1.0, static_cast<double>(size.width()) / size.height()) : 1.0;
    const double half = 0.5 * kMargin * width;
    showRange({middle.x - half * aspect, middle.x + half * aspect},
              {middle.y - half, middle.y + half});
}

void SpacePlot::fit() {
    Extent extent;
    for (const PlanePoint& point : m_cloud.points) {
        extent.add(point);
    }
    if (m_cloud.isDisk) {
        extent.add(Contour{0.0, 1.0, 1.0, {}}, {});
    }
    if (m_word) {
        extent.add(m_word->point);
        const double side = std::max(extent.right - extent.left, extent.top - extent.bottom);
        for (const NamedContour& named : m_noise.contours) {
            // A radius that encloses everything would only make everything small.
            if (named.contour.share > 0.0 || named.contour.semiAxisX < side) {
                extent.add(named.contour, m_word->point);
            }
        }
        for (const Contour& contour : m_noise.spherical) {
            extent.add(contour, m_word->point);
        }
    }
    if (extent.isEmpty()) {
        return;
    }
    const QSize size = m_canvas->axisRect()->size();
    const double aspect = size.height() > 0 ? static_cast<double>(size.width()) / size.height() : 1;
    const double height = std::max(extent.top - extent.bottom, 1e-12) * (1.0 + 2.0 * kHomeMargin);
    const double width =
        std::max((extent.right - extent.left) * (1.0 + 2.0 * kHomeMargin), height * aspect);
    const double x = 0.5 * (extent.left + extent.right);
    const double y = 0.5 * (extent.bottom + extent.top);
    setHomeRange({x - 0.5 * width, x + 0.5 * width},
                 {y - 0.5 * width / aspect, y + 0.5 * width / aspect});
}

// The room between the axes depends on their labels, and these on what is shown: to follow it, too,
// could go on for ever.
void SpacePlot::afterLayout() {
    if (m_canvas->size() != m_fittedSize) {
        m_fittedSize = m_canvas->size();
        fit();
        setEqualAspect(true);
    }
    placeLabels();
}

void SpacePlot::placeLabels() {
    std::vector<NamedPoint> named;
    if (m_word) {
        named.push_back(*m_word);
    }
    named.insert(named.end(), m_neighbours.begin(), m_neighbours.end());
    m_labels.place(named, m_word.has_value(), font(), theme());
    Q_EMIT labelsPlaced();
}

void SpacePlot::applyTheme(const Theme& theme) {
    PlotWidget::applyTheme(theme);
    if (m_wordGraph == nullptr) {
        return;
    }
    m_canvas->legend->setBorderPen(Qt::NoPen);
    m_canvas->legend->setBrush(Qt::NoBrush);
    QColor cloud = theme.mutedText;
    cloud.setAlpha(m_cloud.points.size() < kManyPoints ? 130 : 90);
    m_cloudGraph->setScatterStyle(
        m_cloud.points.size() < kManyPoints
            ? QCPScatterStyle(QCPScatterStyle::ssSquare, Qt::NoPen, QBrush(cloud), 2.5)
            : QCPScatterStyle(QCPScatterStyle::ssDot, cloud, 1.0));
    // Thin strokes need more contrast on white than the purple of fills has.
    const QColor draws = theme.dark ? theme.series(3) : theme.series(3).darker(130);
    m_drawsGraph->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssPlus, QPen(draws, 1.2), Qt::NoBrush, 5.0));
    m_neighbourGraph->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.series(2), 1.8), theme.surface, 7.0));
    m_wordGraph->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(theme.surface, 1.2), theme.text, 11.0));
    for (std::size_t i = 0; i < m_contourCurves.size(); ++i) {
        const double width = i == 0 ? 1.4 : 2.2;
        m_contourCurves[i]->setPen(QPen(theme.series(0), width));
        m_sphericalCurves[i]->setPen(QPen(theme.text, width, Qt::DashLine));
    }
    m_edge->setPen(QPen(theme.mutedText, 1.0, Qt::DotLine));
}

QPointF SpacePlot::positionOf(const PlanePoint& point) const {
    return {m_canvas->xAxis->coordToPixel(point.x), m_canvas->yAxis->coordToPixel(point.y)};
}

std::optional<std::size_t> SpacePlot::pointAt(const QPoint& position) const {
    std::optional<std::size_t> nearest;
    double least = kHoverDistance * kHoverDistance;
    for (std::size_t i = 0; i < m_cloud.points.size(); ++i) {
        const QPointF offset = positionOf(m_cloud.points[i]) - position;
        const double distance = QPointF::dotProduct(offset, offset);
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

bool SpacePlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_canvas && event->type() == QEvent::MouseMove) {
        const auto& mouse = *static_cast<QMouseEvent*>(event);
        if (mouse.buttons() == Qt::NoButton) {
            Q_EMIT pointHovered(pointAt(mouse.pos()), mouse.globalPosition().toPoint());
        }
    } else if (watched == m_canvas && event->type() == QEvent::MouseButtonPress) {
        m_pressedAt = static_cast<QMouseEvent*>(event)->pos();
    } else if (watched == m_canvas && event->type() == QEvent::MouseButtonRelease) {
        const auto& mouse = *static_cast<QMouseEvent*>(event);
        const bool isClick = mouse.button() == Qt::LeftButton &&
                             (mouse.pos() - m_pressedAt).manhattanLength() <= kClickDistance;
        if (const auto index = isClick ? pointAt(mouse.pos()) : std::nullopt) {
            Q_EMIT pointClicked(*index);
        }
    }
    return PlotWidget::eventFilter(watched, event);
}

QString SpacePlot::visibleCsv() const {
    QString csv = m_cloud.isDisk ? QStringLiteral("kind,name,direction1,direction2\n")
                                 : QStringLiteral("kind,name,pc1,pc2\n");
    const QCPRange x = m_canvas->xAxis->range();
    const QCPRange y = m_canvas->yAxis->range();
    const auto add = [&](const char* kind, const QString& name, const PlanePoint& point) {
        if (!x.contains(point.x) || !y.contains(point.y)) {
            return;
        }
        QString quoted = name;
        quoted.replace(QLatin1Char('"'), QLatin1String("\"\""));
        csv += QStringLiteral("%1,\"%2\",%3,%4\n")
                   .arg(QLatin1String(kind), quoted, shortest(point.x), shortest(point.y));
    };
    if (m_word) {
        add("word", m_word->name, m_word->point);
    }
    for (const NamedPoint& neighbour : m_neighbours) {
        add("neighbour", neighbour.name, neighbour.point);
    }
    for (const PlanePoint& point : m_cloud.points) {
        add("point", {}, point);
    }
    if (!m_word) {
        return csv;
    }
    const auto addOutline = [&](const char* kind, const QString& name, const Contour& contour) {
        for (const PlanePoint& point : outline(contour, m_word->point, kOutlinePoints)) {
            add(kind, name, point);
        }
    };
    for (const PlanePoint& offset : m_noise.offsets) {
        add("draw", {}, {m_word->point.x + offset.x, m_word->point.y + offset.y});
    }
    for (const NamedContour& contour : m_noise.contours) {
        addOutline("contour", contour.name, contour.contour);
    }
    for (const Contour& contour : m_noise.spherical) {
        addOutline("spherical contour", sphericalName(contour), contour);
    }
    return csv;
}

}  // namespace epsilens::ui
