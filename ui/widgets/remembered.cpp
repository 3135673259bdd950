#include "ui/widgets/remembered.h"

#include <QDir>
#include <QSettings>
#include <QStandardPaths>

namespace epsilens::ui::remembered {

namespace {

constexpr QLatin1String kNothing{"preferences/rememberNothing"};
constexpr QLatin1String kMemory{"preferences/memoryGiB"};
constexpr QLatin1String kFolder{"files/folder"};
constexpr QLatin1String kOutputFolder{"files/outputFolder"};
constexpr QLatin1String kRecent{"files/recent"};

void keep(QLatin1String key, const QVariant& value) {
    if (!nothing()) {
        QSettings().setValue(key, value);
    }
}

}  // namespace

bool nothing() {
    return QSettings().value(kNothing, false).toBool();
}

void setNothing(bool nothing) {
    QSettings settings;
    settings.setValue(kNothing, nothing);
    if (nothing) {
        for (const char* key :
             {"files", "window/geometry", "window/layout", "window/open", "window/tab"}) {
            settings.remove(QLatin1String(key));
        }
    }
}

QString folder() {
    return QSettings().value(kFolder, QDir::homePath()).toString();
}

void setFolder(const QString& folder) {
    keep(kFolder, folder);
}

QString outputFolder() {
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const QString folder = QSettings().value(kOutputFolder, documents).toString();
    return !folder.isEmpty() && QDir(folder).exists() ? folder : QDir::homePath();
}

void setOutputFolder(const QString& folder) {
    keep(kOutputFolder, folder);
}

QStringList recentFiles() {
    return QSettings().value(kRecent).toStringList().mid(0, kMostRecentFiles);
}

void addRecentFile(const QString& path) {
    QStringList paths = recentFiles();
    paths.removeAll(path);
    paths.prepend(path);
    keep(kRecent, paths.mid(0, kMostRecentFiles));
}

void clearRecentFiles() {
    QSettings().remove(kRecent);
}

double memoryLimitGiB() {
    const double limit = QSettings().value(kMemory, 0.0).toDouble();
    return limit >= 0.0 && limit <= kMostMemoryGiB ? limit : 0.0;
}

void setMemoryLimitGiB(double limit) {
    QSettings().setValue(kMemory, limit);
}

std::uint64_t memoryLimitBytes() {
    constexpr double kBytesPerGiB = 1024.0 * 1024.0 * 1024.0;
    return static_cast<std::uint64_t>(memoryLimitGiB() * kBytesPerGiB);
}

}  // namespace epsilens::ui::remembered
