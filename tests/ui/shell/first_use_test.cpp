#include <set>

#include <QAction>
#include <QClipboard>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curves_panel.h"
#include "ui/live/live_panel.h"
#include "ui/shell/window_factory.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/value_slider.h"

using namespace epsilens;
using namespace epsilens::ui;
using nlohmann::ordered_json;
using test::findControl;
using test::kPatienceMs;

namespace {

/// The JSON that a command gives, null when it gives none.
ordered_json answerTo(QString command) {
    command.replace(QStringLiteral("epsilens-cli"), QStringLiteral(EPSILENS_CLI));
    QProcess shell;
    shell.start(QStringLiteral("/bin/sh"),
                {QStringLiteral("-c"), command + QStringLiteral(" --format json")});
    shell.waitForFinished(kPatienceMs);
    return ordered_json::parse(shell.readAllStandardOutput().toStdString(), nullptr, false);
}

}  // namespace

/// What a new user does with the sample, step by step, in one window: each test begins where the
/// one before has ended.
class FirstUseTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QSettings().clear();
        QVERIFY(m_folder.isValid());
        m_window = createWindow();
        m_window->show();
    }

    void theSampleIsOpened() {
        QTest::mouseClick(findControl<QPushButton>(*m_window, "emptyStateSampleButton"),
                          Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(state().embedding() != nullptr, kPatienceMs);
        QCOMPARE(state().embedding()->wordCount(), 12'000);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->jobs().runningCount() == 0, kPatienceMs);
    }

    void aSentenceIsTyped() {
        auto* sentence = findControl<QPlainTextEdit>(*m_window, "sentenceEdit");
        sentence->setFocus();
        QTest::keyClicks(sentence, QStringLiteral("paris london hospital"));
        QTRY_VERIFY_WITH_TIMEOUT(live().words().size() == 3 && !live().isBehind(), kPatienceMs);
        QCOMPARE(findControl<QTableView>(*m_window, "wordTableView")->model()->rowCount(), 3);
        QVERIFY(findControl<QLabel>(*m_window, "changedLabel")->text().contains(QLatin1Char('3')));
    }

    void epsilonIsMoved() {
        auto* slider = findControl<ValueSlider>(*m_window, "epsilonSlider");
        const double before = state().epsilon();
        const double keptBefore = kept();
        const QPoint far(slider->width() - 14, slider->height() / 2);
        QTest::mouseClick(slider, Qt::LeftButton, {}, far);
        QVERIFY(state().epsilon() > before);
        QVERIFY(kept() > keptBefore);
        QTest::mouseClick(slider, Qt::LeftButton, {}, {2, slider->height() / 2});
        QVERIFY(state().epsilon() < before);
        QVERIFY(kept() < keptBefore);
        // Every word is kept at an epsilon far beyond the critical ones, which can only be typed.
        auto* field = findControl<QLineEdit>(*m_window, "epsilonField");
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("1000"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(kept(), 3.0 * state().draws());
        state().edit(&AnalysisSettings::chooseEpsilon, before);
    }

    void lambdaIsMoved() {
        auto* slider = findControl<ValueSlider>(*m_window, "lambdaSlider");
        QTest::mouseClick(slider, Qt::LeftButton, {}, {12, slider->height() / 2});
        QVERIFY(state().lambda() < 0.1);
        QTRY_VERIFY_WITH_TIMEOUT(!live().isBehind(), kPatienceMs);
        state().edit(&AnalysisSettings::setParameters, {.lambda = 0.5});
    }

    void otherWordsAreAskedAbout() {
        const auto* promise = findControl<QLabel>(*m_window, "promiseLabel");
        auto* pair = findControl<QToolButton>(*m_window, "pairButton");
        QVERIFY(pair->isVisible());
        QTest::keyClick(pair, Qt::Key_Space);
        auto* menu = pair->findChild<QMenu*>();
        QVERIFY(menu->isVisible());
        QTest::keyClick(menu, Qt::Key_Up);  // to the last of them
        QTest::keyClick(menu, Qt::Key_Return);
        auto* first = findControl<QLineEdit>(*m_window, "firstPairWordField");
        QTRY_VERIFY_WITH_TIMEOUT(first->isVisible() && first->hasFocus(), kPatienceMs);
        first->selectAll();
        QTest::keyClicks(first, QStringLiteral("hospital"));
        QTest::keyClick(first, Qt::Key_Return);
        QTRY_VERIFY2_WITH_TIMEOUT(promise->text().contains(QStringLiteral("<i>hospital</i>")),
                                  qPrintable(promise->text()), kPatienceMs);
    }

    void limitsAreSet() {
        // Nobody has set one, and nothing says that any is met or not.
        const auto* strip = findControl<QLabel>(*m_window, "summaryLimitsLabel");
        const auto* verdict = findControl<QLabel>(*m_window, "dialLimitsLabel");
        QVERIFY(state().limits().empty());
        QVERIFY(!strip->isVisible() && !verdict->isVisible());
        QCOMPARE(findControl<QLabel>(*m_window, "reportLimitsLabel")->text(),
                 QStringLiteral("none set"));
        auto* kept = findControl<QLineEdit>(*m_window, "firstLimitField");
        QTest::keyClicks(kept, QStringLiteral("60"));
        QTest::keyClick(kept, Qt::Key_Return);
        QVERIFY(strip->isVisible() && verdict->isVisible());
        QVERIFY(strip->text().endsWith(QStringLiteral("/1")) ||
                strip->text().contains(QStringLiteral("/1 ")));
    }

    void theCurvesAreRun() {
        // Few words and draws: the steps count here, not the numbers.
        calibration::WordSelection few = state().words();
        few.count = 25;
        state().edit(&AnalysisSettings::words, few);
        state().edit(&AnalysisSettings::draws, 20);
        auto* run = findControl<QPushButton>(*m_window, "emptyRunPushButton");
        tabs().setCurrentIndex(4);
        QTRY_VERIFY_WITH_TIMEOUT(run->isEnabled(), kPatienceMs);
        QTest::mouseClick(run, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(curves().result() != nullptr, kPatienceMs);
    }

    /// The command of the same settings, as it is copied, run by a shell.
    void theCommandLineGivesTheSameNumbers() {
        findControl<QAction>(*m_window, "copyCommandAction")->trigger();
        const auto found = answerTo(QApplication::clipboard()->text());
        QCOMPARE(found["cells"].size(), std::size_t{25});
        const auto shown = document::calibrationDocument(*curves().result()->run);
        const auto differences = ordered_json::diff(shown["cells"], found["cells"]);
        QVERIFY2(differences.empty(), differences.dump().c_str());
    }

    void theCommandLineHasTheSameGrid() {
        QTRY_VERIFY_WITH_TIMEOUT(m_window->jobs().runningCount() == 0, kPatienceMs);
        const auto found =
            answerTo(QStringLiteral("epsilens-cli calibrate sample --words 2 --draws 2"));
        std::set<double> epsilons;
        std::set<double> lambdas;
        for (const ordered_json& cell : found["cells"]) {
            epsilons.insert(cell["epsilon"].get<double>());
            lambdas.insert(cell["lambda"].get<double>());
        }
        const auto& shownEpsilons = state().grid().epsilons;
        const auto& shownLambdas = state().grid().lambdas;
        QCOMPARE(epsilons, std::set<double>(shownEpsilons.begin(), shownEpsilons.end()));
        QCOMPARE(lambdas, std::set<double>(shownLambdas.begin(), shownLambdas.end()));
    }

    void theCurveIsRead() {
        auto* plot = findControl<QWidget>(*m_window, "nwPlot");
        QVERIFY(plot->isVisible());
        QTRY_VERIFY(!findControl<QLabel>(*m_window, "readingLabel")->text().isEmpty());
        const auto& grid = curves().result()->summary().cells;
        QCOMPARE(grid.size(), std::size_t{25});  // 5 epsilons and 5 lambdas
        QVERIFY(findControl<QTableView>(*m_window, "curvesTableView")->model()->rowCount() >= 5);
    }

    void theWordsAreLookedAt() {
        tabs().setCurrentIndex(6);
        auto* table = findControl<QTableView>(*m_window, "wordsTableView");
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 25, kPatienceMs);
        const QRect cell = table->visualRect(table->model()->index(3, 0));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
        QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, cell.center());
        QCOMPARE(tabs().currentIndex(), 0);
        QVERIFY(state().selectedWord().has_value());
    }

    void theWordIsSeenInSpace() {
        tabs().setCurrentIndex(5);
        const QString word = state().selectedWord()->text();
        auto* field = findControl<QLineEdit>(*m_window, "spaceWordLineEdit");
        QTRY_COMPARE_WITH_TIMEOUT(field->text(), word, kPatienceMs);
        QTRY_VERIFY(findControl<QLabel>(*m_window, "drawsShareLabel")
                        ->text()
                        .startsWith(QStringLiteral("Of 200 draws")));
    }

    void theReportIsExported() {
        tabs().setCurrentIndex(2);
        QTest::keyClicks(findControl<QLineEdit>(*m_window, "reportAuthorLineEdit"),
                         QStringLiteral("A. Analyst"));
        const QString path = m_folder.filePath(QStringLiteral("report.pdf"));
        dialogs::presetSaveFile(path);
        QTest::mouseClick(findControl<QPushButton>(*m_window, "reportExportPushButton"),
                          Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), kPatienceMs);
        QFile report(path);
        QVERIFY(report.open(QIODevice::ReadOnly));
        QVERIFY(report.read(5) == "%PDF-");
    }

    void theSessionIsSavedAndOpenedAgain() {
        const QString path = m_folder.filePath(QStringLiteral("first.epsilens"));
        dialogs::presetSaveFile(path);
        findControl<QAction>(*m_window, "saveSessionAction")->trigger();
        QTRY_VERIFY(QFile::exists(path));
        QTRY_VERIFY(!m_window->isWindowModified());
        const double nw = curves().result()->summary().cells.front().nw.mean;
        m_window.reset();
        m_window = createWindow();
        m_window->show();
        m_window->open(path);
        QTRY_VERIFY_WITH_TIMEOUT(curves().result() != nullptr, kPatienceMs);
        QCOMPARE(state().draws(), 20);
        QCOMPARE(state().words().count, std::int64_t{25});
        QCOMPARE(curves().result()->summary().cells.front().nw.mean, nw);
        QCOMPARE(findControl<QLineEdit>(*m_window, "limit1ValueField")->text(),
                 QStringLiteral("60%"));
    }

private:
    [[nodiscard]] AnalysisState& state() const { return m_window->state(); }
    [[nodiscard]] QTabWidget& tabs() const { return *findControl<QTabWidget>(*m_window, "tabs"); }
    [[nodiscard]] CurvesPanel& curves() const {
        return *findControl<CurvesPanel>(*m_window, "curvesPanel");
    }
    [[nodiscard]] live::LiveModel& live() const {
        return findControl<live::LivePanel>(*m_window, "livePanel")->model();
    }
    /// Draws of all words of the sentence that keep their word.
    [[nodiscard]] double kept() const {
        double all = 0.0;
        for (const auto& word : live().words()) {
            all += word.distribution.kept;
        }
        return all;
    }

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
};

EPSILENS_UI_TEST(FirstUseTest)
#include "first_use_test.moc"
