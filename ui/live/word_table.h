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

/// The columns share the width there is; where it is short the least important ones are left to
/// the details of the chosen word.
[[nodiscard]] QWidget* newWordTable(LiveModel& model, QWidget* parent);

[[nodiscard]] QWidget* newWordDetails(const LiveModel& model, QWidget* parent);

}  // namespace epsilens::ui::live
