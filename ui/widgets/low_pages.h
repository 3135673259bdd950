#pragma once

#include <QObject>
#include <QString>

class QPushButton;
class QWidget;

namespace epsilens::ui {

/// Two parts of a tab above each other where there is height for both; in a low area one of them,
/// and a button that shows the other.
class LowPages : public QObject {
    Q_OBJECT

public:
    struct Page {
        QWidget& widget;
        QString show;  ///< text of the button that shows it: "Show table"
    };

    /// area  whose height decides
    /// lowest  height in pixels, at the usual size of text, below which one page is shown
    LowPages(QWidget& area, const Page& first, const Page& second, int lowest);

    /// For a layout that stays visible.
    [[nodiscard]] QPushButton* button() { return m_button; }
    /// Whether the pages take turns in a low area; else both are always visible.
    void setEnabled(bool isEnabled);
    /// Turns to one of the pages, as the button does.
    void turnTo(bool second);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void arrange();

    QWidget& m_area;
    Page m_first;
    Page m_second;
    int m_lowest;
    QPushButton* m_button;
    bool m_isEnabled = true;
    bool m_showsSecond = false;  ///< while there is height for one of them only
};

}  // namespace epsilens::ui
