#pragma once

#include <cstddef>
#include <vector>

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace epsilens::ui {

class AnalysisState;
class LimitRow;
class LimitState;

/// The limits, one a row, and whether they are met.
class LimitsSection : public QWidget {
    Q_OBJECT

public:
    LimitsSection(AnalysisState& state, LimitState& limits, QWidget* parent = nullptr);

private:
    void rebuildRows();
    void orderTabs();
    void applyRows();
    void addLimit();
    void removeLimit(std::size_t place);

    AnalysisState& m_state;
    QLabel* m_status;
    QVBoxLayout* m_rowsLayout;
    std::vector<LimitRow*> m_rows;
    QLabel* m_problem;
    QPushButton* m_add;
    bool m_isApplying = false;
};

}  // namespace epsilens::ui
