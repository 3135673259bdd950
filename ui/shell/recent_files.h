#pragma once

#include <functional>

#include <QString>
#include <QStringList>

class QMenu;

namespace epsilens::ui {

/// The last files opened, newest first, kept in the settings.
class RecentFiles {
public:
    static constexpr int kMost = 10;

    [[nodiscard]] static QStringList list();
    static void add(const QString& path);
    static void clear();
    /// Makes them the entries of a menu; those that are gone cannot be chosen.
    ///
    /// open     takes the path chosen
    /// cleared  called once the list was emptied from the menu
    static void fill(QMenu& menu, const std::function<void(const QString&)>& open,
                     const std::function<void()>& cleared);
};

}  // namespace epsilens::ui
