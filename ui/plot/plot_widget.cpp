#include "ui/plot/plot_widget.h"

#include <utility>

#include <qcustomplot.h>
#include <QEvent>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QResizeEvent>
#include <QVBoxLayout>

#include "ui/plot/plot_legend.h"
#include "ui/plot/plot_menu_button.h"
#include "ui/widgets/focus_frame.h"

namespace epsilens::ui {

namespace {

void paintAxis(QCPAxis& axis, const Theme& theme) {
    const QPen line(theme.mutedText, 1.0);
    axis.setBasePen(line);
    axis.setTickPen(line);
    axis.setSubTickPen(line);
    axis.setLabelColor(theme.text);
    axis.setTickLabelColor(theme.text);
    axis.grid()->setPen(QPen(theme.grid, 1.0));
    axis.grid()->setSubGridPen(QPen(theme.grid, 1.0, Qt::DotLine));
    axis.grid()->setZeroLinePen(QPen(theme.border, 1.0));
}

QFont scaled(QFont font, double factor) {
    font.setPointSizeF(font.pointSizeF() * factor);
    return font;
}

/// A plot has the font of the time when it was made, as each of its parts has.
void scalePlotTexts(QCustomPlot& plot, double factor) {
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis, plot.xAxis2, plot.yAxis2}) {
        axis->setLabelFont(scaled(axis->labelFont(), factor));
        axis->setTickLabelFont(scaled(axis->tickLabelFont(), factor));
    }
    plot.legend->setFont(scaled(plot.legend->font(), factor));
    for (int i = 0; i < plot.itemCount(); ++i) {
        if (auto* text = qobject_cast<QCPItemText*>(plot.item(i))) {
            text->setFont(scaled(text->font(), factor));
        }
    }
}

/// Draws shapes, not pixels, on a device; returns whether it could be begun.
bool drawShapes(QCustomPlot& plot, QPaintDevice& device) {
    QCPPainter painter;
    if (!painter.begin(&device)) {
        return false;
    }
    painter.setMode(QCPPainter::pmVectorized);
    plot.toPainter(&painter, plot.width(), plot.height());
    return painter.end();
}

}  // namespace

PlotWidget::PlotWidget(QWidget* parent) : QWidget(parent), m_plot(new QCustomPlot(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(nullptr);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->setNoAntialiasingOnDrag(true);
    m_plot->setContextMenuPolicy(Qt::CustomContextMenu);
    m_overlay = m_plot->layer(QStringLiteral("overlay"));
    m_overlay->setMode(QCPLayer::lmBuffered);
    m_plot->installEventFilter(this);
    connectPlot();
    auto* menu = new PlotMenuButton(Qt::TopRightCorner, this);
    connect(menu, &QToolButton::clicked, this, [this, menu] { showMenu(menu->menuPosition()); });
    m_textSize = font().pointSizeF();
    m_theme = themeFor(palette());
    PlotWidget::applyTheme(m_theme);
    showFocusAround(this);
}

PlotWidget::~PlotWidget() = default;

void PlotWidget::connectPlot() {
    connect(m_plot, &QCustomPlot::mouseDoubleClick, this, &PlotWidget::goHome);
    connect(m_plot, &QWidget::customContextMenuRequested, this,
            [this](const QPoint& position) { showMenu(m_plot->mapToGlobal(position)); });
    // The size of the axes is known only now, and ranges may still change before the drawing.
    connect(m_plot, &QCustomPlot::afterLayout, this, &PlotWidget::keepAspect);
    connect(m_plot, &QCustomPlot::afterReplot, this, [this] { m_drawn = true; });
    connect(m_plot, &QCustomPlot::mouseWheel, this, [this] { m_moved = true; });
    connect(m_plot, &QCustomPlot::mouseMove, this, [this](const QMouseEvent* event) {
        m_moved = m_moved || event->buttons().testFlag(Qt::LeftButton);
    });
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
                &PlotWidget::viewChanged);
    }
}

void PlotWidget::setAxisTitles(const QString& x, const QString& y) {
    m_plot->xAxis->setLabel(x);
    m_plot->yAxis->setLabel(y);
    replotSoon();
}

void PlotWidget::setLogarithmic(bool x, bool y) {
    const auto apply = [](QCPAxis& axis, bool logarithmic) {
        axis.setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
        axis.setTicker(logarithmic ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog)
                                   : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
        axis.setNumberFormat(logarithmic ? QStringLiteral("gb") : QStringLiteral("g"));
        axis.setNumberPrecision(logarithmic ? 4 : 6);
    };
    apply(*m_plot->xAxis, x);
    apply(*m_plot->yAxis, y);
    replotSoon();
}

PlotWidget::Range PlotWidget::shownX() const {
    return {m_plot->xAxis->range().lower, m_plot->xAxis->range().upper};
}

PlotWidget::Range PlotWidget::shownY() const {
    return {m_plot->yAxis->range().lower, m_plot->yAxis->range().upper};
}

void PlotWidget::showRange(Range x, Range y) {
    m_moved = true;
    m_plot->xAxis->setRange(x.low, x.high);
    m_plot->yAxis->setRange(y.low, y.high);
    replotSoon();
}

void PlotWidget::setEqualAspect(bool equal) {
    m_equalAspect = equal;
    replotSoon();
}

void PlotWidget::keepAspect() {
    if (!m_equalAspect || m_adjusting) {
        return;
    }
    m_adjusting = true;
    QCPAxis& x = *m_plot->xAxis;
    QCPAxis& y = *m_plot->yAxis;
    if (!m_moved && m_homeX && m_homeY) {
        x.setRange(m_homeX->low, m_homeX->high);
        y.setRange(m_homeY->low, m_homeY->high);
    }
    const QRect area = m_plot->axisRect()->rect();
    const bool heightLimits =
        !m_moved && area.height() * x.range().size() < area.width() * y.range().size();
    // At home nothing of either range may be lost, so the axis with room to spare shows more.
    if (heightLimits) {
        x.setScaleRatio(&y, 1.0);
    } else {
        y.setScaleRatio(&x, 1.0);
    }
    m_adjusting = false;
}

void PlotWidget::setHomeRange(Range x, Range y) {
    m_homeX = x;
    m_homeY = y;
    if (!m_moved) {
        goHome();
    }
}

void PlotWidget::goHome() {
    if (!m_homeX || !m_homeY) {
        return;
    }
    m_moved = false;
    m_plot->yAxis->setRange(m_homeY->low, m_homeY->high);
    m_plot->xAxis->setRange(m_homeX->low, m_homeX->high);
    replotSoon();
}

void PlotWidget::setShownDescription(const QString& description) {
    setAccessibleDescription(description);
    m_plot->setAccessibleName(accessibleName());
    m_plot->setAccessibleDescription(description);
}

void PlotWidget::replotSoon() {
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void PlotWidget::replotOverlay() {
    m_overlay->replot();
}

void PlotWidget::applyTheme(const Theme& theme) {
    m_plot->setBackground(QBrush(theme.surface));
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis, m_plot->xAxis2, m_plot->yAxis2}) {
        paintAxis(*axis, theme);
    }
    QColor behind = theme.surface;
    behind.setAlphaF(0.85F);
    m_plot->legend->setBrush(behind);
    m_plot->legend->setBorderPen(QPen(theme.border));
    m_plot->legend->setTextColor(theme.text);
}

void PlotWidget::refreshTheme() {
    m_theme = themeFor(palette());
    applyTheme(m_theme);
    replotSoon();
}

void PlotWidget::inLightTheme(const std::function<void()>& draw) {
    const Theme shown = m_theme;
    m_theme = themeFor(lightPalette());
    applyTheme(m_theme);
    draw();
    m_theme = shown;
    applyTheme(m_theme);
    replotSoon();
}

ExportedView PlotWidget::exported() {
    return {this,
            [this](QPaintDevice& device) {
                bool drawn = false;
                inLightTheme([&] { drawn = drawShapes(*m_plot, device); });
                return drawn;
            },
            [this] {
                QPixmap picture;
                inLightTheme([&] { picture = m_plot->toPixmap(0, 0, kPictureScale); });
                return picture;
            },
            [this] { return visibleCsv(); }, m_exportRefusal};
}

bool PlotWidget::saveAs(const QString& path) {
    return savePicture(exported(), path);
}

void PlotWidget::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitLegend(*m_plot);
}

void PlotWidget::showMenu(const QPoint& globalPosition) {
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("plotMenu"));
    menu.addAction(tr("&Reset view"), this, &PlotWidget::goHome);
    menu.addSeparator();
    addExportActions(menu, exported());
    menu.exec(globalPosition);
}

void PlotWidget::setZoomAxes(bool x, bool y) {
    QList<QCPAxis*> axes;
    if (x) {
        axes.append(m_plot->xAxis);
    }
    if (y) {
        axes.append(m_plot->yAxis);
    }
    m_plot->axisRect()->setRangeZoomAxes(axes);
}

void PlotWidget::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        refreshTheme();
    }
    if (event->type() == QEvent::FontChange) {
        scaleTexts();
    }
}

void PlotWidget::scaleTexts() {
    const double factor = font().pointSizeF() / std::exchange(m_textSize, font().pointSizeF());
    scalePlotTexts(*m_plot, factor);
    fitLegend(*m_plot);
    // Labels stand where texts of their size leave room.
    refreshTheme();
}

void PlotWidget::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Home) {
        goHome();
    } else if (event->key() == Qt::Key_X && !m_equalAspect) {
        setZoomAxes(true, false);
    } else if (event->key() == Qt::Key_Y && !m_equalAspect) {
        setZoomAxes(false, true);
    } else {
        QWidget::keyPressEvent(event);
    }
}

void PlotWidget::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_X || event->key() == Qt::Key_Y) {
        setZoomAxes(true, true);
    }
    QWidget::keyReleaseEvent(event);
}

void PlotWidget::focusOutEvent(QFocusEvent* event) {
    // The key may be let go where it is not seen.
    setZoomAxes(true, true);
    QWidget::focusOutEvent(event);
}

bool PlotWidget::eventFilter(QObject* watched, QEvent* event) {
    // X and Y, which bind the wheel to one axis, are heard only with the focus.
    const bool isUsed = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::Wheel;
    if (watched == m_plot && isUsed) {
        setFocus(Qt::MouseFocusReason);
    }
    // Squeezed to nothing a plot has no picture, which QCustomPlot would try to paint on.
    if (watched == m_plot && event->type() == QEvent::Resize && m_plot->size().isEmpty()) {
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace epsilens::ui
