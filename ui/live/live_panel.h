#pragma once

#include <utility>

#include <QList>
#include <QTimer>

#include "ui/live/live_model.h"
#include "ui/widgets/panel.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;

namespace epsilens::ui {
class NoticeLine;
}

namespace epsilens::ui::live {

class OutputView;

/// The first tab, Choose: a text, its sampled outputs, a table of its words, the chosen word in
/// full, and the first limit. LiveModel has the substance.
class LivePanel : public Panel {
    Q_OBJECT

public:
    explicit LivePanel(AnalysisState& state, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Choose"); }
    [[nodiscard]] QWidget* firstControl() const override;
    /// Takes over keys that have not been answered yet.
    void commitText();

    [[nodiscard]] LiveModel& model() { return m_model; }

Q_SIGNALS:
    /// The analyst wants to see, or add, limits that a sentence does not say.
    void limitsRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    [[nodiscard]] QWidget* buildSentenceRow();
    [[nodiscard]] QWidget* buildContent();
    [[nodiscard]] QWidget* buildOutputRows();
    void play(bool isOn);
    void showText();
    void showExamples();
    void showUnknown();
    void showPage();
    void showValues();
    void showOutput();
    [[nodiscard]] QString changedText() const;

    AnalysisState& m_state;
    LiveModel m_model;
    QPlainTextEdit* m_sentence = nullptr;
    QPushButton* m_sample = nullptr;
    QPushButton* m_play = nullptr;
    QTimer m_player;
    QTimer m_typing;  ///< runs until the keys at hand are handled
    QWidget* m_limit = nullptr;
    NoticeLine* m_notice = nullptr;
    QStackedWidget* m_pages = nullptr;
    QLabel* m_examples = nullptr;
    QLabel* m_unknown = nullptr;
    QList<std::pair<QString, QString>> m_offers;  ///< unknown words and spellings in their place
    OutputView* m_output = nullptr;
    QLabel* m_changed = nullptr;
    QPushButton* m_guess = nullptr;  ///< where guesses are made on request
    QLabel* m_rest = nullptr;        ///< how much of the text is not shown
    QLabel* m_status = nullptr;
};

}  // namespace epsilens::ui::live
