#pragma once

#include <optional>
#include <string>

#include <QObject>
#include <QString>
#include <QTimer>

#include "core/project/session.h"
#include "ui/common/analysis_state.h"
#include "ui/common/job_runner.h"
#include "ui/common/notice_line.h"
#include "ui/report/report_draft.h"

class QWidget;

namespace epsilens::ui {

/// The session of the window: opens and saves it, knows whether something is unsaved, and keeps a
/// copy of the settings for recovery after a crash.
class SessionFile : public QObject {
    Q_OBJECT

public:
    /// window  parent of the dialogs
    SessionFile(AnalysisState& state, ReportDraft& draft, QWidget* window);
    ~SessionFile() override;

    /// Name of the file without folders; empty while there is none.
    [[nodiscard]] QString name() const;
    /// Whether there is something that the file does not hold: without a file, results or texts of
    /// the report.
    [[nodiscard]] bool isModified() const;

    /// Reads a session; its embedding is asked for next.
    void open(const QString& path);
    /// Returns whether the session is saved; a dialog asks for the name where there is none.
    bool save();
    bool saveAs();
    /// Asks what to do with unsaved work; false when the window has to stay as it is.
    bool mayClose();
    [[nodiscard]] JobRunnerBase& reader() { return m_reader; }
    /// How long changes rest before a copy for recovery is written; 5 s to begin with.
    void setAutosaveDelay(int milliseconds) { m_autosave.setInterval(milliseconds); }

    [[nodiscard]] static QString filter();
    [[nodiscard]] static bool isSession(const QString& path);
    /// Offers what was left by a crash; call once, when the window is there.
    void offerRecovery();

Q_SIGNALS:
    /// The name or whether something is unsaved.
    void changed();
    /// firstRows  how many rows to load, 0 for all
    void embeddingWanted(const QString& path, qint64 firstRows);
    /// Results of the session, for the panel that shows them.
    void resultsRestored(const RecordHandle& record);
    /// The settings of a session are in the window.
    void restored();
    void noticed(const Notice& notice);
    void saved(const QString& name);

private:
    void connectChanges();
    void noteChange();
    void takeSession(Result<project::Session> session);
    void wantEmbedding(const QString& path);
    void followEmbedding();
    void applyPending();
    void restore(const project::Session& session, bool withResults);
    void refuseVectors();
    bool writeTo(const QString& path);
    void markSaved();
    [[nodiscard]] std::string contentKey() const;
    [[nodiscard]] static QString recoveryPath();
    void writeRecovery();

    AnalysisState& m_state;
    ReportDraft& m_draft;
    QWidget* m_window;
    QString m_path;         ///< empty: never saved
    QString m_openingPath;  ///< of the session being opened
    std::string m_savedKey;
    std::optional<project::SessionEmbedding> m_savedEmbedding;
    RecordHandle m_savedRecord;
    bool m_reportEdited = false;
    std::optional<project::Session> m_pending;  ///< waits for its embedding
    QTimer m_autosave;
    JobRunner<project::Session> m_reader;
};

}  // namespace epsilens::ui
