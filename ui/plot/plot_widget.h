#pragma once

#include <array>
#include <functional>
#include <optional>
#include <utility>

#include <QString>
#include <QWidget>

#include "ui/widgets/theme.h"

class QCPLayer;
class QCustomPlot;
class QMenu;
class QPaintDevice;
class QToolButton;

namespace epsilens::ui {

/// A value in at most five significant digits, fewer when fewer say it exactly: "83", "0.25".
[[nodiscard]] QString brief(double value);
[[nodiscard]] QString csvField(QString text);

/// Base of all plots: colours of the theme, a legend above the axes, zoom by the wheel, pan by
/// dragging, home by double click or Home, a menu that copies and saves, always in light colours.
/// Include qcustomplot.h in the .cpp of the view only; it is heavy.
class PlotWidget : public QWidget {
    Q_OBJECT

public:
    struct Range {
        double low = 0.0;
        double high = 1.0;
    };

    explicit PlotWidget(QWidget* parent = nullptr);

    [[nodiscard]] QCustomPlot& plot() const { return *m_plot; }
    /// Has a buffer of its own for what moves: replotOverlay() leaves the curves alone.
    [[nodiscard]] QCPLayer* overlayLayer() const { return m_overlay; }

    void setAxisTitles(const QString& x, const QString& y);
    void setEqualAspect(bool equal);
    void setHomeRange(Range x, Range y);
    void setShownDescription(const QString& description);
    /// While there is a reason, the menu states it in place of copying and saving.
    void refuseExport(const QString& reason) { m_exportRefusal = reason; }
    void replotSoon();
    void replotOverlay();
    [[nodiscard]] const Theme& theme() const { return m_theme; }

    /// Writes the plot in the light theme as .png (two pixels per point), .svg or .pdf. Returns
    /// whether that went well; else a file that was there is as before.
    [[nodiscard]] bool saveAs(const QString& path);
    [[nodiscard]] virtual QString visibleCsv() const { return {}; }

    [[nodiscard]] Range shownX() const;
    [[nodiscard]] Range shownY() const;

public Q_SLOTS:
    void goHome();

Q_SIGNALS:
    void viewChanged();

protected:
    /// Those of the base first; the view's own constructor calls refreshTheme().
    virtual void applyTheme(const Theme& theme);
    void refreshTheme();
    void fitLegend();

    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void placeLegend();
    void keepAspect();
    void fitTitles();
    void showHome();
    void showMenu(const QPoint& globalPosition);
    void inLightTheme(const std::function<void()>& draw);
    [[nodiscard]] bool drawOn(QPaintDevice& device);
    [[nodiscard]] QPixmap picture();
    void addExportActions(QMenu& menu);
    void saveUnder(const QString& title, const QString& suggested, const QStringList& filters,
                   const std::function<bool(const QString& path)>& save);
    void placeMenuButton();

    QCustomPlot* m_plot;
    QToolButton* m_menuButton;
    QCPLayer* m_overlay = nullptr;
    Theme m_theme;
    QString m_exportRefusal;
    std::array<QString, 2> m_titles{};              ///< of x and y, whole
    std::optional<std::pair<Range, Range>> m_home;  ///< of x and y
    double m_textSize = 0.0;                        ///< points, that of the font the texts have
    bool m_equalAspect = false;
    bool m_moved = false;  ///< the user has left the home range
};

}  // namespace epsilens::ui
