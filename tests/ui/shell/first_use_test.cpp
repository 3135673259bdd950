#include <set>

#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "tests/ui/shell/whole_window.h"
#include "ui/live/live_panel.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/value_slider.h"

using namespace epsilens;
using namespace epsilens::ui;
using nlohmann::ordered_json;
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
class FirstUseTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void cleanupTestCase() { clean(); }

    void theSampleIsOpened() {
        QTest::mouseClick(&find<QPushButton>("emptyStateSampleButton"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(state().embedding() != nullptr, kPatienceMs);
        QCOMPARE(state().embedding()->wordCount(), 12'000);
        QTRY_VERIFY_WITH_TIMEOUT(isIdle(), kPatienceMs);
    }

    void aSentenceIsTyped() {
        auto* sentence = &find<QPlainTextEdit>("sentenceEdit");
        sentence->setFocus();
        QTest::keyClicks(sentence, QStringLiteral("paris london hospital"));
        QTRY_VERIFY_WITH_TIMEOUT(live().words().size() == 3 && !live().isBehind(), kPatienceMs);
        QCOMPARE(find<QTableView>("wordTableView").model()->rowCount(), 3);
        QVERIFY(text("changedLabel").contains(QLatin1Char('3')));
    }

    void epsilonIsMoved() {
        auto* slider = &find<ValueSlider>("epsilonSlider");
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
        QTest::keyClick(&type("epsilonField", QStringLiteral("1000")), Qt::Key_Return);
        QCOMPARE(kept(), 3.0 * state().draws());
        state().edit(&AnalysisSettings::chooseEpsilon, before);
    }

    void lambdaIsMoved() {
        auto* slider = &find<ValueSlider>("lambdaSlider");
        QTest::mouseClick(slider, Qt::LeftButton, {}, {12, slider->height() / 2});
        QVERIFY(state().lambda() < 0.1);
        QTRY_VERIFY_WITH_TIMEOUT(!live().isBehind(), kPatienceMs);
        state().edit(&AnalysisSettings::setParameters, {.lambda = 0.5});
    }

    void otherWordsAreAskedAbout() {
        const auto* promise = &find<QLabel>("promiseLabel");
        auto* pair = &find<QToolButton>("pairButton");
        QVERIFY(pair->isVisible());
        QTest::keyClick(pair, Qt::Key_Space);
        auto* menu = pair->findChild<QMenu*>();
        QVERIFY(menu->isVisible());
        QTest::keyClick(menu, Qt::Key_Up);  // to the last of them
        QTest::keyClick(menu, Qt::Key_Return);
        auto* first = &find<QLineEdit>("firstPairWordField");
        QTRY_VERIFY_WITH_TIMEOUT(first->isVisible() && first->hasFocus(), kPatienceMs);
        QTest::keyClick(&type("firstPairWordField", QStringLiteral("hospital")), Qt::Key_Return);
        QTRY_VERIFY2_WITH_TIMEOUT(promise->text().contains(QStringLiteral("<i>hospital</i>")),
                                  qPrintable(promise->text()), kPatienceMs);
    }

    void limitsAreSet() {
        // Nobody has set one, and nothing says that any is met or not.
        const auto* strip = &find<QLabel>("summaryLimitsLabel");
        const auto* verdict = &find<QLabel>("dialLimitsLabel");
        QVERIFY(state().limits().empty());
        QVERIFY(!strip->isVisible() && !verdict->isVisible());
        QTest::keyClick(&type("firstLimitField", QStringLiteral("60")), Qt::Key_Return);
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
        auto* run = &find<QPushButton>("emptyRunPushButton");
        tabs().setCurrentIndex(4);
        QTRY_VERIFY_WITH_TIMEOUT(run->isEnabled(), kPatienceMs);
        QTest::mouseClick(run, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(curves().result() != nullptr, kPatienceMs);
    }

    /// The command of the same settings, as it is copied, run by a shell.
    void theCommandLineGivesTheSameNumbers() {
        trigger("copyCommandAction");
        const auto found = answerTo(QApplication::clipboard()->text());
        QCOMPARE(found["cells"].size(), std::size_t{25});
        const auto shown = document::calibrationDocument(*curves().result()->run);
        const auto differences = ordered_json::diff(shown["cells"], found["cells"]);
        QVERIFY2(differences.empty(), differences.dump().c_str());
    }

    void theCommandLineHasTheSameGrid() {
        QTRY_VERIFY_WITH_TIMEOUT(isIdle(), kPatienceMs);
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
        auto* plot = &find<QWidget>("nwPlot");
        QVERIFY(plot->isVisible());
        QTRY_VERIFY(!text("readingLabel").isEmpty());
        const auto& grid = curves().result()->summary().cells;
        QCOMPARE(grid.size(), std::size_t{25});  // 5 epsilons and 5 lambdas
        QVERIFY(find<QTableView>("curvesTableView").model()->rowCount() >= 5);
    }

    void theWordsAreLookedAt() {
        tabs().setCurrentIndex(6);
        auto* table = &find<QTableView>("wordsTableView");
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
        auto* field = &find<QLineEdit>("spaceWordLineEdit");
        QTRY_COMPARE_WITH_TIMEOUT(field->text(), word, kPatienceMs);
        QTRY_VERIFY(text("drawsShareLabel").startsWith(QStringLiteral("Of 200 draws")));
    }

    void theReportIsExported() {
        tabs().setCurrentIndex(2);
        type("reportAuthorLineEdit", QStringLiteral("A. Analyst"));
        dialogs::presetSaveFile(path("report.pdf"));
        QTest::mouseClick(&find<QPushButton>("reportExportPushButton"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("report.pdf")), kPatienceMs);
        QVERIFY(test::contentOf(path("report.pdf")).startsWith("%PDF-"));
    }

private:
    [[nodiscard]] QTabWidget& tabs() const { return m_window->tabs(); }
    [[nodiscard]] live::LiveModel& live() const {
        return find<live::LivePanel>("livePanel").model();
    }
    /// Draws of all words of the sentence that keep their word.
    [[nodiscard]] double kept() const {
        double all = 0.0;
        for (const auto& word : live().words()) {
            all += word.distribution.kept;
        }
        return all;
    }
};

EPSILENS_UI_TEST(FirstUseTest)
#include "first_use_test.moc"
