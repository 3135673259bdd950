#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

class QPushButton;
class QWidget;

namespace epsilens::ui {

/// Parts of a tab beside each other where there is height for all; in a low area or window one of
/// them, and a button that shows the next.
class LowPages : public QObject {
    Q_OBJECT

public:
    struct Page {
        QWidget& widget;
        QString show;  ///< text of the button that shows it: "Show table"
    };

    /// area  whose height decides
    /// lowest  height in pixels, at the usual size of text, below which one page is shown; nothing:
    ///         the height of the window decides
    LowPages(QWidget& area, std::vector<Page> pages, std::optional<int> lowest = {});

    /// For a layout that stays visible.
    [[nodiscard]] QPushButton* button() { return m_button; }
    /// Whether the pages take turns in a low area; else both are always visible.
    void setEnabled(bool isEnabled);
    /// Turns to one of the pages, as the button does.
    void turnTo(std::size_t page);
    /// A page that has nothing to show is hidden, also where there is height for all.
    void offer(std::size_t page, bool isOffered);

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    /// Pages were shown or hidden.
    void arranged();

private:
    void arrange();
    [[nodiscard]] bool isLow() const;
    /// The next page that is offered.
    [[nodiscard]] std::size_t next() const;

    QWidget& m_area;
    std::vector<Page> m_pages;
    std::vector<bool> m_isOffered;
    std::optional<int> m_lowest;
    QPushButton* m_button;
    bool m_isEnabled = true;
    std::size_t m_shown = 0;  ///< while there is height for one of them only
};

}  // namespace epsilens::ui
