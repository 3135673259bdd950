#pragma once

class QString;
class QWidget;

namespace epsilens::ui {

/// Brings the help to the front. It belongs to what asks for it: a dialog blocks every window that
/// is not its own.
///
/// asking  a window or a dialog
void showHelp(QWidget& asking, const QString& topic);

}  // namespace epsilens::ui
