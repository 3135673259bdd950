#include "ui/words/selected_row.h"

#include <algorithm>

#include <QScrollBar>
#include <QTableView>

#include "ui/state/analysis_state.h"
#include "ui/words/words_table.h"

namespace epsilens::ui {

SelectedRow::SelectedRow(const AnalysisState& state, const WordsTable& table, QTableView& view)
    : QObject(&view), m_state(state), m_table(table), m_view(view) {
    connect(&m_state, &AnalysisState::selectedWordChanged, this, [this] {
        m_isToShow = true;
        select();
    });
}

void SelectedRow::followTable() {
    if (m_isToShow || !m_view.currentIndex().isValid()) {
        select();
    }
}

void SelectedRow::select() {
    const auto& word = m_state.selectedWord();
    if (!word || m_table.rowCount() == 0 || word->embedding() != m_table.wordAt(0).embedding()) {
        return;
    }
    const auto& order = *m_table.order();
    const auto found = std::find_if(order.begin(), order.end(), [&](std::uint32_t place) {
        return m_table.rows().row(place) == word->row();
    });
    if (found != order.end()) {
        const QModelIndex index =
            m_table.index(static_cast<int>(found - order.begin()),
                          m_view.currentIndex().isValid() ? m_view.currentIndex().column() : 0);
        const int scrolled = m_view.verticalScrollBar()->value();
        m_view.setCurrentIndex(index);
        if (m_isToShow) {
            m_view.scrollTo(index, QAbstractItemView::PositionAtCenter);
        } else {
            m_view.verticalScrollBar()->setValue(scrolled);
        }
        m_isToShow = false;
    }
}

}  // namespace epsilens::ui
