#pragma once

#include <functional>
#include <optional>
#include <string>

#include <QObject>
#include <QString>

#include "core/document/session.h"
#include "ui/state/job_runner.h"
#include "ui/tradeoff/trade_off_model.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/rest_timer.h"

class QWidget;

namespace epsilens::ui {

class CurvesPanel;
class ReportDraft;

/// The session of the window: opens and saves it, and knows whether something is unsaved. A copy of
/// the settings that a crash would leave is written in the background while the window is open, and
/// is gone when it ends in good order.
class SessionFile : public QObject {
    Q_OBJECT

public:
    /// What a session is made of, and goes back into.
    struct Parts {
        AnalysisState& state;
        ReportDraft& draft;
        CurvesPanel& curves;
        TradeOffModel& tradeOff;
    };

    /// window      parent of the dialogs
    /// takeTyping  takes over what is being typed: done before anything is saved or asked
    SessionFile(const Parts& parts, QWidget* window, std::function<void()> takeTyping);
    ~SessionFile() override;

    /// Name of the file without folders; empty while there is none.
    [[nodiscard]] QString name() const;
    /// Whether there is something that the file does not hold: without a file, results or texts of
    /// the report. Results count from the end of their run.
    [[nodiscard]] bool isModified() const;

    /// Reads a session; its embedding is asked for next.
    void open(const QString& path);
    /// A session whose embedding did not open is not waited with any longer: the analyst gave up,
    /// or opens something else.
    void forgetPending() { m_pending.reset(); }
    /// Saves in the background; a dialog asks for the name if there is none yet. saved() follows,
    /// or noticed() with what went wrong.
    void save();
    void saveAs();
    /// Asks what to do with unsaved work, and waits until it is saved; false when the window has to
    /// stay as it is.
    ///
    /// opensOther  the window stays, and what is opened in it takes the results away
    bool mayClose(bool opensOther = false);
    [[nodiscard]] JobRunnerBase& reader() { return m_reader; }

    [[nodiscard]] static bool isSession(const QString& path);
    /// Where this process keeps the copy for a crash.
    [[nodiscard]] static QString copyPath();
    /// Offers what was left by a crash, unless that has been answered, or the last session.
    void offerSession();

Q_SIGNALS:
    /// The name or whether something is unsaved; told a moment after the settings changed.
    void changed();
    /// firstRows  how many rows to load, 0 for all
    void embeddingWanted(const QString& path, qint64 firstRows);
    /// The settings of a session are in the window.
    void restored();
    void noticed(const Notice& notice);
    void saved(const QString& name);

private:
    /// What a file holds, to tell whether the window holds something else.
    struct Snapshot {
        std::string key{};  ///< the settings
        std::optional<document::SessionEmbedding> embedding{};
        calibration::RunHandle results{};
        KeptTradeOff tradeOff{};
    };

    [[nodiscard]] document::Session settings() const;
    [[nodiscard]] Snapshot snapshot() const;
    [[nodiscard]] bool hasUnsavedResults() const;
    void markSaved();
    void noteChange();
    void writeCopy();
    void offer(const QString& text, const QString& open, const QString& path,
               const QList<NoticeAction>& others = {});
    void takeSession(Result<document::Session> session);
    void followEmbedding();
    void applyPending();
    void refuseVectors();
    void restore(const document::Session& session, bool withResults);
    void writeTo(const QString& path);
    void takeWritten(const Result<bool>& written);
    void waitUntilWritten();

    Parts m_parts;
    AnalysisState& m_state = m_parts.state;
    QWidget* m_window;
    std::function<void()> m_takeTyping;
    QString m_path;         ///< empty: never saved
    QString m_openingPath;  ///< of the session being opened
    Snapshot m_saved;
    QString m_writingPath;
    std::optional<Snapshot> m_writing;  ///< what is being saved there, while it is of this window
    bool m_reportEdited = false;
    std::optional<document::Session> m_pending;  ///< waits for its embedding
    RestTimer m_compare;
    RestTimer m_copyRest;
    JobRunner<document::Session> m_reader;
    JobRunner<bool> m_writer;
    std::optional<JobRunner<bool>> m_copier;
};

}  // namespace epsilens::ui
