#pragma once

#include <QTimer>

#include "core/base/error.h"
#include "ui/live/live_model.h"
#include "ui/live/word_table_model.h"
#include "ui/state/analysis_state.h"
#include "ui/widgets/panel.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTableView;

namespace epsilens::ui {
class FittedColumns;
class NoticeLine;
class SessionResults;
}  // namespace epsilens::ui

namespace epsilens::ui::live {

class FirstLimit;
class OutputView;
class UnknownWordsBar;
class WordDetails;

/// The Live tab: a sentence, its sampled outputs, a table of its words, and the chosen word in
/// full. Only wires its parts together; LiveModel has the substance.
class LivePanel : public Panel {
    Q_OBJECT

public:
    /// state, results  must outlive the panel
    LivePanel(AnalysisState& state, SessionResults& results, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] bool handles(PanelCommand command) const override;
    void execute(PanelCommand command) override;
    [[nodiscard]] QWidget* firstControl() const override;

    [[nodiscard]] LiveModel& model() { return m_model; }

Q_SIGNALS:
    /// The analyst wants to see, or add, limits that a sentence does not say.
    void limitsRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QWidget* buildSentenceRow();
    [[nodiscard]] QWidget* buildContent();
    [[nodiscard]] QWidget* buildOutputRows();
    [[nodiscard]] QSplitter* buildSplitter();
    void buildTable();
    void connectModel();
    void applyTheme();
    void takeSentence();
    void showPage();
    void showPinned();
    void showReset();
    void showValues();
    void showOutput();
    void showStatus();
    void showFailure(const Error& error);
    void selectDetailRow();
    void choose(std::size_t entry);
    void fitTable();
    void chooseWidths();
    [[nodiscard]] QString unknownText(int unknown) const;
    [[nodiscard]] QString changedText() const;

    AnalysisState& m_state;
    SessionResults& m_results;
    LiveModel m_model;
    WordTableModel m_words;
    QTimer m_slowTimer;  ///< running while a computation is too young to be spoken of
    QTimer m_refit;      ///< widths of columns, once the headers have another font
    bool m_isApplyingTheme = false;
    bool m_isSelecting = false;  ///< the program, not the analyst, selects a row
    QLineEdit* m_sentence = nullptr;
    QPushButton* m_sample = nullptr;
    FirstLimit* m_limit = nullptr;
    NoticeLine* m_notice = nullptr;
    QStackedWidget* m_pages = nullptr;
    OutputView* m_output = nullptr;
    QLabel* m_changed = nullptr;
    QLabel* m_status = nullptr;
    UnknownWordsBar* m_unknown = nullptr;
    QTableView* m_table = nullptr;
    FittedColumns* m_columns = nullptr;
    WordDetails* m_details = nullptr;
};

}  // namespace epsilens::ui::live
