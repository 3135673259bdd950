#pragma once

#include <QTextDocument>

namespace epsilens::ui {

/// Writes each N_w, S_w and K_w of a document with w as a subscript. Text in a font of fixed pitch,
/// which is typed as it stands, keeps its underscore.
void setSymbolSubscripts(QTextDocument& document);

}  // namespace epsilens::ui
