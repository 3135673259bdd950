#pragma once

#include <optional>

#include "ui/state/job_runner.h"
#include "ui/widgets/panel.h"
#include "ui/words/words_model.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace epsilens::ui {

class KeptHistogram;
class SelectedRow;
class NoticeLine;
struct Notice;

/// The Words tab: the words of the current measurement one by one at the epsilon of the dial, to
/// sort, filter and search.
class WordsPanel : public Panel {
    Q_OBJECT

public:
    WordsPanel(AnalysisState& state, SessionResults& results, QuickMeasurement& measurement,
               QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] bool handles(PanelCommand command) const override;
    void execute(PanelCommand command) override;
    [[nodiscard]] QWidget* firstControl() const override;
    [[nodiscard]] WordsModel& model() { return m_model; }
    /// Writing a file, for the place that shows all jobs.
    [[nodiscard]] JobRunnerBase* exporter() { return &m_model.exporter(); }

Q_SIGNALS:
    /// The analyst wants to see this word on Choose.
    void wordActivated(const epsilens::ui::Word& word);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QWidget* buildEmptyState();
    [[nodiscard]] QWidget* buildContent();
    void buildPreset(QWidget* parent);
    [[nodiscard]] QHBoxLayout* buildSearch(QWidget* parent);
    [[nodiscard]] QHBoxLayout* buildFooter(QWidget* parent);
    void buildTable(QWidget* parent);
    void fitColumns();
    /// The histogram stands where the columns of the table leave room.
    void placeHistogram();
    void connectModel();
    void showMeasurement();
    void showStatus();
    void showDensity();
    void showPresets();
    /// Under the filter: what is wrong with it, or that no word meets it.
    void showFilterAnswer();
    /// What is missing from the table.
    [[nodiscard]] std::optional<Notice> wantedNotice();
    void takeFilter();
    void find(bool backwards, bool exact);
    void goTo(int tableRow);
    void sortByCurrentColumn(Qt::SortOrder order);
    void copy();
    void chooseFileAndExport();

    AnalysisState& m_state;
    WordsModel& m_model;  ///< a child: controls that lose the focus while closing still reach it
    NoticeLine* m_notice;
    QStackedWidget* m_pages;
    QLabel* m_emptyText;
    QPushButton* m_measure;
    QComboBox* m_preset;
    QLineEdit* m_filter;
    QLabel* m_problem;
    QString m_refusal;  ///< of the filter as typed; empty if it is in force
    QLineEdit* m_find;
    QToolButton* m_previous;
    QToolButton* m_next;
    QPushButton* m_compute;
    QTableView* m_view;
    KeptHistogram* m_histogram = nullptr;
    SelectedRow* m_selected = nullptr;
    QLabel* m_status;
    QPushButton* m_copy;
    QPushButton* m_export;
};

}  // namespace epsilens::ui
