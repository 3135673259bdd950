#include "ui/shell/recovery_copy.h"

#include <utility>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

#include "core/document/session_file.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"

namespace epsilens::ui {

namespace {

constexpr int kRestMs = 5'000;

QDir folder() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation));
}

}  // namespace

RecoveryCopy::RecoveryCopy(Source source, Write write)
    : m_source(std::move(source)), m_write(std::move(write)), m_rest(kRestMs) {
    // A copy that cannot be written is no reason to disturb the work it is made for.
    m_writer.emplace(tr("Saving a copy for recovery"), [](const Result<bool>& /*written*/) {});
    connect(&m_rest, &QTimer::timeout, this, &RecoveryCopy::write);
}

RecoveryCopy::~RecoveryCopy() {
    // Ended in good order: there is nothing to recover, once what is being written is there.
    m_writer.reset();
    QFile::remove(path());
}

void RecoveryCopy::noteChange() {
    if (!remembered::nothing()) {
        m_rest.start();
    }
}

void RecoveryCopy::write() {
    auto session = m_source();
    if (!session || remembered::nothing()) {
        return;
    }
    m_writer->start([write = m_write, path = path(),
                     session = std::move(*session)](const JobContext& job) -> Result<bool> {
        // The window closes, and would take the copy away again.
        if (job.stopRequested()) {
            return false;
        }
        QDir().mkpath(QFileInfo(path).absolutePath());
        return write(path, session).map([] { return true; });
    });
}

Result<void> RecoveryCopy::saveCopy(const QString& path, const document::Session& session) {
    return document::saveSession(toStdPath(path), session);
}

QString RecoveryCopy::path() {
    return folder().filePath(
        QStringLiteral("recovery-%1.epsilens").arg(QCoreApplication::applicationPid()));
}

QString RecoveryCopy::abandoned() {
    static const QRegularExpression pattern(QStringLiteral("^recovery-(\\d+)\\.epsilens$"));
    const QFileInfoList files =
        folder().entryInfoList({QStringLiteral("recovery-*.epsilens")}, QDir::Files, QDir::Time);
    for (const QFileInfo& file : files) {
        const auto match = pattern.match(file.fileName());
        if (match.hasMatch() && !QFileInfo::exists(QStringLiteral("/proc/") + match.captured(1))) {
            return file.filePath();
        }
    }
    return {};
}

bool RecoveryCopy::isCopy(const QString& path) {
    return !path.isEmpty() && QFileInfo(path).absoluteDir() == folder();
}

}  // namespace epsilens::ui
