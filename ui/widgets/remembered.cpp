#include "ui/widgets/remembered.h"

#include <QDir>
#include <QSettings>
#include <QStandardPaths>

namespace epsilens::ui::remembered {

namespace {

QString nothingKey() {
    return QStringLiteral("preferences/rememberNothing");
}
QString memoryKey() {
    return QStringLiteral("preferences/memoryGiB");
}
QString folderKey() {
    return QStringLiteral("files/folder");
}
QString outputFolderKey() {
    return QStringLiteral("files/outputFolder");
}

}  // namespace

bool nothing() {
    return QSettings().value(nothingKey(), false).toBool();
}

void setNothing(bool nothing) {
    QSettings settings;
    settings.setValue(nothingKey(), nothing);
    if (nothing) {
        for (const char* key :
             {"files", "window/geometry", "window/layout", "window/open", "window/tab"}) {
            settings.remove(QLatin1String(key));
        }
    }
}

QString folder() {
    return QSettings().value(folderKey(), QDir::homePath()).toString();
}

void setFolder(const QString& folder) {
    if (!nothing()) {
        QSettings().setValue(folderKey(), folder);
    }
}

QString outputFolder() {
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const QString folder = QSettings().value(outputFolderKey(), documents).toString();
    return !folder.isEmpty() && QDir(folder).exists() ? folder : QDir::homePath();
}

void setOutputFolder(const QString& folder) {
    if (!nothing()) {
        QSettings().setValue(outputFolderKey(), folder);
    }
}

double memoryLimitGiB() {
    const double limit = QSettings().value(memoryKey(), 0.0).toDouble();
    return limit >= 0.0 && limit <= kMostMemoryGiB ? limit : 0.0;
}

void setMemoryLimitGiB(double limit) {
    QSettings().setValue(memoryKey(), limit);
}

std::uint64_t memoryLimitBytes() {
    constexpr double kBytesPerGiB = 1024.0 * 1024.0 * 1024.0;
    return static_cast<std::uint64_t>(memoryLimitGiB() * kBytesPerGiB);
}

}  // namespace epsilens::ui::remembered
