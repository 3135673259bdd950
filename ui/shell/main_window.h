#pragma once

#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <QKeySequence>
#include <QMainWindow>
#include <QPointer>

#include "ui/setup/embedding_loader.h"
#include "ui/shell/field_keys.h"
#include "ui/shell/help_access.h"
#include "ui/shell/notice_log.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_board.h"
#include "ui/state/quick_measurement.h"
#include "ui/state/session_results.h"
#include "ui/state/settings_history.h"
#include "ui/widgets/file_drop.h"
#include "ui/widgets/panel.h"

class QAction;
class QActionGroup;
class QDialog;
class QDockWidget;
class QMenu;
class QStackedWidget;
class QTabBar;
class QTabWidget;
class QToolBar;

namespace epsilens::ui {

class EmptyState;
class LimitState;
class SettingBar;
class SetupPanel;
class StatusArea;

/// What others than the window connect, or switch on and off, of its menus.
struct WindowActions {
    QAction* saveSession = nullptr;
    QAction* saveSessionAs = nullptr;
    QAction* undo = nullptr;
    QAction* redo = nullptr;
    QAction* focusSentence = nullptr;
    QAction* focusEpsilon = nullptr;
    QAction* present = nullptr;
    QAction* pin = nullptr;
    QAction* unpin = nullptr;
    QAction* release = nullptr;
    QAction* cancel = nullptr;
    QAction* help = nullptr;
    QMenu* view = nullptr;
    QAction* tabsEnd = nullptr;      ///< actions of tabs are inserted before it
    QActionGroup* themes = nullptr;  ///< in the order of ThemeChoice
};

/// The window: owns the state and the panels and wires them; computes nothing.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(const LoadFunctions& functions = coreLoadFunctions(),
                        QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] AnalysisState& state() { return m_state; }
    [[nodiscard]] JobBoard& jobs() { return m_jobs; }
    [[nodiscard]] SessionResults& results() { return m_results; }
    [[nodiscard]] QuickMeasurement& measurement() { return m_measurement; }
    [[nodiscard]] SettingsHistory& history() { return m_history; }
    [[nodiscard]] LimitState& limits();
    [[nodiscard]] WindowActions& actions() { return m_actions; }
    [[nodiscard]] SettingBar& settingBar() { return *m_setting; }
    [[nodiscard]] SetupPanel& setup() { return *m_setup; }
    [[nodiscard]] QTabWidget& tabs() { return *m_tabs; }
    /// The tabs themselves, above the dial.
    [[nodiscard]] QTabBar& tabBar() { return *m_tabBar; }
    /// What they stand in, with room for more.
    [[nodiscard]] QToolBar& tabStrip() { return *m_tabStrip; }

    /// Asked before the window closes or opens another file; all stays when the answer is false.
    void setCloseGuard(std::function<bool(bool opensOther)> mayClose) {
        m_mayClose = std::move(mayClose);
    }
    /// What the title says beside the embedding: the session and whether it is unsaved.
    void setSession(const QString& name, bool modified);
    void present(const Notice& notice);
    /// Takes a notice back that present() showed, if it is still there.
    void withdraw(const QString& text);
    /// A sentence at the lower edge, such as what was saved.
    void showMessage(const QString& text);

    /// Adds a tab at the end and gives it the next of Ctrl+1, Ctrl+2, …; the window owns it.
    void addPanel(Panel* panel);
    /// Brings a tab to the front.
    void showPanel(Panel* panel);
    /// Opens the tab and the sections of the details that were open last; after all parts are
    /// there.
    void restoreOpen();
    /// Opens an embedding file, or the sample by the name "sample"; sessions are passed on. Asks
    /// before unsaved work gives way.
    void open(const QString& path);
    /// Opens an embedding, or a sample, without asking: its first rows, 0 for all.
    void openEmbedding(const QString& path, qint64 firstRows);

Q_SIGNALS:
    void sessionRequested(const QString& path);
    /// The analyst opens something of his own choice, not for a session that waits for its vectors.
    void openingOther();

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    [[nodiscard]] QToolBar* addStrip(const QString& title, const char* objectName);
    void buildCentre();
    void buildTabBar();
    void buildDock(const LoadFunctions& functions);
    void buildLog();

    void buildMenus();
    void buildFileMenu();
    void buildEditMenu();
    void buildViewMenu();
    void buildRunMenu();
    void buildHelpMenu();
    QAction* add(QMenu& menu, const char* name, const QString& text, const QKeySequence& keys,
                 const std::function<void()>& run);
    /// One that goes by the settings: see connectCommand().
    QAction* addCommand(QMenu& menu, const char* name, const QString& text,
                        const QKeySequence& keys, const std::function<void()>& run);
    /// One that a tab carries out.
    QAction* addCommand(QMenu& menu, const char* name, const QString& text,
                        const QKeySequence& keys, PanelCommand command);

    void connectLoading();
    void drop(const QString& path, QWidget* target);
    void follow(const QString& openedPath);
    /// Whether what is open may go: nothing is unsaved, or to be kept.
    [[nodiscard]] bool mayReplace() const { return !m_mayClose || m_mayClose(true); }
    void start(const QString& path);
    [[nodiscard]] QString askForFile();
    void chooseFile();
    void showLoadError(const QString& path, const Error& error);
    /// What is offered when memory does not suffice for all rows of a file; 0: for how many is
    /// unknown.
    [[nodiscard]] NoticeAction fewerRows(const QString& path, qint64 rowsThatFit);
    void fillRecentMenu(QMenu& menu);
    [[nodiscard]] Panel* panelFor(PanelCommand command) const;
    void execute(PanelCommand command);
    void updateCommands();
    void showTab(int index);
    void focusNextPane();
    void focusDetails();
    void showRelease();
    void followLines(const QWidget& part);
    void arrangeNotices();
    void copyCommand();
    /// Whether they were accepted.
    bool showPreferences();
    void changeTextSize(int percent);
    void updateTitle();
    /// What another embedding changed of the settings, a sentence or two.
    void tellWhatChanged();
    /// Rows of the file that are no words of the embedding.
    void tellBadLines();

    AnalysisState m_state;
    SessionResults m_results{m_state};
    SettingsHistory m_history{m_state};
    NoticeLog m_log;
    JobBoard m_jobs;
    QuickMeasurement m_measurement{m_state, m_jobs};
    WindowActions m_actions;
    std::vector<std::pair<QAction*, PanelCommand>> m_commands;
    NoticeLine* m_notice = nullptr;
    QStackedWidget* m_centre = nullptr;
    EmptyState* m_empty = nullptr;
    QTabWidget* m_tabs = nullptr;
    QToolBar* m_tabStrip = nullptr;
    QTabBar* m_tabBar = nullptr;
    QDockWidget* m_setupDock = nullptr;
    SetupPanel* m_setup = nullptr;
    StatusArea* m_status = nullptr;
    QPointer<QDialog> m_release;
    std::function<bool(bool opensOther)> m_mayClose;
    QString m_sessionName;
    SettingBar* m_setting = nullptr;
    LogDialog* m_logDialog = nullptr;
    HelpAccess m_help{*this};
    FieldKeys m_fieldKeys{*this};
    FileDrop m_drop{*this};
    std::vector<Panel*> m_panels;
    QString m_openPath;  ///< of the embedding at hand, or the name of a built-in one
    /// What the analyst's own opening replaces: path of the embedding and the words of the promise.
    std::optional<std::array<QString, 3>> m_replaced;
    bool m_replacesPin = false;
    QString m_news;  ///< what that changed, told until ε is chosen anew
};

}  // namespace epsilens::ui
