#pragma once

#include <array>
#include <vector>

#include <QWidget>

#include "core/calibration/limits.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace epsilens::ui {

class AnalysisState;
class LimitState;

/// One limit as a row of controls: statistic, over words, relation, value.
class LimitRow : public QWidget {
    Q_OBJECT

public:
    /// number  of the row from 1, for names of controls
    LimitRow(const calibration::Limit& limit, int number, QWidget* parent = nullptr);

    [[nodiscard]] const calibration::Limit& limit() const { return m_limit; }
    /// Why the row is not taken as it stands; empty if it is.
    [[nodiscard]] const QString& problem() const { return m_problem; }
    /// From left to right.
    [[nodiscard]] std::array<QWidget*, 5> controls() const;

Q_SIGNALS:
    /// Another limit, or another problem.
    void edited();
    void removeRequested();

private:
    void build(int number);
    void followStatistic();
    void apply();

    calibration::Limit m_limit;
    QString m_problem;
    QComboBox* m_statistic;
    QComboBox* m_aggregate;
    QComboBox* m_relation;
    QLineEdit* m_value;
    QToolButton* m_remove;
};

/// The limits, and whether they are met.
class LimitsSection : public QWidget {
    Q_OBJECT

public:
    LimitsSection(AnalysisState& state, LimitState& limits, QWidget* parent = nullptr);

private:
    void rebuildRows();
    void orderTabs();
    void applyRows();
    void addLimit();
    void removeRow(const LimitRow* row);
    void showStatus();

    AnalysisState& m_state;
    LimitState& m_limits;
    QLabel* m_status;
    QVBoxLayout* m_rowsLayout;
    std::vector<LimitRow*> m_rows;
    QLabel* m_problem;
    QPushButton* m_add;
    bool m_isApplying = false;
};

}  // namespace epsilens::ui
