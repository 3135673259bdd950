#include "tests/ui/shell/whole_window.h"

#include "core/document/session.h"
#include "tests/ui/support/toy_embedding.h"
#include "ui/setup/setup_panel.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::test {

using namespace epsilens::ui;

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

QString dataFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
}

void WholeWindow::prepare() {
    QSettings().clear();
    m_folder = std::make_unique<QTemporaryDir>();
    m_vectors = write("small.txt", vectors(1));
    openWindow();
}

void WholeWindow::prepareLoaded() {
    prepare();
    load();
}

void WholeWindow::clean() {
    m_window.reset();
    QDir(dataFolder()).removeRecursively();
}

void WholeWindow::openWindow(const LoadFunctions& functions) {
    m_window.reset();
    m_window = std::make_unique<MainWindow>(functions);
    m_window->show();
}

void WholeWindow::load() {
    set(&AnalysisSettings::draws, 5);  // what a run finds is not looked at
    open(m_vectors);
}

void WholeWindow::open(const QString& path) {
    const auto before = state().embedding();
    m_window->open(path);
    QTRY_VERIFY(state().embedding() != before);
    letPass(20);
}

void WholeWindow::show(const embedding::EmbeddingHandle& embedding) {
    test::open(state(), embedding);
    Q_EMIT m_window->setup().loader().opened(EmbeddingLoader::sampleName());
}

void WholeWindow::run() {
    curves().run();
    QTRY_VERIFY(report().draft().run() != nullptr);
}

void WholeWindow::startLongRun() {
    set(&AnalysisSettings::draws, 200'000);
    curves().run();
    QTRY_VERIFY(curves().isRunning());
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
    return write(name, csv);
}

void WholeWindow::openTexts(const QString& path) {
    Corpus& source = tradeOff().model().source();
    source.open(path);
    QTRY_VERIFY(source.texts() && !source.isReading());
}

void WholeWindow::saveTo(const char* name) {
    QSignalSpy done(&session(), &SessionFile::saved);
    dialogs::presetSaveFile(path(name));
    click("saveSessionAsAction");
    QTRY_COMPARE(done.count(), 1);
    QVERIFY(QFile::exists(path(name)));
}

document::Session WholeWindow::saved(const char* name) const {
    return document::openSession(toStdPath(path(name))).value();
}

QByteArray WholeWindow::exportTo(const char* name) {
    QSignalSpy done(&report().draft(), &ReportDraft::exported);
    dialogs::presetSaveFile(path(name));
    click("exportReportAction");
    handleEventsUntil([&] { return done.count() == 1; });
    return contentOf(path(name));
}

bool WholeWindow::isTold(const QString& words) const {
    handleEventsUntil([&] { return notice().text().contains(words); });
    return test::holds(notice().text(), words);
}

void WholeWindow::answer(const QString& text) const {
    for (QAbstractButton* button : notice().findChildren<QAbstractButton*>()) {
        if (button->text() == text) {
            button->click();
            return;
        }
    }
    QTest::qFail(qPrintable(QString("no %1 in “%2”").arg(text, notice().text())), __FILE__,
                 __LINE__);
}

}  // namespace epsilens::test
