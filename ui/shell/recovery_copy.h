#pragma once

#include <functional>
#include <optional>

#include <QObject>
#include <QString>

#include "core/document/session.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/rest_timer.h"

namespace epsilens::ui {

/// The copy of the settings that a crash leaves: written in the background while the window is
/// open, gone when it ends in good order.
class RecoveryCopy : public QObject {
    Q_OBJECT

public:
    /// What to keep; nothing while there is nothing to recover.
    using Source = std::function<std::optional<document::Session>()>;
    /// Called on another thread.
    using Write =
        std::function<Result<void>(const QString& path, const document::Session& session)>;

    explicit RecoveryCopy(Source source, Write write = saveCopy);
    ~RecoveryCopy() override;

    /// The settings are others; a copy is written when they rest.
    void noteChange();
    /// How long that is; 5 s to begin with.
    void setDelay(int milliseconds) { m_rest.setInterval(milliseconds); }

    /// Of this process.
    [[nodiscard]] static QString path();
    /// The copy of a window that did not end in good order; empty if there is none.
    [[nodiscard]] static QString abandoned();
    /// Whether a path is that of a copy, of whichever process.
    [[nodiscard]] static bool isCopy(const QString& path);

private:
    [[nodiscard]] static Result<void> saveCopy(const QString& path,
                                               const document::Session& session);
    void write();

    Source m_source;
    Write m_write;
    RestTimer m_rest;
    std::optional<JobRunner<bool>> m_writer;
};

}  // namespace epsilens::ui
