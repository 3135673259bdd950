#pragma once

#include <memory>

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTextDocument>

#include "core/report/report_model.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_runner.h"
#include "ui/state/session_results.h"

namespace epsilens::ui {

/// What the Report tab does, without a window: the analyst's texts, the results they belong to, the
/// preview, the export.
class ReportDraft : public QObject {
    Q_OBJECT

public:
    ReportDraft(AnalysisState& state, SessionResults& results, QObject* parent = nullptr);

    /// The texts and choices of the analyst, limits and unknown words of the set-up, and the
    /// distances of the vocabulary once they have been computed; sentences only while they are
    /// included.
    [[nodiscard]] document::ReportSettings settings() const;
    /// The limits and the policy for unknown words, if one is named, become those of the set-up.
    /// Without a date it is today's.
    void setSettings(const document::ReportSettings& settings);
    /// Whether the sentence of the state is shown in the report: it is confidential else.
    [[nodiscard]] bool includesSentence() const { return m_includesSentence; }
    void setIncludesSentence(bool includes);
    /// The limits in words, a sentence each.
    [[nodiscard]] QStringList limitSentences() const;
    [[nodiscard]] SessionResults& results() { return m_results; }

    /// Results of a run that has just ended. Chooses the setting nearest to the one looked at,
    /// unless one of the run's settings, or none, was chosen before.
    void setRun(calibration::RunHandle run);
    /// Results from a session; the choice in the settings holds, even if it is none. Null: none.
    void restoreRun(calibration::RunHandle run);
    /// Null until there are results.
    [[nodiscard]] const calibration::RunHandle& run() const { return m_run; }
    /// The settings to choose among, in the order of the results: "ε = 10, λ = 0.5".
    [[nodiscard]] QStringList choices() const;
    /// The cell of the choice; -1 without one.
    [[nodiscard]] int chosenCell() const;
    /// cell  -1 for none
    void setChosenCell(int cell);

    /// A preview is composed only while somebody looks at it.
    void setPreviewed(bool previewed);
    [[nodiscard]] const JobRunnerBase& composer() const { return m_composer; }

    /// The file formats of an export, for a file dialog; PDF first.
    [[nodiscard]] static QStringList filters();
    /// Writes the report; the ending of the path chooses the format.
    void exportTo(const QString& path);
    [[nodiscard]] JobRunnerBase& exporter() { return m_exporter; }

Q_SIGNALS:
    /// Texts, choices or sections changed by a setter.
    void edited();
    /// The limits of the set-up are others.
    void limitsChanged();
    void runChanged();
    /// A new preview while it is looked at; the document belongs to the receiver's thread.
    void previewReady(const std::shared_ptr<QTextDocument>& document);
    void exported(const QString& path);
    void failed(const Error& error);

private:
    void forget();
    void showRun();
    void chooseNearest();
    void requestPreview();
    [[nodiscard]] document::Report report() const;

    AnalysisState& m_state;
    SessionResults& m_results;
    document::ReportSettings m_settings;  ///< but for what settings() adds
    bool m_includesSentence = false;
    bool m_isPreviewed = false;
    bool m_isPreviewOutdated = false;
    bool m_isNoneChosen = false;  ///< decided by the analyst, or by a session
    calibration::RunHandle m_run;
    QString m_exportPath;
    JobRunner<std::shared_ptr<QTextDocument>> m_composer;
    JobRunner<bool> m_exporter;
};

}  // namespace epsilens::ui
