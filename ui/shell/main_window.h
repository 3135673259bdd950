#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QKeySequence>
#include <QMainWindow>
#include <QPointer>
#include <QStringList>

#include "ui/setup/embedding_loader.h"
#include "ui/state/analysis_state.h"
#include "ui/state/current_measurement.h"
#include "ui/state/job_runner.h"
#include "ui/state/session_results.h"
#include "ui/state/settings_history.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"

class QAction;
class QDialog;
class QDockWidget;
class QLabel;
class QMenu;
class QStackedWidget;
class QTabBar;
class QTabWidget;
class QToolBar;

namespace epsilens::ui {

class CurvesPanel;
class DialPanel;
class LimitVerdicts;
class LogDialog;
class MechanismsPage;
class ReportPanel;
class SessionFile;
class SettingBar;
class SetupPanel;
class StatusArea;
class TradeOffPanel;
class WordsPanel;
namespace choose {
class ChoosePanel;
}

/// The window: owns the state and the pages and wires them; computes nothing. The one place that
/// knows every page.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(const LoadFunctions& functions = coreLoadFunctions());
    ~MainWindow() override;

    [[nodiscard]] AnalysisState& state() { return m_state; }
    [[nodiscard]] JobBoard& jobs() { return m_jobs; }
    [[nodiscard]] SessionResults& results() { return m_results; }
    [[nodiscard]] CurrentMeasurement& measurement() { return m_measurement; }
    [[nodiscard]] SettingsHistory& history() { return m_history; }
    [[nodiscard]] LimitVerdicts& limits();
    [[nodiscard]] SetupPanel& setup() { return *m_setup; }
    [[nodiscard]] QTabWidget& tabs() { return *m_tabs; }

    void present(const Notice& notice);
    void showPanel(Panel* panel);
    /// Opens an embedding file, a sample by its name, or a session. Asks before unsaved work gives
    /// way.
    void open(const QString& path);
    void openEmbedding(const QString& path, qint64 firstRows);

    /// An absolute path, or a built-in sample, by its name where no file of that name lies.
    [[nodiscard]] static QString startFile(const QStringList& arguments);
    void openAtStart(const QStringList& arguments);

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    [[nodiscard]] QToolBar* addStrip(const QString& title, const char* objectName);
    void buildCentre();
    void buildTabBar();
    void buildEmptyPage();
    void buildDetails(const LoadFunctions& functions);
    void buildFileMenu();
    void buildEditMenu();
    void buildViewMenu();
    void buildRunMenu();
    void buildHelpMenu();
    QAction* add(QMenu& menu, const char* name, const QString& text, const QKeySequence& keys,
                 const std::function<void()>& run);
    QAction* addCommand(QMenu& menu, const char* name, const QString& text,
                        const QKeySequence& keys, const std::function<void()>& run);

    void addPages();
    void addNextStep();
    void addDial();
    void connectCurves();
    void connectWords();
    void connectTradeOff();
    void connectOwnTexts();
    void addDataMenu();
    void connectReport();
    void connectSession();

    void connectLoading();
    void showOpened(const QString& openedPath);
    void showEmptyPage(const QString& loading = {});
    void startOpening(const QString& path);
    [[nodiscard]] QString askForFile();
    void chooseFile();
    void showLoadError(const QString& path, const Error& error);
    void fillRecentMenu();
    void measureInFront();
    void typeOver(int tab);
    void updateCommands();
    void showTab(int index);
    void focusNextPane();
    void focusDetails();
    void presentFullScreen();
    void showRelease();
    void arrangeNotices();
    void copyCommand();
    bool showPreferences();
    void showMessage(const QString& text);
    void updateTitle();
    void tellWhatChanged(bool hadPin);
    void tellBadLines();

    AnalysisState m_state;
    SessionResults m_results{m_state};
    SettingsHistory m_history{m_state};
    JobBoard m_jobs;
    CurrentMeasurement m_measurement{m_state, m_jobs};
    std::vector<QAction*> m_commands;  ///< those that need an embedding
    QMenu* m_recent;
    NoticeLine* m_notice = nullptr;
    QStackedWidget* m_centre = nullptr;
    QWidget* m_empty = nullptr;
    QLabel* m_emptyText = nullptr;
    QWidget* m_waysToOpen = nullptr;
    QTabWidget* m_tabs = nullptr;
    QToolBar* m_tabStrip = nullptr;
    QTabBar* m_tabBar = nullptr;
    QDockWidget* m_details = nullptr;
    SetupPanel* m_setup = nullptr;
    StatusArea* m_status = nullptr;
    SettingBar* m_setting = nullptr;
    LogDialog* m_log = nullptr;
    QPointer<QDialog> m_release;
    QAction* m_releaseAction = nullptr;
    QToolBar* m_dialBar = nullptr;
    DialPanel* m_dial = nullptr;
    choose::ChoosePanel* m_choose = nullptr;
    MechanismsPage* m_mechanisms = nullptr;
    TradeOffPanel* m_tradeOff = nullptr;
    ReportPanel* m_report = nullptr;
    CurvesPanel* m_curves = nullptr;
    WordsPanel* m_words = nullptr;
    std::vector<Panel*> m_panels;
    SessionFile* m_session = nullptr;
    QString m_openPath;  ///< of the embedding at hand, or the name of a built-in one
    /// Whether something was pinned when the analyst opened something else; nothing: he did not.
    std::optional<bool> m_replacesPin;
};

}  // namespace epsilens::ui
