#pragma once

#include <cstdint>

#include <QString>
#include <QStringList>

namespace epsilens::ui::remembered {

/// What is remembered of the analyst's work between two starts, and the wish that nothing be.

/// No recent files, folders and window positions are to be kept.
[[nodiscard]] bool nothing();
void setNothing(bool nothing);

[[nodiscard]] QString folder();
void setFolder(const QString& folder);

/// The folder last chosen for a file to be written, at first the documents: what is given away is
/// not proposed to lie beside a private text.
[[nodiscard]] QString outputFolder();
void setOutputFolder(const QString& folder);

inline constexpr int kMostRecentFiles = 10;

[[nodiscard]] QStringList recentFiles();
void addRecentFile(const QString& path);
void clearRecentFiles();

inline constexpr double kMostMemoryGiB = 4096.0;

[[nodiscard]] double memoryLimitGiB();
void setMemoryLimitGiB(double limit);
[[nodiscard]] std::uint64_t memoryLimitBytes();

}  // namespace epsilens::ui::remembered
