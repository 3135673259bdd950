#include <set>

#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "tests/ui/shell/whole_window.h"
#include "ui/widgets/qt_convert.h"

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

/// The sample, step by step in one window: each test begins where the one before has ended. What is
/// shown are the numbers of the command line, and pages lead to one another.
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

private:
    [[nodiscard]] QTabWidget& tabs() const { return m_window->tabs(); }
};

EPSILENS_UI_TEST(FirstUseTest)
#include "first_use_test.moc"
