#pragma once

#include <functional>
#include <initializer_list>

#include <QFontMetrics>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QString>
#include <QTableView>
#include <QVBoxLayout>
#include <QWidget>

class QToolButton;

namespace epsilens::ui {

constexpr int kPanelMargin = 12;   ///< around the content of a panel
constexpr int kRowSpacing = 8;     ///< between rows that belong together
constexpr int kGroupSpacing = 18;  ///< between groups
constexpr int kLabelWidth = 76;    ///< column of labels in the details
constexpr int kFieldWidth = 84;    ///< typed numbers
constexpr int kLeastTarget = 24;   ///< least height and width of what is clicked

/// `pixels` at the size of text the design was measured with, more where it is larger.
[[nodiscard]] int scaledToText(int pixels, const QFontMetrics& metrics);

/// Calls `apply` now and whenever the font of the widget becomes another one.
void followFont(QWidget* widget, std::function<void(const QFontMetrics&)> apply);

void keepFieldWidth(QWidget* field, int pixels = kFieldWidth);

void keepRowHeight(QTableView* table, int least);

[[nodiscard]] QLabel* headingLabel(const QString& text, QWidget* parent);

/// Smaller, muted text for hints, units and states; follows the palette.
[[nodiscard]] QLabel* hintLabel(const QString& text, QWidget* parent);

QLabel* wrapped(QLabel* label, const char* objectName);

/// The same of rich text with links, which the keyboard reaches, too.
QLabel* withLinks(QLabel* label, const char* objectName);

[[nodiscard]] QLabel* emptyStateLabel(const QString& text, QWidget* parent);

QLabel* selectable(QLabel* label);

[[nodiscard]] QFrame* hairline(QFrame::Shape shape, QWidget* parent);

inline QVBoxLayout* columnIn(QWidget* whole, int spacing,
                             std::initializer_list<QWidget*> parts = {}, int margin = 0) {
    auto* column = new QVBoxLayout(whole);
    column->setContentsMargins(margin, margin, margin, margin);
    column->setSpacing(spacing);
    for (QWidget* part : parts) {
        column->addWidget(part);
    }
    return column;
}

/// A row of parts, the first of which takes what room there is.
inline QHBoxLayout* rowOf(std::initializer_list<QWidget*> parts, int spacing) {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(spacing);
    for (QWidget* part : parts) {
        row->addWidget(part, part == *parts.begin() ? 1 : 0);
    }
    return row;
}

[[nodiscard]] inline QWidget* emptyStatePage(QLabel* statement,
                                             std::initializer_list<QWidget*> actions,
                                             QWidget* parent) {
    auto* page = new QWidget(parent);
    QVBoxLayout* column = columnIn(page, kRowSpacing, {statement}, kPanelMargin);
    for (QWidget* action : actions) {
        column->addWidget(action, 0, Qt::AlignHCenter);
    }
    column->insertStretch(0);
    column->addStretch();
    return page;
}

inline void setUpRows(QTableView& table, const char* objectName, const QString& name) {
    table.setObjectName(QLatin1String(objectName));
    table.setAccessibleName(name);
    table.setFrameShape(QFrame::NoFrame);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.verticalHeader()->hide();
    table.horizontalHeader()->setHighlightSections(false);
    keepRowHeight(&table, kLeastTarget);
}

/// Whether text is so large that what otherwise stands side by side gets lines of its own.
[[nodiscard]] inline bool isLargeText(const QFontMetrics& metrics) {
    constexpr int kWhole = 100;
    constexpr int kLarge = 135;
    return scaledToText(kWhole, metrics) >= kLarge;
}

[[nodiscard]] inline bool isInLowWindow(const QWidget& widget) {
    constexpr int kLow = 700;
    return widget.window()->height() < scaledToText(kLow, widget.fontMetrics());
}

/// For texts in a splitter that wrap while they are large: it would leave room for one line.
inline void keepRoomForTwoLines(QWidget* text) {
    followFont(text, [text](const QFontMetrics& metrics) {
        text->setMinimumHeight(isLargeText(metrics) ? 2 * metrics.lineSpacing() : 0);
    });
}

/// One line of plain text that leaves out its middle, if nothing else is set, where it has no room:
/// the ends of file names tell them apart. text() stays whole.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& text, QWidget* parent = nullptr);

    void setElideMode(Qt::TextElideMode mode) { m_mode = mode; }
    [[nodiscard]] QString textWithin(int width) const;

Q_SIGNALS:
    void clicked();

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    Qt::TextElideMode m_mode = Qt::ElideMiddle;
};

/// A heading that shows and hides what is below it.
class CollapsibleSection : public QWidget {
    Q_OBJECT

public:
    /// id       stem of the object names: "guarantee" gives guaranteeSection, guaranteeToggleButton
    /// content  goes over to the section
    CollapsibleSection(const QString& id, const QString& title, QWidget* content,
                       QWidget* parent = nullptr);

    /// What the heading says; a section may put its gist there, to be read while it is closed.
    void setTitle(const QString& title);
    [[nodiscard]] bool isOpen() const;
    void setOpen(bool open);

private:
    void show(bool open);

    QToolButton* m_toggle;
    QWidget* m_content;
};

/// A page of the window.
class Panel : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    [[nodiscard]] virtual QString title() const = 0;
    /// The control that F6 and Ctrl+1...6 put the focus on; nullptr leaves it to Qt.
    [[nodiscard]] virtual QWidget* firstControl() const { return nullptr; }
};

/// A column of controls that scrolls up and down only, and is never narrower than they need.
class ColumnScrollArea : public QScrollArea {
    Q_OBJECT

public:
    explicit ColumnScrollArea(QWidget* parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

/// Shows the content of a tab in its size; what large text makes larger scrolls both ways.
[[nodiscard]] QScrollArea* scrolledPage(QWidget* content, QWidget* parent);

}  // namespace epsilens::ui
