#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTextDocument>

#include "core/calibration/run.h"
#include "core/report/report_model.h"
#include "ui/state/analysis_state.h"
#include "ui/state/current_measurement.h"
#include "ui/state/job_runner.h"
#include "ui/state/query.h"
#include "ui/state/session_results.h"

namespace epsilens::ui {

/// What the Report tab does, without a window. A report is about the present setting: where the run
/// does not have it, it is done again with it.
class ReportDraft : public QObject {
    Q_OBJECT

public:
    using Evaluations = std::vector<std::shared_ptr<const document::EvaluationRecord>>;

    ReportDraft(AnalysisState& state, SessionResults& results, QObject* parent = nullptr);

    /// The texts of the analyst, limits and unknown words of the details, the present setting where
    /// the run has it, and the distances of the vocabulary once they have been computed; sentences
    /// only while they are included.
    [[nodiscard]] document::ReportSettings settings() const;
    /// The limits and the policy for unknown words, if one is named, become those of the details.
    /// Without a date it is today's.
    void setSettings(const document::ReportSettings& settings);
    [[nodiscard]] bool includesSentence() const { return m_includesSentence; }
    void setIncludesSentence(bool includes);
    /// The two words of the details, whose odds the report shows beside those of well-known pairs
    /// if it includes them: they may come from a confidential text. Nothing: there are none.
    void setPair(std::optional<calibration::NamedPair> pair);
    [[nodiscard]] const std::optional<calibration::NamedPair>& pair() const { return m_pair; }
    [[nodiscard]] bool includesPair() const { return m_includesPair; }
    void setIncludesPair(bool includes);
    /// Whether there are two words that somebody chose and the report leaves out: neither
    /// well-known nor included.
    [[nodiscard]] bool hidesPair() const;
    void setRun(calibration::RunHandle run);
    /// search  by which epsilon was chosen on texts; or null
    void setEvaluations(Evaluations evaluations,
                        std::shared_ptr<const document::KeptSearch> search = {});
    void setOwnText(std::optional<MeasuredText> text);
    /// Rows of the words typed in Choose, each once. The report tells how many of them are kept
    /// more often than the limits say, and nothing else of them.
    void setTypedWords(std::vector<calibration::Row> rows);
    [[nodiscard]] const calibration::RunHandle& run() const { return m_run; }
    /// The same with the present setting among its own, as soon as that has been measured.
    [[nodiscard]] const calibration::RunHandle& reportedRun() const;
    /// Whether the results are of other settings than those at hand, so that there is no report.
    [[nodiscard]] bool isOutdated() const;
    void setPreviewed(bool previewed) { m_preview.setWanted(previewed); }
    [[nodiscard]] bool isPreviewOutdated() const { return m_run && m_preview.current() == nullptr; }
    static constexpr double kPreviewPointSize = 9.5;
    void setPreviewPointSize(double pointSize);
    [[nodiscard]] JobRunnerBase& composer() { return m_preview.job(); }

    [[nodiscard]] static QStringList filters();
    void exportTo(const QString& path);
    [[nodiscard]] JobRunnerBase& exporter() { return m_exporter; }

Q_SIGNALS:
    void changed();
    void edited();
    void runChanged();
    void previewReady(const std::shared_ptr<QTextDocument>& document,
                      const std::shared_ptr<const report::ReportContent>& content);
    void exported(const QString& path);
    void failed(const Error& error);

private:
    /// What was measured for a report; another one about the same run takes it over if it fits.
    struct Known {
        calibration::RunHandle run{};  ///< with the setting
        std::shared_ptr<const std::vector<calibration::ComparedMechanism>> others{};
    };
    struct Subject {
        document::ReportSettings settings{};
        calibration::RunHandle run{};
        mechanism::Setting setting{};
        engine::SearchSpaceHandle space{};
        Evaluations evaluations{};
        std::shared_ptr<const document::KeptSearch> search{};
        std::optional<calibration::NamedPair> pair{};  ///< to show beside the well-known ones
        bool hidesPair = false;                        ///< as in document::Report
        double pointSize = kPreviewPointSize;
        Known known{};
        calibration::MeasurementHandle ownText{};  ///< what the texts of the settings tell of
        std::vector<calibration::Row> typed{};

        [[nodiscard]] bool operator==(const Subject& other) const;
    };
    struct Preview {
        Known known{};
        std::shared_ptr<QTextDocument> document{};
        std::shared_ptr<const report::ReportContent> content{};
    };

    [[nodiscard]] static Result<document::Report> reportOf(const Subject& subject, Known& known,
                                                           const JobContext& job);
    [[nodiscard]] Subject subject() const;
    void noteChange();
    void takePreview();

    AnalysisState& m_state;
    SessionResults& m_results;
    document::ReportSettings m_settings;  ///< but for what settings() adds
    std::string m_about;                  ///< path and name of the embedding that they tell of
    bool m_includesSentence = false;
    std::optional<calibration::NamedPair> m_pair;
    bool m_includesPair = false;
    double m_previewPointSize = kPreviewPointSize;
    calibration::RunHandle m_run;
    Known m_known;
    Evaluations m_evaluations;
    std::shared_ptr<const document::KeptSearch> m_search;
    std::optional<MeasuredText> m_ownText;
    std::vector<calibration::Row> m_typed;
    QString m_exportPath;
    calibration::RunHandle m_exportedRun;
    Query<Subject, Preview> m_preview;
    JobRunner<Known> m_exporter;
};

}  // namespace epsilens::ui
