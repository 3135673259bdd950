#pragma once

#include <utility>
#include <vector>

#include <QWidget>

#include "ui/tradeoff/trade_off_model.h"

class QCheckBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace epsilens::ui {

/// What is to be measured, and the button that starts or stops it.
class MeasureBar : public QWidget {
    Q_OBJECT

public:
    explicit MeasureBar(TradeOffModel& model, QWidget* parent = nullptr);
    /// Measures, or cancels.
    [[nodiscard]] QPushButton* button() const { return m_measure; }

private:
    void addClassifier(QHBoxLayout& row, experiment::ClassifierKind kind, const char* objectName,
                       const QString& text, const QString& description);
    void addAttack(QHBoxLayout& row, experiment::Task task, const char* objectName,
                   const QString& text, const QString& description);
    void addRepeats(QHBoxLayout& row);
    void takeChoice();
    void refresh();
    void measureOrStop();

    TradeOffModel& m_model;
    std::vector<std::pair<experiment::ClassifierKind, QCheckBox*>> m_classifiers;
    std::vector<std::pair<experiment::Task, QCheckBox*>> m_attacks;
    QSpinBox* m_repeats;
    QLabel* m_progress;
    QPushButton* m_measure;
};

}  // namespace epsilens::ui
