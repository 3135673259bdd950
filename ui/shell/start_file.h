#pragma once

#include <QString>
#include <QStringList>

namespace epsilens::ui {

/// What the window opens at first: an absolute path, or a built-in sample, by its name where no
/// file of that name lies, and without a file.
///
/// arguments  of the program, itself first; one file at most
[[nodiscard]] QString startFile(const QStringList& arguments);

}  // namespace epsilens::ui
