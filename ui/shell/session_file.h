#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <QObject>
#include <QString>

#include "core/document/session.h"
#include "ui/report/report_draft.h"
#include "ui/shell/recovery_copy.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_runner.h"
#include "ui/tradeoff/trade_off_model.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/rest_timer.h"

class QWidget;

namespace epsilens::ui {

/// The session of the window: opens and saves it, knows whether something is unsaved, and offers
/// what a crash left.
class SessionFile : public QObject {
    Q_OBJECT

public:
    /// The desktop when it ends its programs, as far as it is asked and told.
    struct Desktop {
        std::function<bool()> allowsInteraction;
        std::function<void()> release;  ///< nothing more is asked
        std::function<void()> cancel;   ///< the session of the desktop is to go on
    };

    /// window      parent of the dialogs
    /// takeTyping  takes over what is being typed: done before anything is saved or asked
    SessionFile(AnalysisState& state, ReportDraft& draft, QWidget* window,
                std::function<void()> takeTyping);

    /// Name of the file without folders; empty while there is none.
    [[nodiscard]] QString name() const;
    /// Whether there is something that the file does not hold: without a file, results or texts of
    /// the report. Results count from the end of their run.
    [[nodiscard]] bool isModified() const;

    /// What a session keeps of Texts.
    void setTradeOff(KeptTradeOff tradeOff);
    /// Reads a session; its embedding is asked for next.
    void open(const QString& path);
    /// A session whose embedding did not open is not waited with any longer: the analyst gave up,
    /// or opens something else.
    void forgetPending();
    /// Saves in the background; a dialog asks for the name if there is none yet. saved() follows,
    /// or noticed() with what went wrong.
    void save();
    void saveAs();
    /// Asks what to do with unsaved work, and waits until it is saved; false when the window has to
    /// stay as it is.
    ///
    /// opensOther  the window stays, and what is opened in it takes the results away
    bool mayClose(bool opensOther = false);
    /// Asks about unsaved work when the desktop ends its programs, where it allows that.
    void logOut(const Desktop& desktop);
    [[nodiscard]] JobRunnerBase& reader() { return m_reader; }
    [[nodiscard]] RecoveryCopy& recovery() { return m_recovery; }

    [[nodiscard]] static QString filter();
    [[nodiscard]] static bool isSession(const QString& path);
    /// Offers what was left by a crash, unless that has been answered, or the last session.
    void offerSession();

Q_SIGNALS:
    /// The name or whether something is unsaved; told a moment after the settings changed.
    void changed();
    /// firstRows  how many rows to load, 0 for all
    void embeddingWanted(const QString& path, qint64 firstRows);
    /// Results of the session, for the panel that shows them.
    void resultsRestored(const calibration::RunHandle& run);
    /// What the session keeps of Texts.
    void tradeOffRestored(const epsilens::ui::KeptTradeOff& tradeOff,
                          const std::string& sessionPath);
    /// The settings of a session are in the window.
    void restored();
    void noticed(const Notice& notice);
    /// What noticed() told before says nothing any more.
    void withdrawn(const QString& text);
    void saved(const QString& name);

private:
    [[nodiscard]] bool hasUnsavedResults() const;
    /// What a file holds, to tell whether the window holds something else.
    struct Snapshot {
        std::string key{};  ///< the settings
        std::optional<document::SessionEmbedding> embedding{};
        calibration::RunHandle results{};
        KeptTradeOff tradeOff{};
    };

    void noteChange();
    void offer(const QString& text, const QString& open, const QString& path,
               const QList<NoticeAction>& others = {});
    void withdrawOffer();
    void takeSession(Result<document::Session> session);
    void followEmbedding();
    void applyPending();
    void restore(const document::Session& session, bool withResults);
    void refuseVectors();
    void tellOfReplaced(const mechanism::Mechanism& wanted);
    void writeTo(const QString& path);
    void takeWritten(const Result<bool>& written);
    void waitUntilWritten();
    [[nodiscard]] Snapshot snapshot() const;
    void markSaved();

    AnalysisState& m_state;
    ReportDraft& m_draft;
    KeptTradeOff m_tradeOff;
    QWidget* m_window;
    std::function<void()> m_takeTyping;
    QString m_path;         ///< empty: never saved
    QString m_openingPath;  ///< of the session being opened
    Snapshot m_saved;
    QString m_writingPath;
    std::optional<Snapshot> m_writing;  ///< what is being saved there, while it is of this window
    bool m_reportEdited = false;
    QString m_offered;  ///< what was said of the last session; empty: nothing
    std::optional<document::Session> m_pending;  ///< waits for its embedding
    RestTimer m_compare;
    JobRunner<document::Session> m_reader;
    JobRunner<bool> m_writer;
    RecoveryCopy m_recovery;
};

}  // namespace epsilens::ui
