#pragma once

#include <QObject>

class QTableView;

namespace epsilens::ui {

class AnalysisState;
class WordsTable;

/// Selects the row of the word that is selected anywhere in the window, where the table has it, and
/// brings it into sight once: later the view stays where its user scrolls it.
class SelectedRow : public QObject {
    Q_OBJECT

public:
    /// view  of the table, and the parent
    SelectedRow(const AnalysisState& state, const WordsTable& table, QTableView& view);

    /// After the table got other rows.
    void followTable();

private:
    void select();

    const AnalysisState& m_state;
    const WordsTable& m_table;
    QTableView& m_view;
    bool m_isToShow = true;  ///< the word has not been brought into sight
};

}  // namespace epsilens::ui
