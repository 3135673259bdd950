#pragma once

#include <array>
#include <optional>
#include <vector>

#include "ui/tradeoff/goal_search.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/panel.h"

class QCheckBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace epsilens::ui {

class NumberField;
class NumbersView;
class XyPlot;

/// The Texts tab: what the analyst's own texts are still good for, and what an attacker still
/// learns from them, over the grid of epsilon and lambda.
class TradeOffPanel : public Panel {
    Q_OBJECT

public:
    explicit TradeOffPanel(AnalysisState& state,
                           GoalSearchFunction search = evaluation::recommendWithin,
                           QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Texts"); }
    void measureOrOpen();
    [[nodiscard]] QWidget* firstControl() const override;
    [[nodiscard]] TradeOffModel& model() const { return m_model; }
    [[nodiscard]] GoalSearch& goals() const { return m_goals; }

public Q_SLOTS:
    void chooseFile();
    void chooseFolder();

private:
    struct Choice {
        attack::Task task = attack::Task::classify;
        evaluation::ClassifierKind classifier = evaluation::ClassifierKind::linear;
        QCheckBox* box = nullptr;
    };

    [[nodiscard]] QWidget* buildTexts();
    [[nodiscard]] QWidget* buildColumns();
    [[nodiscard]] QWidget* buildChoices();
    [[nodiscard]] QWidget* buildGoals();
    [[nodiscard]] QWidget* buildEmptyState();
    [[nodiscard]] QWidget* buildResults();
    void addColumn(QHBoxLayout& row, const QString& label, const char* name, const QString& title,
                   const QString& whenEmpty);
    void addChoice(QHBoxLayout& row, const Choice& choice, const char* name, const QString& text,
                   const QString& description);
    void addBlank(QHBoxLayout& row, const QString& label, const char* name, const QString& title,
                  const QString& description, evaluation::FigureName::Kind kind);
    void connectModel();
    void measure(void (TradeOffModel::*start)());
    void takeChoices();
    void refresh();
    void showTexts();
    void showGoals();
    void showPlan();
    void showResult();
    void showOrigin();
    void showStateNotice();

    TradeOffModel& m_model;  ///< a child: controls that lose the focus while closing still reach it
    GoalSearch& m_goals;     ///< likewise
    NoticeLine* m_notice;
    QPushButton* m_open;
    QLabel* m_summary;
    QLabel* m_remark;
    std::array<QLineEdit*, 3> m_columns{};  ///< of texts, classes, authors
    std::vector<Choice> m_choices;
    NumberField* m_repeats;
    QLabel* m_obstacle;
    QPushButton* m_measure;
    QPushButton* m_find;
    QLabel* m_goalMessage;
    QString m_goalProblem;  ///< with the limit typed last; empty if it is taken
    QLabel* m_emptyText;
    QPushButton* m_emptyButton;
    QPushButton* m_aloneButton;
    QLabel* m_sentence;
    QLabel* m_origin;
    XyPlot* m_utility;
    XyPlot* m_risk;
    XyPlot* m_frontier;
    NumbersView* m_numbers;
    std::array<QWidget*, 3> m_ofTexts{};  ///< shown where there are texts
    QStackedWidget* m_pages;
    TradeOffResultHandle m_shown;
    TradeOffResultHandle m_shownKnown;  ///< of the present setting, among its numbers; or null
    std::optional<std::size_t> m_shownFamily;
    std::vector<evaluation::FigureLimit> m_shownLimits;
};

}  // namespace epsilens::ui
