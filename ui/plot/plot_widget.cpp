#include "ui/plot/plot_widget.h"

#include <algorithm>

#include <qcustomplot.h>
#include <QSvgGenerator>
#include <QtWidgets>

#include "ui/widgets/describe.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr double kPictureScale = 2.0;
constexpr int kIconWidth = 26;
constexpr int kMenuRoom = 28;  ///< beside the legend
constexpr int kMostInARow = 4;

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

}  // namespace

QString brief(double value) {
    constexpr qsizetype kLongest = 7;
    // Ends of a range are exact, what lies between has digits that nobody chose.
    const QString exact = shortest(value);
    return exact.size() <= kLongest ? exact : significant(value, 5);
}

QString csvField(QString text) {
    return QStringLiteral("\"%1\"").arg(text.replace(QLatin1Char('"'), QStringLiteral("\"\"")));
}

PlotWidget::PlotWidget(QWidget* parent)
    : QWidget(parent),
      m_plot(new QCustomPlot(this)),
      m_menuButton(described(new QToolButton(this), "plotMenuButton", tr("Plot menu"),
                             tr("Copies or saves the plot, and more."))) {
    columnIn(this, 0, {m_plot});
    setFocusPolicy(Qt::StrongFocus);
    m_plot->setFocusPolicy(Qt::NoFocus);
    QLocale numbers = QLocale::c();
    numbers.setNumberOptions(QLocale::OmitGroupSeparator);
    m_plot->setLocale(numbers);
    m_plot->setAutoAddPlottableToLegend(false);
    placeLegend();
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->setNoAntialiasingOnDrag(true);
    m_plot->setContextMenuPolicy(Qt::CustomContextMenu);
    m_overlay = m_plot->layer(QStringLiteral("overlay"));
    m_overlay->setMode(QCPLayer::lmBuffered);
    m_plot->installEventFilter(this);
    connect(m_plot, &QCustomPlot::mouseDoubleClick, this, &PlotWidget::goHome);
    connect(m_plot, &QWidget::customContextMenuRequested, this,
            [this](const QPoint& position) { showMenu(m_plot->mapToGlobal(position)); });
    // The size of the axes is known only now, and ranges may still change before the drawing.
    connect(m_plot, &QCustomPlot::afterLayout, this, [this] {
        keepAspect();
        fitTitles();
    });
    connect(m_plot, &QCustomPlot::mouseWheel, this, [this] { m_moved = true; });
    connect(m_plot, &QCustomPlot::mouseMove, this, [this](const QMouseEvent* event) {
        m_moved = m_moved || event->buttons().testFlag(Qt::LeftButton);
    });
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
                &PlotWidget::viewChanged);
    }
    m_menuButton->setText(QStringLiteral("⋯"));
    m_menuButton->setAutoRaise(true);
    connect(m_menuButton, &QToolButton::clicked, this,
            [this] { showMenu(m_menuButton->mapToGlobal(m_menuButton->rect().bottomLeft())); });
    followFont(m_menuButton, [this](const QFontMetrics& metrics) {
        const int size = scaledToText(kLeastTarget, metrics);
        m_menuButton->setFixedSize(size, size);
        placeMenuButton();
    });
    m_textSize = font().pointSizeF();
    m_theme = themeFor(palette());
    PlotWidget::applyTheme(m_theme);
}

/// In rows above the axes it covers nothing however small the plot is.
void PlotWidget::placeLegend() {
    constexpr double kSmall = 0.85;
    constexpr int kMargin = 6;
    QCPLegend& legend = *m_plot->legend;
    legend.setFont(scaled(m_plot->font(), kSmall));
    legend.setWrap(kMostInARow);
    legend.setFillOrder(QCPLayoutGrid::foColumnsFirst);
    legend.setRowSpacing(-2);
    legend.setIconSize(kIconWidth, 12);
    legend.setMargins(QMargins(4, kMargin, kMenuRoom, kMargin));
    // Without entries it would otherwise make the axes below as narrow as itself.
    legend.setMaximumSize(QWIDGETSIZE_MAX / 2, QWIDGETSIZE_MAX);
    m_plot->plotLayout()->insertRow(0);
    m_plot->plotLayout()->addElement(0, 0, &legend);
    m_plot->plotLayout()->setRowStretchFactor(0, 0.001);
    m_plot->plotLayout()->setRowSpacing(0);
}

void PlotWidget::fitLegend() {
    constexpr int kGap = 16;  // between icon, text and the next entry
    QCPLegend& legend = *m_plot->legend;
    const QFontMetrics metrics(legend.font());
    int widest = 1;
    for (int i = 0; i < legend.itemCount(); ++i) {
        if (auto* item = qobject_cast<QCPPlottableLegendItem*>(legend.item(i))) {
            widest = std::max(widest, metrics.horizontalAdvance(item->plottable()->name()));
        }
    }
    legend.setWrap(
        std::clamp((m_plot->width() - kMenuRoom) / (widest + kIconWidth + kGap), 1, kMostInARow));
    legend.setFillOrder(legend.fillOrder(), true);
}

void PlotWidget::setAxisTitles(const QString& x, const QString& y) {
    m_titles = {x, y};
    m_plot->xAxis->setLabel(x);
    m_plot->yAxis->setLabel(y);
    replotSoon();
}

void PlotWidget::fitTitles() {
    const auto fit = [this](QCPAxis& axis, const QStringList& lines, int room) {
        QStringList fitting;
        for (const QString& line : lines) {
            fitting += QFontMetrics(axis.labelFont()).elidedText(line, Qt::ElideRight, room);
        }
        if (const QString label = fitting.join(QLatin1Char('\n')); axis.label() != label) {
            axis.setLabel(label);
            replotSoon();  // its room is another one
        }
    };
    fit(*m_plot->xAxis, {m_titles[0]}, m_plot->axisRect()->width());
    // Beside a low plot the title has two lines.
    const QString& title = m_titles[1];
    const int room = m_plot->axisRect()->height();
    const auto middle = title.size() / 2;
    const auto before = title.lastIndexOf(QLatin1Char(' '), middle);
    const auto behind = title.indexOf(QLatin1Char(' '), middle);
    const auto half = behind < 0 || middle - before < behind - middle ? before : behind;
    const bool isLong =
        half > 0 && QFontMetrics(m_plot->yAxis->labelFont()).horizontalAdvance(title) > room;
    fit(*m_plot->yAxis,
        isLong ? QStringList{title.left(half), title.mid(half + 1)} : QStringList{title}, room);
}

PlotWidget::Range PlotWidget::shownX() const {
    return {m_plot->xAxis->range().lower, m_plot->xAxis->range().upper};
}

PlotWidget::Range PlotWidget::shownY() const {
    return {m_plot->yAxis->range().lower, m_plot->yAxis->range().upper};
}

void PlotWidget::setEqualAspect(bool equal) {
    m_equalAspect = equal;
    replotSoon();
}

void PlotWidget::keepAspect() {
    if (!m_equalAspect) {
        return;
    }
    if (!m_moved) {
        showHome();
    }
    QCPAxis& x = *m_plot->xAxis;
    QCPAxis& y = *m_plot->yAxis;
    const QRect area = m_plot->axisRect()->rect();
    const bool heightLimits =
        !m_moved && area.height() * x.range().size() < area.width() * y.range().size();
    // At home nothing of either range may be lost, so the axis with room to spare shows more.
    if (heightLimits) {
        x.setScaleRatio(&y, 1.0);
    } else {
        y.setScaleRatio(&x, 1.0);
    }
}

void PlotWidget::showHome() {
    if (m_home) {
        const auto& [x, y] = *m_home;
        m_plot->yAxis->setRange(y.low, y.high);
        m_plot->xAxis->setRange(x.low, x.high);
    }
}

void PlotWidget::setHomeRange(Range x, Range y) {
    m_home = {x, y};
    if (!m_moved) {
        goHome();
    }
}

void PlotWidget::goHome() {
    m_moved = false;
    showHome();
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
    m_plot->legend->setBrush(Qt::NoBrush);
    m_plot->legend->setBorderPen(Qt::NoPen);
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

bool PlotWidget::drawOn(QPaintDevice& device) {
    QCPPainter painter;
    if (!painter.begin(&device)) {
        return false;
    }
    painter.setMode(QCPPainter::pmVectorized);
    inLightTheme([&] { m_plot->toPainter(&painter, m_plot->width(), m_plot->height()); });
    return painter.end();
}

QPixmap PlotWidget::picture() {
    QPixmap picture;
    inLightTheme([&] { picture = m_plot->toPixmap(0, 0, kPictureScale); });
    return picture;
}

bool PlotWidget::saveAs(const QString& path) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return false;
    }
    bool isDrawn = false;
    if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        QSvgGenerator generator;
        generator.setOutputDevice(&file);
        generator.setSize(size());
        generator.setViewBox(QRect(QPoint(), size()));
        isDrawn = drawOn(generator);
    } else if (path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) {
        // A page of the size of the view; letters are as large beside the rest as on the screen.
        constexpr double kPointsPerInch = 72.0;
        const QSizeF points = QSizeF(size()) * (kPointsPerInch / logicalDpiX());
        QPdfWriter writer(&file);
        writer.setResolution(logicalDpiX());
        writer.setPageSize(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch));
        writer.setPageMargins({});
        isDrawn = drawOn(writer);
    } else {
        isDrawn = picture().save(&file, "PNG");
    }
    return isDrawn && file.commit();
}

void PlotWidget::saveUnder(const QString& title, const QString& suggested,
                           const QStringList& filters,
                           const std::function<bool(const QString& path)>& save) {
    const QString path = dialogs::saveFile(this, title, suggested, filters);
    if (!path.isEmpty() && !save(path)) {
        // A line of the window would be missed behind the dialog.
        (void)dialogs::ask(this, title,
                           tr("%1 could not be written. Choose another folder.").arg(path), {});
    }
}

void PlotWidget::addExportActions(QMenu& menu) {
    if (!m_exportRefusal.isEmpty()) {
        menu.addAction(m_exportRefusal)->setEnabled(false);
        return;
    }
    menu.addAction(tr("&Copy picture"), this,
                   [this] { QApplication::clipboard()->setPixmap(picture()); });
    menu.addAction(tr("&Save picture…"), this, [this] {
        saveUnder(tr("Save picture"), QStringLiteral("plot.png"),
                  {tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF (*.pdf)")},
                  [this](const QString& path) { return saveAs(path); });
    });
    const QString csv = visibleCsv();
    if (csv.isEmpty()) {
        return;
    }
    menu.addSeparator();
    menu.addAction(tr("Copy visible &data (CSV)"), this,
                   [csv] { QApplication::clipboard()->setText(csv); });
    menu.addAction(tr("Save &visible data (CSV)…"), this, [this, csv] {
        saveUnder(tr("Save visible data"), QStringLiteral("plot.csv"),
                  {tr("Comma-separated values (*.csv)")}, [&csv](const QString& path) {
                      const QByteArray content = csv.toUtf8();
                      QSaveFile file(path);
                      return file.open(QIODevice::WriteOnly) &&
                             file.write(content) == content.size() && file.commit();
                  });
    });
}

void PlotWidget::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitLegend();
    placeMenuButton();
}

void PlotWidget::placeMenuButton() {
    m_menuButton->move(width() - m_menuButton->width(), 0);
    m_menuButton->raise();
}

void PlotWidget::showMenu(const QPoint& globalPosition) {
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("plotMenu"));
    menu.addAction(tr("&Reset view"), this, &PlotWidget::goHome);
    menu.addSeparator();
    addExportActions(menu);
    menu.exec(globalPosition);
}

void PlotWidget::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        refreshTheme();
    }
    if (event->type() == QEvent::FontChange) {
        const double factor = font().pointSizeF() / std::exchange(m_textSize, font().pointSizeF());
        scalePlotTexts(*m_plot, factor);
        fitLegend();
        // Labels stand where texts of their size leave room.
        refreshTheme();
    }
}

void PlotWidget::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Home) {
        goHome();
    } else {
        QWidget::keyPressEvent(event);
    }
}

bool PlotWidget::eventFilter(QObject* watched, QEvent* event) {
    // Squeezed to nothing a plot has no picture, which QCustomPlot would try to paint on.
    if (watched == m_plot && event->type() == QEvent::Resize && m_plot->size().isEmpty()) {
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace epsilens::ui
