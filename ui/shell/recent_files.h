#pragma once

#include <QString>
#include <QStringList>

namespace epsilens::ui {

/// The last files opened, newest first, kept in the settings.
class RecentFiles {
public:
    static constexpr int kMost = 10;

    [[nodiscard]] static QStringList list();
    static void add(const QString& path);
    static void clear();
};

}  // namespace epsilens::ui
