#pragma once

#include <QDialog>
#include <QPointer>

#include "ui/release/release_job.h"
#include "ui/release/release_survey.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/file_drop.h"

class QLabel;
class QLayout;
class QProgressBar;
class QPushButton;

namespace epsilens::ui {

class AnalysisState;
class ColumnScrollArea;
class GuaranteeModel;
class JobBoard;
class LimitState;
struct Notice;
class PromiseBox;
class ReleaseConsent;
class ReleaseForm;
class ReleaseOutcome;

/// Run → Release text…: releases a text file with the mechanism the window stands at. Says before
/// the start what will not be protected, and shows the counts at the end. The buttons stay where
/// they are, whatever is said above them.
class ReleaseDialog : public QDialog {
    Q_OBJECT

public:
    /// guarantee  with the two words of the dial; null: everyday words stand for them
    ReleaseDialog(AnalysisState& state, const LimitState& limits, JobBoard& jobs,
                  QWidget* parent = nullptr, const GuaranteeModel* guarantee = nullptr);

    /// Takes over a file and one of its columns, unless the user has named another text.
    void offer(const QString& path, const QString& column);
    void done(int result) override;

Q_SIGNALS:
    /// What was written, with which setting and consent; holds no text.
    void released(const QString& what);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildPage();
    [[nodiscard]] QLayout* buildButtons();
    void connectControls();
    void fitToScreen();
    void describeSetting();
    void describeUnprotected();
    void followForm();
    void followRequest();
    void showRemark();
    void showSurvey();
    [[nodiscard]] QString replacementText() const;
    void updateControls();
    [[nodiscard]] bool refuses();
    void refuse(const Notice& notice, QWidget& field);
    void start();
    void finish(const Result<report::ReleaseReport>& result);
    [[nodiscard]] ReleaseRequest request() const;

    AnalysisState& m_state;
    ColumnScrollArea* m_scroll;
    QLabel* m_setting;
    ReleaseForm* m_form;
    QLabel* m_unprotected;
    PromiseBox* m_promise;
    ReleaseConsent* m_consent;
    ReleaseOutcome* m_outcome;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
    QPushButton* m_start;
    QPushButton* m_close;
    QString m_writing;          ///< output file of the run, the last or the one now
    QPointer<QWidget> m_focus;  ///< of the form when the run began
    bool m_isColumnRefused = false;
    FileDrop m_drop{*this};
    ReleaseSurvey m_survey;
    JobRunner<report::ReleaseReport> m_runner;
};

}  // namespace epsilens::ui
