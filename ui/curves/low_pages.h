#pragma once

#include <QObject>

class QPushButton;
class QWidget;

namespace epsilens::ui {

/// Plots above a table where there is height for both; in a low area one of them, and a button that
/// shows the other.
class LowPages : public QObject {
    Q_OBJECT

public:
    /// area  whose height decides
    LowPages(QWidget& area, QWidget& plots, QWidget& table);

    /// For a layout that stays visible.
    [[nodiscard]] QPushButton* button() { return m_button; }

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void arrange();

    QWidget& m_area;
    QWidget& m_plots;
    QWidget& m_table;
    QPushButton* m_button;
    bool m_showsTable = false;  ///< while there is height for one of them only
};

}  // namespace epsilens::ui
