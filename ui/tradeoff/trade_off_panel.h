#pragma once

#include "ui/tradeoff/trade_off_model.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/panel.h"

class QLabel;
class QPushButton;
class QStackedWidget;
class QTabWidget;

namespace epsilens::ui {

class DataBar;
class FrontierPlot;
class GoalSearch;
class MeasureBar;
class MeasuredPlot;
class NumbersView;

/// The Texts tab: what the analyst's own texts are still good for, and what an attacker still
/// learns from them, over the grid of epsilon and lambda.
class TradeOffPanel : public Panel {
    Q_OBJECT

public:
    explicit TradeOffPanel(AnalysisState& state, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] bool handles(PanelCommand command) const override {
        return command == PanelCommand::run && isVisible();
    }
    void execute(PanelCommand command) override;
    [[nodiscard]] QWidget* firstControl() const override;
    [[nodiscard]] TradeOffModel& model() const { return m_model; }
    [[nodiscard]] GoalSearch& goals() const { return m_goals; }

public Q_SLOTS:
    /// Asks for the analyst's own texts and opens them.
    void chooseFile();
    void chooseFolder();

private:
    [[nodiscard]] QWidget* buildSetUp();
    [[nodiscard]] QWidget* buildEmptyState();
    [[nodiscard]] QWidget* buildResults();
    [[nodiscard]] QWidget* buildPlots();
    void connectModel();
    void measureOrOpen();
    void showPlan();
    void showResult();
    void showOrigin();
    void showFamily();
    void choosePoint(double epsilon);
    void showReading();
    void showStateNotice();

    TradeOffModel& m_model;  ///< a child: controls that lose the focus while closing still reach it
    NoticeLine* m_notice;
    DataBar* m_data;
    MeasureBar* m_measure;
    GoalSearch& m_goals;  ///< a child, as the model
    QStackedWidget* m_pages;
    QLabel* m_emptyText;
    QPushButton* m_emptyButton;
    QPushButton* m_aloneButton;
    QLabel* m_sentence;
    QLabel* m_origin;
    MeasuredPlot* m_utility;
    MeasuredPlot* m_risk;
    FrontierPlot* m_frontier;
    NumbersView* m_numbers;
    std::optional<std::size_t> m_shownFamily;
};

}  // namespace epsilens::ui
