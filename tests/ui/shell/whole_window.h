#pragma once

#include <memory>

#include <QByteArray>
#include <QString>
#include <QTemporaryDir>

#include "tests/ui/support/ui_test.h"
#include "ui/curves/curves_panel.h"
#include "ui/report/report_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session_file.h"
#include "ui/tradeoff/trade_off_panel.h"
#include "ui/widgets/notice_line.h"

class QAbstractButton;
class QLineEdit;

namespace epsilens::test {

/// Of the copy for recovery, where timers hurry.
inline constexpr int kAutosaveMs = 500;

/// Returns the path; empty when the file could not be written.
QString writeFile(const QString& path, const QByteArray& content);

/// 40 words "w0", "w1", … of 4 dimensions, other ones for another seed.
[[nodiscard]] QByteArray vectors(int seed);

/// Row of a word of the texts that WholeWindow::texts writes: of the first half of the vocabulary
/// or of the second.
[[nodiscard]] int rowOfLabelled(int text, int place);

/// Puts an embedding into a window as loading does.
void show(const embedding::EmbeddingHandle& embedding, ui::MainWindow& window);

/// The button of a notice; fails the test where there is none.
[[nodiscard]] QAbstractButton& buttonOf(const ui::NoticeLine& notice, const QString& text);

/// The window with all its pages, in a folder of its own, and what somebody does with it.
class WholeWindow {
protected:
    /// With a file of vectors; settings are those of the beginning.
    void prepare();
    void clean();
    [[nodiscard]] QString path(const char* name) const;
    /// Another window in the place of the one before.
    void openWindow(const ui::LoadFunctions& functions = ui::coreLoadFunctions());
    void load();
    /// Opens a file, and waits until it is there.
    void open(const QString& path);
    void run();
    /// Takes far longer than the test.
    void startLongRun();
    /// Writes so many texts of two classes, each of four words. Returns the path.
    [[nodiscard]] QString texts(const char* name, int count) const;
    void openTexts(const QString& path);
    void saveTo(const char* name);
    [[nodiscard]] document::Session saved(const char* name) const;
    void exportTo(const char* name);

    template <typename T>
    [[nodiscard]] T& find(const char* name) const {
        return *findControl<T>(*m_window, name);
    }
    /// Of a label.
    [[nodiscard]] QString text(const char* label) const;
    void trigger(const char* action) const;
    void click(const char* button) const;
    /// Types over what is in a field, which keeps the focus.
    QLineEdit& type(const char* field, const QString& text) const;

    [[nodiscard]] ui::AnalysisState& state() const { return m_window->state(); }
    [[nodiscard]] ui::ReportPanel& report() const { return find<ui::ReportPanel>("reportPanel"); }
    [[nodiscard]] ui::CurvesPanel& curves() const { return find<ui::CurvesPanel>("curvesPanel"); }
    [[nodiscard]] ui::TradeOffPanel& tradeOff() const {
        return find<ui::TradeOffPanel>("tradeOffPanel");
    }
    [[nodiscard]] ui::SessionFile& session() const {
        return *m_window->findChild<ui::SessionFile*>();
    }
    [[nodiscard]] ui::NoticeLine& notice() const { return find<ui::NoticeLine>("noticeLine"); }
    [[nodiscard]] bool isIdle() const { return m_window->jobs().runningCount() == 0; }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_vectors;
    std::unique_ptr<ui::MainWindow> m_window;
};

/// Folder of the copies for recovery.
[[nodiscard]] QString dataFolder();

}  // namespace epsilens::test
