#include "ui/space/space_plot.h"

#include <algorithm>
#include <cmath>

#include <qcustomplot.h>
#include <QGuiApplication>
#include <QMouseEvent>

#include "ui/plot/plot_style.h"
#include "ui/space/label_layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr std::size_t kManyPoints = 6'000;  ///< from here on one pixel each
constexpr double kHomeMargin = 0.05;
constexpr double kHoverDistance = 7.0;  ///< pixels
constexpr int kClickDistance = 3;
constexpr int kRestMs = 400;         ///< after which the axes follow the noise
constexpr int kOutlinePoints = 128;  ///< corners of a drawn contour

/// Box around points of the plane, grown one by one.
struct Extent {
    QCPRange x{qQNaN(), qQNaN()};
    QCPRange y{qQNaN(), qQNaN()};

    void add(const PlanePoint& point) {
        x.expand(point.x);
        y.expand(point.y);
    }
    void add(const Contour& contour, const PlanePoint& word) {
        const double left = word.x + contour.centre.x;
        const double bottom = word.y + contour.centre.y;
        add({left - contour.semiAxisX, bottom - contour.semiAxisY});
        add({left + contour.semiAxisX, bottom + contour.semiAxisY});
    }
    [[nodiscard]] double side() const { return std::max(x.size(), y.size()); }
};

template <typename Plottable>
void setPoints(Plottable& plottable, const std::vector<PlanePoint>& points) {
    QVector<double> x;
    QVector<double> y;
    x.reserve(static_cast<qsizetype>(points.size()));
    y.reserve(static_cast<qsizetype>(points.size()));
    for (const PlanePoint& point : points) {
        x.append(point.x);
        y.append(point.y);
    }
    plottable.setData(x, y);
}

QString sphericalName(const Contour& contour) {
    return SpacePlot::tr("%1% spherical, λ 0").arg(std::lround(100.0 * contour.share));
}

double aspectOf(const QCustomPlot& plot) {
    const QSize size = plot.axisRect()->size();
    return size.height() > 0 ? static_cast<double>(size.width()) / size.height() : 1.0;
}

}  // namespace

SpacePlot::SpacePlot(QWidget* parent) : PlotWidget(parent) {
    QLocale numbers = QLocale::c();
    numbers.setNumberOptions(QLocale::OmitGroupSeparator);
    plot().setLocale(numbers);
    plot().setAutoAddPlottableToLegend(false);
    plot().addLayer(QStringLiteral("noise"), plot().layer(QStringLiteral("main")));
    m_noiseLayer = plot().layer(QStringLiteral("noise"));
    m_noiseLayer->setMode(QCPLayer::lmBuffered);
    addGraphs();
    placeLegendAbove(plot());
    // Its text names epsilon, so it is drawn apart from the cloud too.
    plot().legend->setVisible(true);
    plot().layer(QStringLiteral("legend"))->setMode(QCPLayer::lmBuffered);
    setEqualAspect(true);
    connect(&plot(), &QCustomPlot::afterLayout, this, &SpacePlot::afterLayout);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        if (QGuiApplication::mouseButtons() == Qt::NoButton) {
            fit();
        } else {
            m_rest.start();
        }
    });
    setAccessibleName(tr("Words and noise in the plane of two principal axes"));
    refreshTheme();
}

void SpacePlot::addGraphs() {
    const auto add = [this](const QString& name) {
        QCPGraph* graph = plot().addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setName(name);
        return graph;
    };
    m_cloudGraph = add(tr("words"));
    m_cloudGraph->setAntialiasedScatters(false);
    // A scatter style without a pen falls back to that of its graph.
    m_cloudGraph->setPen(Qt::NoPen);
    m_edge = new QCPCurve(plot().xAxis, plot().yAxis);
    m_edge->setName(tr("edge of the ball"));
    m_edge->setVisible(false);
    setPoints(*m_edge, plane::outline({0.0, 1.0, 1.0, {}}, {}, kOutlinePoints));
    plot().setCurrentLayer(QStringLiteral("noise"));
    m_drawsGraph = add(tr("draws"));
    m_neighbourGraph = add(tr("neighbours"));
    m_wordGraph = add(tr("selected word"));
    for (std::size_t i = 0; i < PlaneNoise::kShares.size(); ++i) {
        m_sphericalCurves[i] = new QCPCurve(plot().xAxis, plot().yAxis);
        m_contourCurves[i] = new QCPCurve(plot().xAxis, plot().yAxis);
    }
    plot().setCurrentLayer(QStringLiteral("main"));
}

void SpacePlot::setCloud(const PlottedCloud& cloud) {
    m_cloud = cloud;
    m_edge->setVisible(cloud.isDisk);
    setPoints(*m_cloudGraph, cloud.points);
    refreshTheme();
    fillLegend();
    fit();
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
    plot().layer(QStringLiteral("legend"))->replot();
}

void SpacePlot::showNoise() {
    const PlanePoint word = m_word ? m_word->point : PlanePoint();
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
            setPoints(*m_sphericalCurves[i], outline(reference[i], word, kOutlinePoints));
            m_sphericalCurves[i]->setName(sphericalName(reference[i]));
        }
        const bool hasOwn = m_word && i < own.size() && !isSpherical;
        m_contourCurves[i]->setVisible(hasOwn);
        if (hasOwn) {
            setPoints(*m_contourCurves[i], outline(own[i].contour, word, kOutlinePoints));
            m_contourCurves[i]->setName(own[i].name);
        }
    }
    std::vector<PlanePoint> draws;
    for (const PlanePoint& offset : m_noise.offsets) {
        draws.push_back({word.x + offset.x, word.y + offset.y});
    }
    setPoints(*m_drawsGraph, draws);
    m_drawsGraph->setVisible(m_word.has_value());
    m_drawsGraph->setName(m_noise.drawsName);
    fillLegend();
}

void SpacePlot::fillLegend() {
    plot().legend->clearItems();
    const auto addGraph = [](QCPGraph* graph) {
        if (graph->visible() && graph->dataCount() > 0) {
            graph->addToLegend();
        }
    };
    addGraph(m_cloudGraph);
    addGraph(m_wordGraph);
    addGraph(m_neighbourGraph);
    const auto addCurve = [](QCPCurve* curve) {
        if (curve->visible()) {
            curve->addToLegend();
        }
    };
    std::for_each(m_contourCurves.begin(), m_contourCurves.end(), addCurve);
    std::for_each(m_sphericalCurves.begin(), m_sphericalCurves.end(), addCurve);
    addGraph(m_drawsGraph);
    addCurve(m_edge);
    fitLegend(plot());
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
    if (m_noise.contours.empty()) {
        for (const PlanePoint& offset : m_noise.offsets) {
            extent.add({m_word->point.x + offset.x, m_word->point.y + offset.y});
        }
    }
    if (!(extent.side() > 0.0)) {
        return;
    }
    // The vertical axis follows the horizontal one, which has to leave it room enough.
    constexpr double kMargin = 1.3;
    const double half = 0.5 * kMargin * extent.side();
    const double besides = half * std::max(1.0, aspectOf(plot()));
    const double x = extent.x.center();
    const double y = extent.y.center();
    showRange({x - besides, x + besides}, {y - half, y + half});
}

void SpacePlot::fit() {
    Extent extent;
    for (const PlanePoint& point : m_cloud.points) {
        extent.add(point);
    }
    if (m_cloud.isDisk) {
        extent.add({0.0, 1.0, 1.0, {}}, {});
    }
    if (m_word) {
        extent.add(m_word->point);
        const double side = extent.side();
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
    if (std::isnan(extent.side())) {
        return;
    }
    const double aspect = aspectOf(plot());
    constexpr double kMargins = 1.0 + 2.0 * kHomeMargin;
    const double height = std::max(extent.y.size(), 1e-12) * kMargins;
    const double half = 0.5 * std::max(extent.x.size() * kMargins, height * aspect);
    const double x = extent.x.center();
    const double y = extent.y.center();
    setHomeRange({x - half, x + half}, {y - half / aspect, y + half / aspect});
}

// The room between the axes depends on their labels, and these on what is shown: to follow it, too,
// could go on for ever.
void SpacePlot::afterLayout() {
    if (plot().size() != m_fittedSize) {
        m_fittedSize = plot().size();
        fit();
        setEqualAspect(true);
    }
    placeLabels();
}

void SpacePlot::placeLabels() {
    std::vector<NamedPoint> named = m_neighbours;
    if (m_word) {
        named.insert(named.begin(), *m_word);
    }
    while (m_labels.size() < named.size()) {
        auto* label = new QCPItemText(&plot());
        label->setLayer(overlayLayer());
        label->position->setType(QCPItemPosition::ptAbsolute);
        label->setPositionAlignment(Qt::AlignTop | Qt::AlignLeft);
        label->setPadding(QMargins(2, 0, 2, 0));
        m_labels.push_back(label);
    }
    QFont bold = font();
    bold.setBold(true);
    std::vector<LabelRequest> requests;
    for (std::size_t i = 0; i < named.size(); ++i) {
        m_labels[i]->setFont(i == 0 && m_word ? bold : font());
        // Texts are painted from a whole pixel on, and their sizes are whole.
        const QFontMetricsF metrics(m_labels[i]->font());
        requests.push_back({positionOf(named[i].point),
                            {std::ceil(metrics.horizontalAdvance(named[i].name)) + 6.0,
                             std::ceil(metrics.height()) + 1.0}});
    }
    const QRectF view(plot().axisRect()->rect());
    const auto placed =
        epsilens::ui::placeLabels(requests, view, {QRectF(plot().legend->outerRect())});
    QColor behind = theme().surface;
    behind.setAlpha(200);
    m_labelsLeftOut = 0;
    for (std::size_t i = 0; i < m_labels.size(); ++i) {
        const bool isShown = i < placed.size() && placed[i];
        m_labels[i]->setVisible(isShown);
        if (isShown) {
            m_labels[i]->setText(named[i].name);
            m_labels[i]->setColor(theme().text);
            m_labels[i]->setBrush(behind);
            m_labels[i]->position->setCoords(placed[i]->topLeft());
        } else if (i < placed.size() && view.contains(requests[i].anchor)) {
            // Of points out of sight nobody misses the labels.
            ++m_labelsLeftOut;
        }
    }
    Q_EMIT labelsPlaced();
}

void SpacePlot::applyTheme(const Theme& theme) {
    PlotWidget::applyTheme(theme);
    if (m_wordGraph == nullptr) {
        return;
    }
    const bool hasMany = m_cloud.points.size() >= kManyPoints;
    QColor cloud = theme.mutedText;
    cloud.setAlpha(hasMany ? 90 : 130);
    m_cloudGraph->setScatterStyle(
        hasMany ? QCPScatterStyle(QCPScatterStyle::ssDot, cloud, 1.0)
                : QCPScatterStyle(QCPScatterStyle::ssSquare, Qt::NoPen, QBrush(cloud), 2.5));
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
    return {plot().xAxis->coordToPixel(point.x), plot().yAxis->coordToPixel(point.y)};
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
    if (watched == &plot() && event->type() == QEvent::MouseMove) {
        const auto& mouse = *static_cast<QMouseEvent*>(event);
        if (mouse.buttons() == Qt::NoButton) {
            Q_EMIT pointHovered(pointAt(mouse.pos()), mouse.globalPosition().toPoint());
        }
    } else if (watched == &plot() && event->type() == QEvent::MouseButtonPress) {
        m_pressedAt = static_cast<QMouseEvent*>(event)->pos();
    } else if (watched == &plot() && event->type() == QEvent::MouseButtonRelease) {
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
    const auto add = [&](const char* kind, const QString& name, const PlanePoint& point) {
        if (plot().xAxis->range().contains(point.x) && plot().yAxis->range().contains(point.y)) {
            QString quoted = name;
            quoted.replace(QLatin1Char('"'), QLatin1String("\"\""));
            csv += QStringLiteral("%1,\"%2\",%3,%4\n")
                       .arg(QLatin1String(kind), quoted, shortest(point.x), shortest(point.y));
        }
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
