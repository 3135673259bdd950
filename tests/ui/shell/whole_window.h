#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "tests/ui/support/ui_test.h"
#include "ui/curves/curves_panel.h"
#include "ui/report/report_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session_file.h"
#include "ui/tradeoff/trade_off_panel.h"
#include "ui/widgets/notice_line.h"

namespace epsilens::test {

/// Of the copy for recovery, where timers hurry.
inline constexpr int kAutosaveMs = 500;

/// 40 words "w0", "w1", … of 4 dimensions, other ones for another seed.
[[nodiscard]] QByteArray vectors(int seed);

/// Row of a word of the texts that WholeWindow::texts writes: of the first half of the vocabulary
/// or of the second.
[[nodiscard]] int rowOfLabelled(int text, int place);

/// Folder of the copies for recovery.
[[nodiscard]] QString dataFolder();

/// The window with all its pages, in a folder of its own, and what somebody does with it.
class WholeWindow : public Driver {
protected:
    /// With a file of vectors; settings are those of the beginning.
    void prepare();
    void prepareLoaded();
    void clean();
    [[nodiscard]] QString path(const QString& name) const { return m_folder->filePath(name); }
    /// Writes into the folder.
    [[nodiscard]] QString write(const char* name, const QByteArray& content) const {
        return writeFile(path(name), content);
    }
    /// Another window in the place of the one before.
    void openWindow(const ui::LoadFunctions& functions = ui::coreLoadFunctions());
    void load();
    /// Opens a file, and waits until it is there.
    void open(const QString& path);
    /// Puts an embedding into the window as loading does.
    void show(const embedding::EmbeddingHandle& embedding);
    void run();
    /// Takes far longer than the test.
    void startLongRun();
    /// Writes so many texts of two classes, each of four words. Returns the path.
    [[nodiscard]] QString texts(const char* name, int count) const;
    void openTexts(const QString& path);
    void saveTo(const char* name);
    [[nodiscard]] document::Session saved(const char* name) const;
    /// Exports the report. Returns what the file holds.
    QByteArray exportTo(const char* name);

    template <typename Value>
    requires(!std::is_function_v<Value>) void set(Value ui::AnalysisSettings::*member,
                                                  std::type_identity_t<Value> value) const {
        state().edit(member, std::move(value));
    }
    template <typename Value>
    void set(void (ui::AnalysisSettings::*change)(Value), std::type_identity_t<Value> value) const {
        state().edit(change, value);
    }
    void set(const std::function<void(ui::AnalysisSettings&)>& change) const {
        state().edit(change);
    }
    void limit(const char* words) const {
        set(&ui::AnalysisSettings::limits, std::vector{calibration::parseLimit(words).value()});
    }
    /// Whether the line of the window says these words, now or soon.
    [[nodiscard]] bool isTold(const QString& words) const;
    /// Takes a way on that the line offers.
    void answer(const QString& button) const;
    [[nodiscard]] static QString focused() { return QApplication::focusWidget()->objectName(); }

    [[nodiscard]] const QObject& root() const override { return *m_window; }
    [[nodiscard]] ui::AnalysisState& state() const { return m_window->state(); }
    [[nodiscard]] QTabWidget& tabs() const { return m_window->tabs(); }
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

}  // namespace epsilens::test
