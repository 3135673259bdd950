#pragma once

#include <functional>

#include <QString>

class QFontMetrics;
class QLabel;
class QPushButton;
class QTableView;
class QWidget;

namespace epsilens::ui {

constexpr int kPanelMargin = 12;   ///< around the content of a panel
constexpr int kRowSpacing = 8;     ///< between rows that belong together
constexpr int kGroupSpacing = 18;  ///< between groups
constexpr int kLabelWidth = 76;    ///< column of labels in the details
constexpr int kFieldWidth = 84;    ///< typed numbers
constexpr int kLeastTarget = 24;   ///< least height and width of what is clicked

/// A length in pixels for text of a size: `pixels` at the size the design was measured with, more
/// where the text is larger.
[[nodiscard]] int scaledToText(int pixels, const QFontMetrics& metrics);

/// Calls `apply` now and whenever the font of the widget becomes another one.
void followFont(QWidget* widget, std::function<void(const QFontMetrics&)> apply);

/// Gives a field the width of the column of typed numbers, or another one, for usual text.
void keepFieldWidth(QWidget* field, int pixels = kFieldWidth);

/// Gives rows of a table the height of their text and at least `least`; columns are left alone.
void keepRowHeight(QTableView* table, int least);

/// Heading of a group of controls.
[[nodiscard]] QLabel* headingLabel(const QString& text, QWidget* parent);

/// Names a label and lets its text wrap.
QLabel* wrapped(QLabel* label, const char* objectName);

/// Smaller, muted text for hints, units and states; follows the palette.
[[nodiscard]] QLabel* hintLabel(const QString& text, QWidget* parent);

/// The centred statement of an empty tab: one sentence that says what to do.
[[nodiscard]] QLabel* emptyStateLabel(const QString& text, QWidget* parent);

/// The page of an empty tab: the statement, and below it the button that ends the emptiness.
[[nodiscard]] QWidget* emptyStatePage(QLabel* statement, QPushButton* action, QWidget* parent);

}  // namespace epsilens::ui
