#include "ui/shell/session_file.h"

#include <QAction>
#include <QCheckBox>
#include <QDirIterator>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>

#include "core/project/session_file.h"
#include "tests/ui/support/ui_test.h"
#include "ui/common/dialogs.h"
#include "ui/common/notice_line.h"
#include "ui/common/number_field.h"
#include "ui/common/qt_convert.h"
#include "ui/curves/curves_panel.h"
#include "ui/report/report_panel.h"
#include "ui/setup/embedding_loader.h"
#include "ui/shell/recent_files.h"
#include "ui/shell/window_factory.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;

namespace {

constexpr int kPatienceMs = 20'000;
constexpr int kAutosaveMs = 200;
constexpr auto kSecret = "Xylophonquartz";

QString writeFile(const QString& path, const std::string& content) {
    QFile file(path);
    const bool written = file.open(QIODevice::WriteOnly) &&
                         file.write(content.data(), static_cast<qint64>(content.size())) > 0;
    return written ? path : QString();
}

/// 40 words "w0", "w1", … of 4 dimensions, other ones for another seed.
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

/// Files below a folder that hold a text.
QStringList filesHolding(const QString& folder, const QByteArray& text) {
    QStringList found;
    QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly) && file.readAll().contains(text)) {
            found.append(file.fileName());
        }
    }
    return found;
}

QString dataFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
}

}  // namespace

class SessionFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_vectors = writeFile(path("small.txt"), vectors(1));
        openWindow();
    }
    void cleanup() {
        m_window.reset();
        QDir(dataFolder()).removeRecursively();
    }

    /// As after the run: every word, and N_w exact at every epsilon.
    void keepsTheValuesOfSingleWords() {
        load();
        m_window->state().setGridEpsilons({2, 6});
        run();
        const CurveRunHandle before = curves()->result();
        const double between = readAt(*before, 3.3).front().nw->over.mean;
        saveTo("work.epsilens");

        openWindow();
        m_window->open(path("work.epsilens"));
        QTRY_VERIFY_WITH_TIMEOUT(curves()->result() != nullptr, kPatienceMs);
        const CurveRunHandle after = curves()->result();
        QVERIFY(after->isRestored);
        QCOMPARE(after->exact.size(), before->exact.size());
        const Reading reading = readAt(*after, 3.3).front();
        QVERIFY(reading.nwExact);
        QCOMPARE(reading.nw->over.mean, between);
        QVERIFY(m_window->results().run() != nullptr);
        QCOMPARE(m_window->results().run()->summary->perWord.nw, before->summary->perWord.nw);
        auto* words = findControl<QTableView>(*m_window, "wordsTableView");
        QTRY_COMPARE(words->model()->rowCount(), 40);
        // S_w is measured between the points of the grid as after a run.
        QTRY_VERIFY_WITH_TIMEOUT(
            curves()->result()->sw.front().line.size() > before->sw.front().markers.size(),
            kPatienceMs);
        QVERIFY(!m_window->isWindowModified());
    }

    void savesAndOpensWhatWasSet() {
        load();
        AnalysisState& state = m_window->state();
        state.setEpsilon(3.5);
        state.setLambda(0.75);
        state.setDraws(12);
        state.setSeed(9);
        state.setBand({25, 75});
        state.setTextPolicies({release::UnknownPolicy::drop, text::CasePolicy::keep});
        state.setGridEpsilons({2, 6});
        state.setGridLambdas({0, 0.5});
        run();
        m_window->limits().setLimits({*calibration::parseLimit("nw.p95<=45%")});
        QVERIFY(m_window->isWindowModified());
        saveTo("work.epsilens");
        QVERIFY(!m_window->isWindowModified());
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("work.epsilens")));
        QCOMPARE(RecentFiles::list().front(), path("work.epsilens"));
        RecentFiles::clear();
        const auto before = report()->draft().record()->summary->cells[3].nw.mean;

        openWindow();
        m_window->open(path("work.epsilens"));
        QTRY_VERIFY_WITH_TIMEOUT(report()->draft().record() != nullptr, kPatienceMs);
        QCOMPARE(RecentFiles::list().front(), path("work.epsilens"));
        const AnalysisState& again = m_window->state();
        QCOMPARE(again.epsilon(), 3.5);
        QCOMPARE(again.lambda(), 0.75);
        QCOMPARE(again.draws(), 12);
        QCOMPARE(again.seed(), std::uint64_t{9});
        QVERIFY(again.band() == (PercentileBand{25, 75}));
        QVERIFY(again.textPolicies() ==
                (TextPolicies{release::UnknownPolicy::drop, text::CasePolicy::keep}));
        QCOMPARE(again.gridEpsilons(), (std::vector<double>{2, 6}));
        QVERIFY(m_window->limits().limits() ==
                std::vector{*calibration::parseLimit("nw.p95<=45%")});
        QCOMPARE(report()->draft().record()->summary->cells[3].nw.mean, before);
        QTRY_VERIFY_WITH_TIMEOUT(curves()->result() != nullptr, kPatienceMs);
        QVERIFY(curves()->model().staleness().isEmpty());
        QTest::qWait(50);
        // The report keeps its worst words.
        QVERIFY(!report()->draft().record()->run.details->worstWords.front().empty());
        QTRY_VERIFY(!m_window->isWindowModified());
        m_window->state().setSeed(10);
        QVERIFY(m_window->isWindowModified());
    }

    void aSessionOfTheFirstRowsOpensWithTheseRows() {
        m_window->openEmbedding(m_vectors, 30);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != nullptr, kPatienceMs);
        QTest::qWait(20);
        QCOMPARE(m_window->state().embedding()->wordCount(), 30);
        m_window->state().setDraws(5);
        run();
        saveTo("rows.epsilens");

        // Into an empty window, and into one that has the whole file.
        openWindow();
        for (const bool isOpen : {false, true}) {
            if (isOpen) {
                QTRY_VERIFY(!m_window->isWindowModified());
                m_window->open(m_vectors);
                QTRY_COMPARE_WITH_TIMEOUT(m_window->state().embedding()->wordCount(), 40,
                                          kPatienceMs);
            }
            QTRY_VERIFY(!m_window->isWindowModified());
            QSignalSpy restored(m_window->findChild<SessionFile*>(), &SessionFile::restored);
            m_window->open(path("rows.epsilens"));
            QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, kPatienceMs);
            QCOMPARE(m_window->state().embedding()->wordCount(), 30);
            QCOMPARE(findControl<NumberField>(*m_window, "rowLimitField")->value(), 30.0);
            QVERIFY(findControl<QCheckBox>(*m_window, "rowLimitCheckBox")->isChecked());
        }
    }

    void anotherFileTakesThePlaceOfUnsavedResultsOnlyWhenAllowed() {
        load();
        m_window->state().setDraws(5);
        run();
        const QString other = writeFile(path("other.txt"), vectors(2));
        const auto before = m_window->state().embedding();
        auto* loader = m_window->findChild<EmbeddingLoader*>();
        dialogs::presetAnswer(std::nullopt);
        m_window->open(other);
        QVERIFY(!loader->isLoading());
        QVERIFY(report()->draft().record() != nullptr);
        dialogs::presetAnswer(1);
        m_window->open(other);
        QVERIFY(loader->isLoading());
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != before, kPatienceMs);
    }

    // Or the next save would put the settings of these vectors into the file of those.
    void aSessionEndsWhereOtherVectorsBegin() {
        load();
        m_window->state().setDraws(5);
        run();
        saveTo("work.epsilens");
        const auto before = m_window->state().embedding();
        const QString other = writeFile(path("other.txt"), vectors(2));
        m_window->open(other);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != before, kPatienceMs);
        QTRY_VERIFY(!m_window->windowTitle().contains(QStringLiteral("work.epsilens")));
        QVERIFY(!m_window->isWindowModified());
        const auto second = m_window->state().embedding();
        m_window->open(m_vectors);  // asks nothing, or it would wait here
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != second, kPatienceMs);
    }

    void closingAsksOnlyWhenSomethingIsUnsaved() {
        load();
        QVERIFY(m_window->close());
        openWindow();
        load();
        m_window->state().setDraws(5);
        run();
        dialogs::presetAnswer(std::nullopt);
        QVERIFY(!m_window->close());
        dialogs::presetAnswer(0);
        dialogs::presetSaveFile(QString());
        QVERIFY(!m_window->close());
        dialogs::presetAnswer(0);
        dialogs::presetSaveFile(path("closing"));
        QVERIFY(m_window->close());
        QVERIFY(QFile::exists(path("closing.epsilens")));
        openWindow();
        load();
        run();
        dialogs::presetAnswer(1);
        QVERIFY(m_window->close());
    }

    void closingDuringAJobAsksOnlyWhenSomethingIsUnsaved() {
        load();
        m_window->state().setDraws(5);
        run();
        saveTo("work.epsilens");
        startLongRun();
        saveTo("work.epsilens");
        // The answer that a question would get keeps the window open; nobody asks for it.
        dialogs::presetAnswer(std::nullopt);
        QVERIFY(m_window->close());
        QVERIFY(!dialogs::ask(nullptr, {}, {}, {QString()}));
        QTRY_VERIFY_WITH_TIMEOUT(!curves()->model().isRunning(), kPatienceMs);

        openWindow();
        load();
        m_window->state().setDraws(5);
        run();
        startLongRun();
        dialogs::presetAnswer(std::nullopt);
        QVERIFY(!m_window->close());
        QVERIFY(curves()->model().isRunning());
        dialogs::presetAnswer(0);
        dialogs::presetSaveFile(path("closing.epsilens"));
        QVERIFY(m_window->close());
        const auto saved = project::openSession(toStdPath(path("closing.epsilens")));
        QVERIFY(saved && saved->results);
        QCOMPARE(saved->results->summary->draws, 5);
    }

    void otherVectorsAreRefusedOrTakenWithoutResults() {
        load();
        m_window->state().setDraws(5);
        m_window->state().setSeed(77);
        run();
        saveTo("work.epsilens");
        openWindow();
        writeFile(m_vectors, vectors(2));
        m_window->open(path("work.epsilens"));
        auto* notice = findControl<NoticeLine>(*m_window, "noticeLine");
        QTRY_VERIFY_WITH_TIMEOUT(notice->text().contains(QStringLiteral("other vectors")),
                                 kPatienceMs);
        QVERIFY(m_window->state().seed() != 77U);
        const auto buttons = notice->findChildren<QAbstractButton*>();
        const auto use =
            std::find_if(buttons.begin(), buttons.end(), [](const QAbstractButton* button) {
                return button->text().contains(QStringLiteral("drop results"));
            });
        QVERIFY(use != buttons.end());
        QTest::mouseClick(*use, Qt::LeftButton);
        QTRY_COMPARE(m_window->state().seed(), std::uint64_t{77});
        QVERIFY(report()->draft().record() == nullptr);
    }

    void theRightVectorsCanBeLocated() {
        load();
        m_window->state().setDraws(5);
        m_window->state().setSeed(78);
        run();
        saveTo("work.epsilens");
        QVERIFY(QFile::copy(m_vectors, path("moved.txt")));
        openWindow();
        writeFile(m_vectors, vectors(2));
        m_window->open(path("work.epsilens"));
        auto* notice = findControl<NoticeLine>(*m_window, "noticeLine");
        QTRY_VERIFY_WITH_TIMEOUT(notice->text().contains(QStringLiteral("other vectors")),
                                 kPatienceMs);
        const auto buttons = notice->findChildren<QAbstractButton*>();
        const auto locate =
            std::find_if(buttons.begin(), buttons.end(), [](const QAbstractButton* button) {
                return button->text() == QStringLiteral("Locate…");
            });
        QVERIFY(locate != buttons.end());
        dialogs::presetOpenFile(path("moved.txt"));
        QTest::mouseClick(*locate, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->state().seed(), std::uint64_t{78}, kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(report()->draft().record() != nullptr, kPatienceMs);
    }

    void aDamagedSessionIsExplained() {
        m_window->open(writeFile(path("bad.epsilens"), "{\"schema\": \"epsilens.session/9\"}"));
        auto* notice = findControl<NoticeLine>(*m_window, "noticeLine");
        QTRY_VERIFY_WITH_TIMEOUT(notice->text().contains(QStringLiteral("epsilens.session/9")),
                                 kPatienceMs);
    }

    void whatACrashLeftIsOffered() {
        load();
        m_window->state().setSeed(55);
        const QString copy =
            dataFolder() +
            QStringLiteral("/recovery-%1.epsilens").arg(QCoreApplication::applicationPid());
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(copy), kPatienceMs);
        // As if the process had been another one, which is gone.
        const QString left = dataFolder() + QStringLiteral("/recovery-999999999.epsilens");
        QVERIFY(QFile::copy(copy, left));
        openWindow();
        QVERIFY(!QFile::exists(copy));
        auto* notice = findControl<NoticeLine>(*m_window, "noticeLine");
        QVERIFY(notice->text().contains(QStringLiteral("good order")));
        const auto buttons = notice->findChildren<QAbstractButton*>();
        const auto restore =
            std::find_if(buttons.begin(), buttons.end(), [](const QAbstractButton* button) {
                return button->text() == QStringLiteral("Restore");
            });
        QVERIFY(restore != buttons.end());
        QTest::mouseClick(*restore, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->state().seed(), std::uint64_t{55}, kPatienceMs);
        QVERIFY(!QFile::exists(left));
        QVERIFY(m_window->isWindowModified());
        dialogs::presetAnswer(1);
        QVERIFY(m_window->close());
    }

    // Everything that the program writes goes to the folder of the test or to those of the
    // settings and the data, which the test program has moved to a folder of its own.
    void typedTextIsInNoFileUnlessTicked() {
        load();
        const QString secret = QString::fromLatin1(kSecret);
        auto* sentence = findControl<QLineEdit>(*m_window, "sentenceLineEdit");
        sentence->setFocus();
        QTest::keyClicks(sentence, QStringLiteral("w1 w2 ") + secret);
        m_window->state().setSentence(QStringLiteral("w1 w2 ") + secret);
        QVERIFY(m_window->state().sentence().contains(secret));
        m_window->state().setDraws(5);
        run();
        saveTo("work.epsilens");
        for (const char* name : {"r.pdf", "r.html", "r.md", "r.json"}) {
            exportTo(name);
        }
        const QString copies = dataFolder();
        QTRY_VERIFY_WITH_TIMEOUT(!QDir(copies).entryList(QDir::Files).isEmpty(), kPatienceMs);
        QSettings().sync();
        const QString settings = QFileInfo(QSettings().fileName()).absolutePath();
        QCOMPARE(filesHolding(m_folder->path(), kSecret), QStringList());
        QCOMPARE(filesHolding(copies, kSecret), QStringList());
        QCOMPARE(filesHolding(settings, kSecret), QStringList());

        report()->draft().setIncludesSentence(true);
        saveTo("work.epsilens");
        exportTo("r.html");
        QTest::qWait(3 * kAutosaveMs);  // the copy for recovery is written meanwhile
        const QStringList holding = filesHolding(m_folder->path(), kSecret);
        QCOMPARE(holding.size(), 2);
        QCOMPARE(filesHolding(copies, kSecret), QStringList());
        QCOMPARE(filesHolding(settings, kSecret), QStringList());
    }

private:
    [[nodiscard]] QString path(const char* name) const {
        return m_folder->filePath(QLatin1String(name));
    }
    void openWindow() {
        m_window.reset();
        m_window = createWindow(coreLoadFunctions());
        m_window->show();
        m_window->findChild<SessionFile*>()->setAutosaveDelay(kAutosaveMs);
    }
    void load() {
        m_window->open(m_vectors);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != nullptr, kPatienceMs);
        QTest::qWait(20);
    }
    void run() {
        curves()->run();
        QTRY_VERIFY_WITH_TIMEOUT(report()->draft().record() != nullptr, kPatienceMs);
    }
    /// Takes far longer than the test.
    void startLongRun() {
        m_window->state().setDraws(200'000);
        curves()->run();
        QTRY_VERIFY_WITH_TIMEOUT(curves()->model().isRunning(), kPatienceMs);
    }
    void saveTo(const char* name) {
        QSignalSpy done(m_window->findChild<SessionFile*>(), &SessionFile::saved);
        dialogs::presetSaveFile(path(name));
        findControl<QAction>(*m_window, "saveSessionAsAction")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kPatienceMs);
        QVERIFY(QFile::exists(path(name)));
    }
    void exportTo(const char* name) {
        QSignalSpy done(&report()->draft(), &ReportDraft::exported);
        dialogs::presetSaveFile(path(name));
        findControl<QAction>(*m_window, "exportReportAction")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kPatienceMs);
    }
    [[nodiscard]] ReportPanel* report() const {
        return findControl<ReportPanel>(*m_window, "reportPanel");
    }
    [[nodiscard]] CurvesPanel* curves() const {
        return findControl<CurvesPanel>(*m_window, "curvesPanel");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_vectors;
    std::unique_ptr<MainWindow> m_window;
};

EPSILENS_UI_TEST(SessionFileTest)
#include "session_file_test.moc"
