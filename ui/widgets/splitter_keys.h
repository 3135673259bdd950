#pragma once

class QSplitter;
class QString;

namespace epsilens::ui {

/// Lets the keyboard move the dividers of a splitter, too: Tab reaches them, they show the focus,
/// arrow keys move them. Call it once all parts are in.
///
/// name  of the dividers for assistive technology
void moveWithKeys(QSplitter& splitter, const QString& name);

}  // namespace epsilens::ui
