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

/// The session of the window, and whether something is unsaved. While the window is open there is a
/// copy of the settings, for a crash.
class SessionFile : public QObject {
    Q_OBJECT

public:
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

    [[nodiscard]] QString name() const;
    /// Whether there is something that the file does not hold: without a file, results, from the
    /// end of their run, or texts of the report.
    [[nodiscard]] bool isModified() const;

    void open(const QString& path);
    /// The analyst gave up the session whose embedding did not open, or opens something else.
    void forgetPending() { m_pending.reset(); }
    void save();
    void saveAs();
    /// Asks what to do with unsaved work, and waits until it is saved; false: it has to stay.
    ///
    /// opensOther  the window stays, and what is opened in it takes the results away
    bool mayClose(bool opensOther = false);
    [[nodiscard]] JobRunnerBase& reader() { return m_reader; }

    [[nodiscard]] static bool isSession(const QString& path);
    [[nodiscard]] static QString copyPath();
    void offerSession();

Q_SIGNALS:
    void changed();
    void embeddingWanted(const QString& path, qint64 firstRows);
    void restored();
    void noticed(const Notice& notice);
    void saved(const QString& name);

private:
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
