#pragma once

class QWidget;

namespace epsilens::ui::live {

class LiveModel;

enum WordTableColumn {
    wordColumn,
    sharesColumn,
    keptColumn,
    distinctColumn,
    halfKeptColumn,
    topOutputsColumn,
    columnsEnd
};

/// The words of the text with what the mechanism makes of them; a row that is chosen is selected in
/// the model. The columns share the width there is; where it is short the least important ones are
/// left to the details of the chosen word.
///
/// model  must outlive the table
[[nodiscard]] QWidget* newWordTable(LiveModel& model, QWidget* parent);

[[nodiscard]] QWidget* newWordDetails(const LiveModel& model, QWidget* parent);

}  // namespace epsilens::ui::live
