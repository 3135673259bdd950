#pragma once

#include <optional>

#include <QString>
#include <QStringList>

class QWidget;

namespace epsilens::ui::dialogs {

/// The dialogs of the desktop. Tests give answers in advance: used once, an empty one is Cancel.

/// Begins in the folder that files were last opened from, which is remembered.
[[nodiscard]] QString openFile(QWidget* parent, const QString& title, const QStringList& filters);
/// A folder; its preset answer is that of openFile.
[[nodiscard]] QString openFolder(QWidget* parent, const QString& title);
/// suggested  a name, in the folder that files were last written to (remembered::outputFolder), or
///            a path
/// filters  "PDF (*.pdf)"; a name without one of their endings gets that of the chosen filter, and
///          when that names another file that is there, replacing it is asked about
[[nodiscard]] QString saveFile(QWidget* parent, const QString& title, const QString& suggested,
                               const QStringList& filters);
/// A question with the given buttons; returns the index of the one pressed, nothing for Cancel.
///
/// goOn  what Cancel is called instead; empty: Cancel
[[nodiscard]] std::optional<int> ask(QWidget* parent, const QString& title, const QString& question,
                                     const QStringList& buttons, const QString& goOn = {});

void presetOpenFile(const QString& path);
void presetSaveFile(const QString& path);
void presetAnswer(std::optional<int> button);
[[nodiscard]] QString lastQuestion();

}  // namespace epsilens::ui::dialogs
