#pragma once

#include <optional>

#include <QString>

class QPlainTextEdit;
class QWidget;

namespace epsilens::ui {

/// The editor of the text to look at, where something was dropped on it; null elsewhere.
[[nodiscard]] QPlainTextEdit* textEditorAt(QWidget* target);

/// The text of a file that is dropped on that editor, in UTF-8 and at most kMostTextBytes long.
/// Nothing for sessions, vectors and whatever else is no such text: that is opened as it is
/// anywhere in the window.
[[nodiscard]] std::optional<QString> textOfFile(const QString& path);
inline constexpr qint64 kMostTextBytes = qint64{4} << 20;

/// Puts a text in the place of another one, which undo brings back.
void replaceText(QPlainTextEdit& editor, const QString& text);

}  // namespace epsilens::ui
