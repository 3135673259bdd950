#pragma once

#include <optional>

#include <QWidget>

#include "ui/tradeoff/goal_search.h"

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace epsilens::ui {

/// Limits on risk and use as a sentence to fill in, the button that finds epsilon for them, and
/// what it found.
class GoalBar : public QWidget {
    Q_OBJECT

public:
    explicit GoalBar(GoalSearch& search, QWidget* parent = nullptr);

private:
    /// How a limit is read and set.
    struct Limit {
        std::optional<double> (GoalSearch::*value)() const;
        void (GoalSearch::*take)(std::optional<double>);
    };

    QWidget* addBlank(QHBoxLayout& row, const QString& before, const char* name,
                      const QString& title, const QString& description, Limit limit);
    void refresh();

    GoalSearch& m_search;
    QPushButton* m_find;
    QPushButton* m_nearest;
    QLabel* m_message;
    QString m_problem;  ///< with what was typed last; empty if it is taken
};

}  // namespace epsilens::ui
