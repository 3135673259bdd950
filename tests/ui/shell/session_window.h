#pragma once

#include <memory>
#include <string>

#include <QString>
#include <QTemporaryDir>

#include "ui/curves/curves_panel.h"
#include "ui/report/report_panel.h"
#include "ui/shell/main_window.h"

namespace epsilens::test {

inline constexpr int kAutosaveMs = 50;

/// Returns the path; empty when the file could not be written.
QString writeFile(const QString& path, const std::string& content);

/// 40 words "w0", "w1", … of 4 dimensions, other ones for another seed.
[[nodiscard]] std::string vectors(int seed);

/// Row of a word of the texts that SessionWindow::texts writes: of the first half of the vocabulary
/// or of the second.
[[nodiscard]] int rowOfLabelled(int text, int place);

/// The whole window with a file of vectors, in a folder of its own, for tests of sessions.
class SessionWindow {
protected:
    void prepare();
    void clean();
    [[nodiscard]] QString path(const char* name) const;
    /// Another window in the place of the one before.
    void openWindow();
    void load();
    void run();
    /// Takes far longer than the test.
    void startLongRun();
    /// Writes so many texts of two classes, each of four words. Returns the path.
    [[nodiscard]] QString texts(const char* name, int count) const;
    void saveTo(const char* name);
    void exportTo(const char* name);
    [[nodiscard]] ui::ReportPanel* report() const;
    [[nodiscard]] ui::CurvesPanel* curves() const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_vectors;
    std::unique_ptr<ui::MainWindow> m_window;
};

/// Folder of the copies for recovery.
[[nodiscard]] QString dataFolder();

}  // namespace epsilens::test
