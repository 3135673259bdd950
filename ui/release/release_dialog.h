#pragma once

#include <optional>

#include <QDateTime>
#include <QDialog>
#include <QPointer>

#include "ui/release/release_form.h"
#include "ui/state/job_runner.h"
#include "ui/state/query.h"

class QCheckBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace epsilens::ui {

class AnalysisState;
class ColumnScrollArea;
class GuaranteeModel;
class JobBoard;
class LimitState;
class NoticeLine;

/// "34 % of the words are unknown and would be masked, most often: …", and a warning where common
/// words are among them.
///
/// isTable  the text is the columns of a table
[[nodiscard]] QString surveyText(const release::TextSurvey& survey, release::UnknownPolicy unknown,
                                 bool isTable);

/// Run → Release text…: releases a text file with the mechanism the window stands at. Says before
/// the start what will not be protected, and shows the counts at the end. The buttons stay where
/// they are, whatever is said above them.
class ReleaseDialog : public QDialog {
    Q_OBJECT

public:
    ReleaseDialog(AnalysisState& state, const LimitState& limits, JobBoard& jobs,
                  const GuaranteeModel& guarantee, QWidget* parent = nullptr);

    /// Takes over a file and one of its columns, unless the user has named another text.
    void offer(const QString& path, const QString& column);
    void done(int result) override;

Q_SIGNALS:
    void released(const QString& what);

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// What is found by reading all of a text before it is asked for. It holds words of the text:
    /// it is shown and forgotten, and goes nowhere else.
    struct SurveyKey {
        ReleaseRequest request{};
        QDateTime modified{};  ///< the file of the request

        [[nodiscard]] bool operator==(const SurveyKey& other) const;
    };

    struct Survey {
        Result<release::TextSurvey> found{};  ///< or why the text cannot be released
    };

    [[nodiscard]] QHBoxLayout* buildButtons();
    /// The place for what is said before a release, for why it did not start, and for what came of
    /// it. It has a height of its own and scrolls, so that nothing around it moves.
    [[nodiscard]] ColumnScrollArea* buildOutcome();
    void connectControls();
    void describeSetting();
    void followForm();
    void followRequest();
    void showSurvey();
    [[nodiscard]] QString surveyLine() const;
    [[nodiscard]] bool isReading() const;
    void followLimits();
    void showLimits();
    [[nodiscard]] QString consent() const;
    void updateControls();
    void start();
    void finish(const Result<report::ReleaseReport>& result);
    void showResult(const QString& text);
    [[nodiscard]] ReleaseRequest request() const;
    [[nodiscard]] std::optional<SurveyKey> surveyKey() const;

    AnalysisState& m_state;
    const LimitState& m_limits;
    const GuaranteeModel& m_guarantee;
    ColumnScrollArea* m_scroll;
    QLabel* m_setting;
    ReleaseForm* m_form;
    QLabel* m_unprotected;
    QLabel* m_met;               ///< which limits are met, a line each
    QCheckBox* m_outsideLimits;  ///< to be ticked where a setting is not known to meet them
    NoticeLine* m_notice = nullptr;
    QLabel* m_survey = nullptr;
    QLabel* m_result = nullptr;
    QWidget* m_place = nullptr;  ///< around the next two
    QLineEdit* m_path = nullptr;
    QPushButton* m_openFolder = nullptr;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
    QPushButton* m_start;
    QPushButton* m_close;
    QString m_writing;          ///< output file of the run, the last or the one now
    QPointer<QWidget> m_focus;  ///< of the form when the run began
    Query<SurveyKey, Survey> m_query;
    JobRunner<report::ReleaseReport> m_runner;
};

}  // namespace epsilens::ui
