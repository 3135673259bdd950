#pragma once

#include <QString>

class QWidget;

namespace epsilens::ui::live {

class LiveModel;
struct LiveWord;

enum WordTableColumn {
    wordColumn,
    sharesColumn,
    keptColumn,
    distinctColumn,
    halfKeptColumn,
    topOutputsColumn,
    columnsEnd
};

/// "4.20", "any", "∞".
[[nodiscard]] QString halfKeptText(const LiveWord& word);
/// The most frequent outputs other than the word itself: "heart 12% · lung 4% …".
[[nodiscard]] QString topOutputsText(const LiveWord& word, qsizetype most);

/// The words of the text with what the mechanism makes of them; a row that is chosen is selected in
/// the model. The columns share the width there is; where it is short the least important ones are
/// left to the panel of the chosen word.
///
/// model  must outlive the table
[[nodiscard]] QWidget* newWordTable(LiveModel& model, QWidget* parent);

}  // namespace epsilens::ui::live
