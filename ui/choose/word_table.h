#pragma once

class QWidget;

namespace epsilens::ui::choose {

class ChooseModel;

enum WordTableColumn {
    wordColumn,
    sharesColumn,
    distinctColumn,
    halfKeptColumn,
    topOutputsColumn,
    columnsEnd
};

/// The columns share the width there is; where it is short the least important ones are left to
/// the details of the chosen word.
[[nodiscard]] QWidget* newWordTable(ChooseModel& model, QWidget* parent);

[[nodiscard]] QWidget* newWordDetails(const ChooseModel& model, QWidget* parent);

}  // namespace epsilens::ui::choose
