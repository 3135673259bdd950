#pragma once

#include <QDialog>

#include "ui/release/release_cost.h"
#include "ui/release/release_job.h"
#include "ui/state/analysis_settings.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/file_drop.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace epsilens::ui {

class AnalysisState;
class EncodingChoice;
class JobBoard;
class LimitState;
class NoticeLine;
class ReleaseConsent;

/// Run → Release text…: releases a text file with the mechanism the window stands at. Says before
/// the start what will not be protected and what it costs, and shows the counts at the end. Nothing
/// that is typed here is remembered.
class ReleaseDialog : public QDialog {
    Q_OBJECT

public:
    ReleaseDialog(AnalysisState& state, const LimitState& limits, JobBoard& jobs,
                  QWidget* parent = nullptr);
    ~ReleaseDialog() override;
    ReleaseDialog(const ReleaseDialog&) = delete;
    ReleaseDialog& operator=(const ReleaseDialog&) = delete;
    ReleaseDialog(ReleaseDialog&&) = delete;
    ReleaseDialog& operator=(ReleaseDialog&&) = delete;

    void done(int result) override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildControls();
    void buildPolicies(QFormLayout& form);
    void buildProgress();
    void connectControls();
    void chooseInput();
    void chooseOutput();
    void chooseStopWords();
    void takeDropped(const QString& path, const QWidget* target);
    void suggestOutput();
    void describeSetting();
    void forgetResult();
    [[nodiscard]] QString replacementText() const;
    void showPolicies();
    [[nodiscard]] TextPolicies policies() const;
    void describeUnprotected();
    void followCost();
    void showCost();
    [[nodiscard]] QStringList written() const;
    void updateControls();
    void start();
    void finish(const Result<report::ReleaseReport>& result);
    [[nodiscard]] ReleaseRequest request() const;

    AnalysisState& m_state;
    QLabel* m_setting;
    QLineEdit* m_input;
    QPushButton* m_browseInput;
    EncodingChoice* m_encoding;
    QLineEdit* m_columns;
    QLineEdit* m_output;
    QPushButton* m_browseOutput;
    QComboBox* m_unknown;
    QLineEdit* m_mask;
    QComboBox* m_letterCase;
    QLineEdit* m_stopWords;
    QPushButton* m_browseStopWords;
    QCheckBox* m_sidecar;
    ReleaseConsent* m_consent;
    QLabel* m_unprotected;
    QLabel* m_costLabel;
    NoticeLine* m_notice;
    QProgressBar* m_progress;
    QLabel* m_result;
    QPushButton* m_start;
    QPushButton* m_cancel;
    QPushButton* m_close;
    QString m_suggested;  ///< output file, for the input file before or now
    QString m_writing;    ///< output file of the run, the last or the one now
    FileDrop m_drop{*this};
    ReleaseCost m_cost;
    JobRunner<report::ReleaseReport> m_runner;
};

}  // namespace epsilens::ui
