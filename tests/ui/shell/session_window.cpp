#include "tests/ui/shell/session_window.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>

#include "tests/ui/support/ui_test.h"
#include "ui/shell/session_file.h"
#include "ui/shell/window_factory.h"
#include "ui/widgets/dialogs.h"

namespace epsilens::test {

using namespace epsilens::ui;

QString writeFile(const QString& path, const std::string& content) {
    QFile file(path);
    const bool written = file.open(QIODevice::WriteOnly) &&
                         file.write(content.data(), static_cast<qint64>(content.size())) > 0;
    return written ? path : QString();
}

std::string vectors(int seed) {
    std::string text;
    for (int row = 0; row < 40; ++row) {
        text += "w" + std::to_string(row);
        for (int column = 0; column < 4; ++column) {
            text += " " + std::to_string((row * (7 + column) + seed * column * row) % 23 - 11);
        }
        text += "\n";
    }
    return text;
}

int rowOfLabelled(int text, int place) {
    return 20 * (text % 2) + (text * (place + 3) + place) % 20;
}

QString dataFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
}

void SessionWindow::prepare() {
    QSettings().clear();
    m_folder = std::make_unique<QTemporaryDir>();
    m_vectors = writeFile(path("small.txt"), vectors(1));
    openWindow();
}

void SessionWindow::clean() {
    m_window.reset();
    QDir(dataFolder()).removeRecursively();
}

QString SessionWindow::path(const char* name) const {
    return m_folder->filePath(QLatin1String(name));
}

void SessionWindow::openWindow() {
    m_window.reset();
    m_window = createWindow(coreLoadFunctions());
    m_window->show();
    m_window->findChild<SessionFile*>()->recovery().setDelay(kAutosaveMs);
}

void SessionWindow::load() {
    m_window->state().edit(&AnalysisSettings::draws, 5);  // what a run finds is not looked at
    m_window->open(m_vectors);
    QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != nullptr, kPatienceMs);
    test::letPass(20);
}

void SessionWindow::run() {
    curves()->run();
    QTRY_VERIFY_WITH_TIMEOUT(report()->draft().run() != nullptr, kPatienceMs);
}

void SessionWindow::startLongRun() {
    m_window->state().edit(&AnalysisSettings::draws, 200'000);
    curves()->run();
    QTRY_VERIFY_WITH_TIMEOUT(curves()->model().isRunning(), kPatienceMs);
}

QString SessionWindow::texts(const char* name, int count) const {
    std::string csv = "label,text\n";
    for (int text = 0; text < count; ++text) {
        csv += text % 2 == 0 ? "first," : "second,";
        for (int place = 0; place < 4; ++place) {
            csv += "w" + std::to_string(rowOfLabelled(text, place)) + " ";
        }
        csv += "\n";
    }
    return writeFile(path(name), csv);
}

void SessionWindow::saveTo(const char* name) {
    QSignalSpy done(m_window->findChild<SessionFile*>(), &SessionFile::saved);
    dialogs::presetSaveFile(path(name));
    findControl<QAction>(*m_window, "saveSessionAsAction")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kPatienceMs);
    QVERIFY(QFile::exists(path(name)));
}

void SessionWindow::exportTo(const char* name) {
    QSignalSpy done(&report()->draft(), &ReportDraft::exported);
    dialogs::presetSaveFile(path(name));
    findControl<QAction>(*m_window, "exportReportAction")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kPatienceMs);
}

ReportPanel* SessionWindow::report() const {
    return findControl<ReportPanel>(*m_window, "reportPanel");
}

CurvesPanel* SessionWindow::curves() const {
    return findControl<CurvesPanel>(*m_window, "curvesPanel");
}

}  // namespace epsilens::test
