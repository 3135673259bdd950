#include "tests/ui/shell/whole_window.h"

#include <QAbstractButton>
#include <QAction>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>

#include "core/document/session_file.h"
#include "ui/setup/setup_panel.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::test {

using namespace epsilens::ui;

QString writeFile(const QString& path, const QByteArray& content) {
    QFile file(path);
    const bool written = file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
    return written ? path : QString();
}

QByteArray vectors(int seed) {
    QByteArray text;
    for (int row = 0; row < 40; ++row) {
        text += "w" + QByteArray::number(row);
        for (int column = 0; column < 4; ++column) {
            text += " " + QByteArray::number((row * (7 + column) + seed * column * row) % 23 - 11);
        }
        text += "\n";
    }
    return text;
}

int rowOfLabelled(int text, int place) {
    return 20 * (text % 2) + (text * (place + 3) + place) % 20;
}

void show(const embedding::EmbeddingHandle& embedding, MainWindow& window) {
    window.state().setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
    Q_EMIT window.setup().loader().opened(EmbeddingLoader::sampleName());
}

QAbstractButton& buttonOf(const NoticeLine& notice, const QString& text) {
    QAbstractButton* found = nullptr;
    for (QAbstractButton* button : notice.findChildren<QAbstractButton*>()) {
        found = button->text() == text ? button : found;
    }
    if (found == nullptr) {
        QTest::qFail(qPrintable(QStringLiteral("no %1 in “%2”").arg(text, notice.text())), __FILE__,
                     __LINE__);
    }
    return *found;
}

QString dataFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
}

void WholeWindow::prepare() {
    QSettings().clear();
    m_folder = std::make_unique<QTemporaryDir>();
    m_vectors = writeFile(path("small.txt"), vectors(1));
    openWindow();
}

void WholeWindow::clean() {
    m_window.reset();
    QDir(dataFolder()).removeRecursively();
}

QString WholeWindow::path(const char* name) const {
    return m_folder->filePath(QLatin1String(name));
}

void WholeWindow::openWindow(const LoadFunctions& functions) {
    m_window.reset();
    m_window = std::make_unique<MainWindow>(functions);
    m_window->show();
}

void WholeWindow::load() {
    state().edit(&AnalysisSettings::draws, 5);  // what a run finds is not looked at
    open(m_vectors);
}

void WholeWindow::open(const QString& path) {
    const auto before = state().embedding();
    m_window->open(path);
    QTRY_VERIFY_WITH_TIMEOUT(state().embedding() != before, kPatienceMs);
    letPass(20);
}

void WholeWindow::run() {
    curves().run();
    QTRY_VERIFY_WITH_TIMEOUT(report().draft().run() != nullptr, kPatienceMs);
}

void WholeWindow::startLongRun() {
    state().edit(&AnalysisSettings::draws, 200'000);
    curves().run();
    QTRY_VERIFY_WITH_TIMEOUT(curves().isRunning(), kPatienceMs);
}

QString WholeWindow::texts(const char* name, int count) const {
    QByteArray csv = "label,text\n";
    for (int text = 0; text < count; ++text) {
        csv += text % 2 == 0 ? "first," : "second,";
        for (int place = 0; place < 4; ++place) {
            csv += "w" + QByteArray::number(rowOfLabelled(text, place)) + " ";
        }
        csv += "\n";
    }
    return writeFile(path(name), csv);
}

void WholeWindow::openTexts(const QString& path) {
    LabelledSource& source = tradeOff().model().source();
    source.open(path);
    QTRY_VERIFY_WITH_TIMEOUT(source.texts() && !source.isReading(), kPatienceMs);
}

void WholeWindow::saveTo(const char* name) {
    QSignalSpy done(&session(), &SessionFile::saved);
    dialogs::presetSaveFile(path(name));
    trigger("saveSessionAsAction");
    QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kPatienceMs);
    QVERIFY(QFile::exists(path(name)));
}

document::Session WholeWindow::saved(const char* name) const {
    return document::openSession(toStdPath(path(name))).value();
}

void WholeWindow::exportTo(const char* name) {
    QSignalSpy done(&report().draft(), &ReportDraft::exported);
    dialogs::presetSaveFile(path(name));
    trigger("exportReportAction");
    QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kPatienceMs);
}

QString WholeWindow::text(const char* label) const {
    return find<QLabel>(label).text();
}

void WholeWindow::trigger(const char* action) const {
    find<QAction>(action).trigger();
}

void WholeWindow::click(const char* button) const {
    find<QAbstractButton>(button).click();
}

QLineEdit& WholeWindow::type(const char* field, const QString& text) const {
    auto& line = find<QLineEdit>(field);
    line.setFocus();
    line.selectAll();
    QTest::keyClicks(&line, text);
    return line;
}

}  // namespace epsilens::test
