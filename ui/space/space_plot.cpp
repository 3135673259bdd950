#include "ui/space/space_plot.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <utility>

#include <qcustomplot.h>
#include <QGuiApplication>
#include <QMouseEvent>
#include <QToolTip>

#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using plane::PlanePoint;

constexpr double kHomeMargin = 0.05;
constexpr double kHoverDistance = 7.0;  ///< pixels
constexpr int kClickDistance = 3;
constexpr int kAxesRestMs = 400;      ///< after which the axes follow the noise
constexpr int kAxisNumberWidth = 60;  ///< of an axis
constexpr int kOutlinePoints = 128;   ///< corners of a drawn contour

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

constexpr double kGap = 6.0;  ///< between a point and its label
constexpr double kPointHalfWidth = 3.0;

// Unit directions in the order readers find labels natural: right, left, above, below, diagonals.
constexpr std::array<QPointF, 12> kDirections{
    QPointF{1.0, 0.0},    QPointF{-1.0, 0.0},  QPointF{0.0, -1.0},    QPointF{0.0, 1.0},
    QPointF{0.7, -0.7},   QPointF{0.7, 0.7},   QPointF{-0.7, -0.7},   QPointF{-0.7, 0.7},
    QPointF{0.92, -0.38}, QPointF{0.92, 0.38}, QPointF{-0.92, -0.38}, QPointF{-0.92, 0.38}};

QRectF boxAt(const LabelRequest& request, const QPointF& direction) {
    const QPointF centre(request.anchor.x() + direction.x() * (kGap + request.size.width() / 2.0),
                         request.anchor.y() + direction.y() * (kGap + request.size.height() / 2.0));
    return {centre.x() - request.size.width() / 2.0, centre.y() - request.size.height() / 2.0,
            request.size.width(), request.size.height()};
}

}  // namespace

std::vector<std::optional<QRectF>> placeLabels(const std::vector<LabelRequest>& requests,
                                               const QRectF& bounds,
                                               const std::vector<QRectF>& obstacles) {
    std::vector<QRectF> taken = obstacles;
    const QPointF half(kPointHalfWidth, kPointHalfWidth);
    for (const LabelRequest& request : requests) {
        taken.emplace_back(request.anchor - half, request.anchor + half);
    }
    const auto isFree = [&](const QRectF& box) {
        return bounds.contains(box) && std::ranges::none_of(taken, [&box](const QRectF& other) {
                   return other.intersects(box);
               });
    };
    std::vector<std::optional<QRectF>> placed(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (!bounds.contains(requests[i].anchor)) {
            continue;
        }
        for (const QPointF& direction : kDirections) {
            const QRectF box = boxAt(requests[i], direction);
            if (isFree(box)) {
                placed[i] = box;
                taken.push_back(box);
                break;
            }
        }
    }
    return placed;
}

SpacePlot::SpacePlot(QWidget* parent) : PlotWidget(parent) {
    // Layers of their own keep the cloud and the room of the axes as they are while epsilon moves.
    plot().addLayer(QStringLiteral("noise"), plot().layer(QStringLiteral("main")));
    for (const char* name : {"noise", "legend"}) {
        plot().layer(QLatin1String(name))->setMode(QCPLayer::lmBuffered);
    }
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
    for (std::size_t i = 0; i < m_contourCurves.size(); ++i) {
        m_sphericalCurves[i] = new QCPCurve(plot().xAxis, plot().yAxis);
        m_contourCurves[i] = new QCPCurve(plot().xAxis, plot().yAxis);
    }
    plot().setCurrentLayer(QStringLiteral("main"));
    plot().legend->setVisible(true);
    setEqualAspect(true);
    // Room for any number, so that the axes are not made shorter by what they show.
    plot().axisRect()->setMinimumMargins({fontMetrics().height() + kAxisNumberWidth, 0, 0, 0});
    // Labels depend on what is shown: to follow their room, too, could go on for ever.
    connect(&plot(), &QCustomPlot::afterLayout, this, [this] {
        if (plot().size() != m_fittedSize) {
            m_fittedSize = plot().size();
            fit();
        }
        nameWords();
    });
    m_rest.setSingleShot(true);
    m_rest.setInterval(kAxesRestMs);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        if (QGuiApplication::mouseButtons() == Qt::NoButton) {
            fit();
        } else {
            m_rest.start();
        }
    });
    refreshTheme();
}

void SpacePlot::setWords(PlottedWords words) {
    m_words = std::move(words);
    m_edge->setVisible(m_words.isDisk);
    const auto show = [](QCPGraph& graph, const auto& some) {
        std::vector<PlanePoint> points;
        std::ranges::transform(some, std::back_inserter(points), &PlaneWord::point);
        setPoints(graph, points);
    };
    show(*m_cloudGraph, m_words.cloud);
    show(*m_neighbourGraph, m_words.neighbours);
    show(*m_wordGraph, m_words.word ? std::vector{*m_words.word} : std::vector<PlaneWord>());
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
    for (const char* name : {"noise", "legend"}) {
        plot().layer(QLatin1String(name))->replot();
    }
}

void SpacePlot::showNoise() {
    const bool hasWord = m_words.word.has_value();
    const PlanePoint word = hasWord ? m_words.word->point : PlanePoint();
    const auto& own = m_noise.contours;
    const auto& reference = m_noise.spherical;
    // Elliptical contours that are spherical would only cover those they are compared with.
    const bool isSpherical = !own.empty() && !reference.empty() &&
                             own[0].contour.semiAxisX == reference[0].contour.semiAxisX &&
                             own[0].contour.semiAxisY == reference[0].contour.semiAxisY;
    const auto show = [&](QCPCurve& curve, const std::vector<NamedContour>& contours,
                          std::size_t index) {
        curve.setVisible(hasWord && index < contours.size());
        if (curve.visible()) {
            setPoints(curve, outline(contours[index].contour, word, kOutlinePoints));
            curve.setName(contours[index].name);
        }
    };
    for (std::size_t i = 0; i < m_contourCurves.size(); ++i) {
        show(*m_sphericalCurves[i], reference, i);
        show(*m_contourCurves[i], isSpherical ? std::vector<NamedContour>() : own, i);
    }
    std::vector<PlanePoint> draws;
    for (const PlanePoint& offset : m_noise.offsets) {
        draws.push_back({word.x + offset.x, word.y + offset.y});
    }
    setPoints(*m_drawsGraph, draws);
    m_drawsGraph->setVisible(hasWord);
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
    std::ranges::for_each(std::array{m_cloudGraph, m_wordGraph, m_neighbourGraph}, addGraph);
    for (QCPCurve* curve : {m_contourCurves[0], m_contourCurves[1], m_sphericalCurves[0],
                            m_sphericalCurves[1], m_edge}) {
        if (curve->visible()) {
            curve->addToLegend();
        }
    }
    addGraph(m_drawsGraph);
    fitLegend();
}

void SpacePlot::fit() {
    QCPRange x{qQNaN(), qQNaN()};
    QCPRange y = x;
    for (const QCPAbstractPlottable* shown : std::initializer_list<const QCPAbstractPlottable*>{
             m_cloudGraph, m_edge, m_wordGraph, m_sphericalCurves[0], m_sphericalCurves[1],
             m_contourCurves[0], m_contourCurves[1]}) {
        bool isThere = shown->visible();
        const QCPRange keys = shown->getKeyRange(isThere);
        const QCPRange values = shown->getValueRange(isThere);
        if (shown->visible() && isThere) {
            x.expand(keys);
            y.expand(values);
        }
    }
    if (std::isnan(x.size())) {
        return;
    }
    const QSize size = plot().axisRect()->size();
    const double aspect =
        size.height() > 0 ? static_cast<double>(size.width()) / size.height() : 1.0;
    constexpr double kMargins = 1.0 + 2.0 * kHomeMargin;
    const double height = std::max(y.size(), 1e-12) * kMargins;
    const double half = 0.5 * std::max(x.size() * kMargins, height * aspect);
    setHomeRange({x.center() - half, x.center() + half},
                 {y.center() - half / aspect, y.center() + half / aspect});
}

/// Names the word and its neighbours; none covers another, a point that is named, or the legend.
void SpacePlot::nameWords() {
    std::vector<PlaneWord> named = m_words.neighbours;
    if (m_words.word) {
        named.insert(named.begin(), *m_words.word);
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
        m_labels[i]->setFont(i == 0 && m_words.word ? bold : font());
        // Texts are painted from a whole pixel on, and their sizes are whole.
        const QFontMetricsF metrics(m_labels[i]->font());
        requests.push_back({positionOf(named[i].point),
                            {std::ceil(metrics.horizontalAdvance(named[i].word.text())) + 6.0,
                             std::ceil(metrics.height()) + 1.0}});
    }
    const QRectF view(plot().axisRect()->rect());
    const auto placed = placeLabels(requests, view, {QRectF(plot().legend->outerRect())});
    QColor behind = theme().surface;
    behind.setAlpha(200);
    m_labelsLeftOut = 0;
    for (std::size_t i = 0; i < m_labels.size(); ++i) {
        const bool isShown = i < placed.size() && placed[i];
        m_labels[i]->setVisible(isShown);
        if (isShown) {
            m_labels[i]->setText(named[i].word.text());
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
    QColor cloud = theme.mutedText;
    cloud.setAlpha(130);
    m_cloudGraph->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssSquare, Qt::NoPen, QBrush(cloud), 2.5));
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

std::optional<Word> SpacePlot::wordAt(const QPoint& position) const {
    std::optional<Word> nearest;
    double least = kHoverDistance * kHoverDistance;
    for (const PlaneWord& word : m_words.cloud) {
        const QPointF offset = positionOf(word.point) - position;
        const double distance = QPointF::dotProduct(offset, offset);
        if (distance < least) {
            least = distance;
            nearest = word.word;
        }
    }
    return nearest;
}

bool SpacePlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched != &plot()) {
        return PlotWidget::eventFilter(watched, event);
    }
    if (event->type() == QEvent::MouseMove) {
        const auto& mouse = *static_cast<QMouseEvent*>(event);
        const auto word = mouse.buttons() == Qt::NoButton ? wordAt(mouse.pos()) : std::nullopt;
        QToolTip::showText(mouse.globalPosition().toPoint(), word ? word->text() : QString(), this);
    } else if (event->type() == QEvent::MouseButtonPress) {
        m_pressedAt = static_cast<QMouseEvent*>(event)->pos();
    } else if (event->type() == QEvent::MouseButtonRelease) {
        const auto& mouse = *static_cast<QMouseEvent*>(event);
        const bool isClick = mouse.button() == Qt::LeftButton &&
                             (mouse.pos() - m_pressedAt).manhattanLength() <= kClickDistance;
        if (const auto word = isClick ? wordAt(mouse.pos()) : std::nullopt) {
            Q_EMIT wordClicked(*word);
        }
    }
    return PlotWidget::eventFilter(watched, event);
}

QString SpacePlot::visibleCsv() const {
    QString csv = m_edge->visible() ? QStringLiteral("kind,name,direction1,direction2\n")
                                    : QStringLiteral("kind,name,pc1,pc2\n");
    const auto add = [&](const char* kind, const QString& name, const PlanePoint& point) {
        if (plot().xAxis->range().contains(point.x) && plot().yAxis->range().contains(point.y)) {
            csv +=
                QStringLiteral("%1,%2,%3,%4\n")
                    .arg(QLatin1String(kind), csvField(name), shortest(point.x), shortest(point.y));
        }
    };
    if (m_words.word) {
        add("word", m_words.word->word.text(), m_words.word->point);
    }
    for (const PlaneWord& neighbour : m_words.neighbours) {
        add("neighbour", neighbour.word.text(), neighbour.point);
    }
    for (const PlaneWord& word : m_words.cloud) {
        add("point", {}, word.point);
    }
    if (!m_words.word) {
        return csv;
    }
    const PlanePoint place = m_words.word->point;
    for (const PlanePoint& offset : m_noise.offsets) {
        add("draw", {}, {place.x + offset.x, place.y + offset.y});
    }
    const auto addOutlines = [&](const char* kind, const std::vector<NamedContour>& contours) {
        for (const NamedContour& named : contours) {
            for (const PlanePoint& point : outline(named.contour, place, kOutlinePoints)) {
                add(kind, named.name, point);
            }
        }
    };
    addOutlines("contour", m_noise.contours);
    addOutlines("spherical contour", m_noise.spherical);
    return csv;
}

}  // namespace epsilens::ui
