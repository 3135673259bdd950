#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "core/base/parallel.h"
#include "core/document/calibration_document.h"
#include "core/document/report_document.h"
#include "tests/ui/shell/whole_window.h"
#include "tests/ui/support/heartbeat.h"
#include "tests/ui/support/toy_embedding.h"
#include "ui/setup/setup_panel.h"
#include "ui/state/epsilon_search.h"
#include "ui/state/guarantee_model.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using nlohmann::ordered_json;

namespace {

/// The JSON that a command gives, null when it gives none.
ordered_json answerTo(QString command) {
    command.replace("epsilens-cli", EPSILENS_CLI);
    QProcess shell;
    shell.start("/bin/sh", {"-c", command + " --format json"});
    shell.waitForFinished(test::kPatienceMs);
    return ordered_json::parse(shell.readAllStandardOutput().toStdString(), nullptr, false);
}

/// A key as the user presses it: it goes to whatever has the focus.
void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWidget* focused = QApplication::focusWidget();
    QTest::keyClick(focused != nullptr ? focused : QApplication::activeWindow(),
                    static_cast<Qt::Key>(key), modifiers);
}

void typeOver(const QString& text) {
    press(Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), text);
}

/// Types a path into the file dialog that the next key opens. The dialog handles events itself, so
/// the keys come from a timer.
class DialogTypist {
public:
    explicit DialogTypist(QString path) : m_path(std::move(path)) {
        m_timer.callOnTimeout([this] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (dialog != nullptr && dialog->isAncestorOf(QApplication::focusWidget())) {
                m_timer.stop();
                typeOver(m_path);
                press(Qt::Key_Return);
            }
        });
        m_timer.start(5);
    }
    [[nodiscard]] bool hasTyped() const { return !m_timer.isActive(); }

private:
    QString m_path;
    QTimer m_timer;
};

}  // namespace

/// The sample, step by step in one window: each test begins where the one before has ended. What is
/// shown are the numbers of the command line, pages lead to one another, and long work is done
/// elsewhere: the thread of the window goes on answering.
class FirstUseTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        // All work of a job is done by one thread, which may be this one by mistake.
        setThreadLimit(1);
        prepare();
    }
    void cleanupTestCase() {
        clean();
        setThreadLimit(0);
    }

    void theSampleIsOpenedAndItsPlaneIsFound() {
        tabs().setCurrentIndex(5);
        const test::Heartbeat heart;
        QTest::mouseClick(&find("emptyStateSampleButton"), Qt::LeftButton);
        QTRY_VERIFY(state().embedding() != nullptr && isIdle());
        QVERIFY(heart.isSteady());
        QCOMPARE(state().embedding()->wordCount(), 12'000);
    }

    void theCurvesAreRun() {
        calibration::WordSelection few = state().words();
        few.count = 40;
        set(&AnalysisSettings::words, few);
        tabs().setCurrentIndex(4);
        QTRY_VERIFY(isEnabled("runPushButton") && isIdle());
        const test::Heartbeat heart;
        QTest::mouseClick(&find("runPushButton"), Qt::LeftButton);
        QTRY_VERIFY(curves().result() != nullptr && isIdle());
        QVERIFY(heart.isSteady());
        QVERIFY(isShown("nwPlot"));
        QTRY_VERIFY(!text("readingLabel").isEmpty());
        QVERIFY(find<QTableView>("curvesTableView").model()->rowCount() >= 5);
    }

    void theCommandLineGivesTheSameNumbers() {
        click("copyCommandAction");
        const auto found = answerTo(QApplication::clipboard()->text());
        QCOMPARE(found["cells"].size(), 25);  // 5 epsilons and 5 lambdas
        const auto shown = document::calibrationDocument(*curves().result()->run);
        const auto differences = ordered_json::diff(shown["cells"], found["cells"]);
        QVERIFY2(differences.empty(), differences.dump().c_str());
    }

    void theCommandLineHasTheSameGrid() {
        const auto found = answerTo("epsilens-cli calibrate sample --words 2 --draws 2");
        std::set<double> epsilons;
        std::set<double> lambdas;
        for (const ordered_json& cell : found["cells"]) {
            epsilons.insert(cell["epsilon"].get<double>());
            lambdas.insert(cell["lambda"].get<double>());
        }
        const GridValues& shown = state().grid();
        QCOMPARE(epsilons, std::set<double>(shown.epsilons.begin(), shown.epsilons.end()));
        QCOMPARE(lambdas, std::set<double>(shown.lambdas.begin(), shown.lambdas.end()));
    }

    void aWordOfTheTableIsSeenOnChooseAndInSpace() {
        tabs().setCurrentIndex(6);
        auto& table = find<QTableView>("wordsTableView");
        QTRY_COMPARE(table.model()->rowCount(), 40);
        const QPoint place = table.visualRect(table.model()->index(3, 0)).center();
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(table.viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(tabs().currentIndex(), 0);
        QVERIFY(state().selectedWord().has_value());
        tabs().setCurrentIndex(5);
        QVERIFY(says("spaceWordLineEdit", state().selectedWord()->text()));
        click("findWordAction");
        QCOMPARE(find<QLineEdit>("spaceWordLineEdit").selectedText(), text("spaceWordLineEdit"));
        tabs().setCurrentIndex(3);
        click("findWordAction");
        QCOMPARE(tabs().currentIndex(), 6);
        tabs().setCurrentIndex(5);
        QVERIFY(says("drawsShareLabel", "Of 200 draws"));
    }
};

/// From opening a file to an exported report with key events alone.
class KeyboardPathTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        prepare();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanupTestCase() { clean(); }

    void controlOAndAPathOpenAFile() {
        QVERIFY(answerDialogOf(Qt::Key_O, m_vectors));
        QTRY_VERIFY(state().embedding() != nullptr);
        QCOMPARE(state().embedding()->wordCount(), 40);
    }

    void aSentenceIsTyped() {
        press(Qt::Key_L, Qt::ControlModifier);
        QCOMPARE(focused(), "sentenceEdit");
        typeOver("w3 w7");
        const auto* words = find<QTableView>("wordTableView").model();
        QTRY_COMPARE(words->rowCount(), 2);
        // Tab leaves the text.
        press(Qt::Key_Tab);
        QVERIFY(focused() != "sentenceEdit");
    }

    void epsilonAndLambdaAreTyped() {
        for (const auto& [key, value] : {std::pair{Qt::Key_E, "3.5"}, {Qt::Key_L, "0.25"}}) {
            press(key, Qt::ControlModifier | Qt::ShiftModifier);
            typeOver(value);
            press(Qt::Key_Return);
        }
        QCOMPARE(state().epsilon(), 3.5);
        QCOMPARE(state().lambda(), 0.25);
    }

    void theDialFollowsTheBarAboveIt() {
        QVERIFY(tabTo("releaseButton"));
        for (const char* next : {"detailsButton", "tabBar", "epsilonSlider"}) {
            press(Qt::Key_Tab);
            QCOMPARE(focused(), next);
        }
    }

    /// Whatever the height of the dial: they stay under the pointer.
    void theTabsStayAtOnePlace() {
        QTabBar& bar = find<QTabBar>("tabBar");
        QCOMPARE(bar.count(), tabs().count());
        const QPoint place = bar.mapTo(m_window.get(), QPoint());
        for (int tab = 0; tab < bar.count(); ++tab) {
            QTest::mouseClick(&bar, Qt::LeftButton, {}, bar.tabRect(tab).center());
            QCoreApplication::processEvents();
            QCOMPARE(tabs().currentIndex(), tab);
            QCOMPARE(bar.mapTo(m_window.get(), QPoint()), place);
        }
        tabs().setCurrentIndex(0);
        QCOMPARE(bar.currentIndex(), 0);
    }

    void aLimitIsFilledInAndTypedAsAFormula() {
        QVERIFY(tabTo("keptLimitField"));
        typeOver("60");
        press(Qt::Key_Return);
        QCOMPARE(state().limits().size(), 1);
        QVERIFY(tabTo("otherLimitsButton"));
        press(Qt::Key_Space);
        auto& menu = find<QMenu>("limitsMenu");
        menu.setActiveAction(menu.actions().last());
        QTest::keyClick(&menu, Qt::Key_Return);
        auto& dialog = find<QInputDialog>("limitsDialog");
        dialog.setTextValue("nw.p95<=40%");
        dialog.accept();
        // What a window manager does when a dialog closes.
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QCOMPARE(state().limits().front().value, 40.0);
    }

    void f5MeasuresWhatIsShownAndEveryTabHasAKey() {
        QTRY_VERIFY(isIdle());
        const auto before = curves().result();
        dialogs::presetOpenFile({});  // which Texts asks for
        for (const int tab : {0, 1, 2}) {
            press(Qt::Key_1 + tab, Qt::ControlModifier);
            press(Qt::Key_F5);
            QCOMPARE(tabs().currentIndex(), tab);
            QVERIFY(!curves().isRunning());
        }
        press(Qt::Key_5, Qt::ControlModifier);
        press(Qt::Key_F5);
        QTRY_VERIFY(curves().result() != before);
        for (int tab = 0; tab < tabs().count(); ++tab) {
            press(Qt::Key_1 + tab, Qt::ControlModifier);
            QCOMPARE(tabs().currentIndex(), tab);
            QVERIFY(tabs().currentWidget()->isAncestorOf(QApplication::focusWidget()));
        }
    }

    void theReportIsFilledInAndExported() {
        press(Qt::Key_4, Qt::ControlModifier);
        QTRY_VERIFY(isShown("reportAuthorLineEdit"));
        press(Qt::Key_4, Qt::ControlModifier);
        QVERIFY(tabTo("reportAuthorLineEdit"));
        typeOver("A. Analyst");
        QVERIFY(answerDialogOf(Qt::Key_E, path("report.html")));
        QTRY_VERIFY(QFile::exists(path("report.html")));
        const QByteArray written = test::contentOf(path("report.html"));
        QVERIFY(written.contains("A. Analyst") && written.contains("small.txt"));
    }

private:
    /// Presses Ctrl and a key that opens a file dialog, and types the path there.
    [[nodiscard]] bool answerDialogOf(int key, const QString& path) {
        const DialogTypist typist(path);
        press(key, Qt::ControlModifier);
        // What a window manager does when a dialog closes.
        m_window->activateWindow();
        return typist.hasTyped() && QTest::qWaitForWindowActive(m_window.get());
    }
    [[nodiscard]] static bool tabTo(const char* name) {
        constexpr int kMostTabs = 60;
        QStringList visited;
        while (focused() != name && visited.size() < kMostTabs) {
            visited.append(focused());
            press(Qt::Key_Tab);
        }
        return test::holds(visited.join(' ') + ' ' + focused(), name) && focused() == name;
    }
};

/// Chooses a mechanism by the controls, looks at Choose, runs the curves, looks at Space.
class MechanismWalkTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() { prepare(); }
    void cleanup() { clean(); }

    void walk_data() {
        QTest::addColumn<QString>("mechanism");
        QTest::addColumn<QByteArray>("list");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("heading");
        const auto row = [](const char* name, const char* mechanism, const char* list,
                            const char* value, const char* heading) {
            QTest::addRow("%s, %s", mechanism, name)
                << mechanism << QByteArray(list) << value << heading;
        };
        row("", "Multivariate Laplace", "", "", "ε·‖·‖");
        row("", "Regularized Mahalanobis", "", "", "RM");
        for (const char* metric : {"Euclidean", "Mahalanobis (λ)", "angular", "Poincaré"}) {
            row(metric, "Truncated exponential (TEM)", "metricComboBox", metric, "min");
        }
        for (const char* metric : {"Euclidean", "Mahalanobis (λ)"}) {
            row(metric, "Exponential (SanText)", "metricComboBox", metric, "ε·‖·‖");
        }
        row("", "Hyperbolic", "noiseComboBox", "riemannian", "ε·d_H");
        row("eq7", "Hyperbolic", "noiseComboBox", "Eq. 7 of the paper", "(ε+m)·d_H");
    }
    void walk() {
        QFETCH(const QString, mechanism);
        QFETCH(const QByteArray, list);
        QFETCH(const QString, value);
        QFETCH(const QString, heading);
        show(test::toyBall(120, 4));
        set(&AnalysisSettings::draws, 20);
        choose("mechanismComboBox", mechanism);
        if (!list.isEmpty()) {
            choose(list, value);
        }
        const auto& guarantee = m_window->setup().guarantee().guarantee();
        QVERIFY(test::holds(toQString(guarantee->statement), heading));
        state().setSentence("paris london word9");
        QTRY_COMPARE(find<QTableView>("wordTableView").model()->rowCount(), 3);
        QTRY_VERIFY(!text("detailFactsLabel").isEmpty());
        const bool addsNoise = !state().mechanism().isExact();
        curves().run();
        QVERIFY(says("nwOriginLabel", addsNoise ? "exact at every ε" : "expected, exact"));
        state().selectWord(Word(state().embedding(), 5));
        QVERIFY(says("drawsShareLabel", !addsNoise                  ? "adds no noise"
                                        : mechanism == "Hyperbolic" ? "d_H ="
                                                                    : "contour"));
    }

    void thePoincareSampleComesWithItsMechanism() {
        click("emptyStatePoincareSampleButton");
        QTRY_VERIFY(state().embedding() != nullptr);
        QVERIFY(state().mechanism().as<mechanism::Hyperbolic>());
        QCOMPARE(state().epsilon(), 19.0);  // m - 1 + 10, m = 10
        open("sample");
        QVERIFY(state().mechanism().as<mechanism::Mahalanobis>());
        const auto* items =
            qobject_cast<const QStandardItemModel*>(find<QComboBox>("mechanismComboBox").model());
        const auto* hyperbolic = items->item(items->rowCount() - 1);
        QVERIFY(!hyperbolic->isEnabled() && hyperbolic->toolTip().contains("norm ≥ 1"));
    }
};

/// Whatever epsilon is chosen, or pinned, all of the window speaks of that one and of the same
/// words.
class ChosenEpsilonTest : public QObject, private test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() { prepareLoaded(); }
    void cleanup() { clean(); }

    void wordsReportAndStripAgreeAtAnyEpsilon() {
        limit("nw.p95<=50%");
        run();
        const auto& measurement = m_window->measurement();
        QTRY_VERIFY(measurement.isCurrent());
        QCOMPARE(measurement.result()->options().words, state().words());
        auto* search = m_window->findChild<EpsilonSearch*>();
        QTRY_VERIFY(search->spans() != nullptr);
        search->findEpsilon();
        const double found = state().epsilon();
        const auto& grid = report().draft().run()->summary->grid.epsilons;
        QVERIFY(std::ranges::find(grid, found) == grid.end());
        QVERIFY(areAllAbout(found, true));
        // It is the largest one of three digits, so that two hundredths more are too much.
        set(&AnalysisSettings::chooseEpsilon, found * 1.02);
        QVERIFY(areAllAbout(found * 1.02, false));
    }

    void anotherMechanismSaysThatItGoesBackToTheDefault() {
        set(&AnalysisSettings::chooseMechanism, mechanism::Tem());
        QVERIFY(!text("statusLabel").contains("default again"));
        set(&AnalysisSettings::chooseEpsilon, 3.0);
        set(&AnalysisSettings::chooseMechanism, mechanism::Laplace());
        QVERIFY(says("statusLabel", "default again"));
        click("undoAction");
        QCOMPARE(state().epsilon(), 3.0);
    }

    void pinsAndUnpinsAndUndoes() {
        const auto& unpin = find<QAction>("unpinAction");
        QVERIFY(!unpin.isEnabled());
        // What follows from the data is no step, so it has to be there first.
        QTRY_VERIFY(state().epsilonScale().low.has_value());
        test::letPass(10);
        set(&AnalysisSettings::chooseEpsilon, 12.0);
        QCOMPARE(find<QAction>("pinAction").shortcut(), QKeySequence(Qt::CTRL | Qt::Key_D));
        click("pinAction");
        QVERIFY(isShown("unpinButton"));
        const char* pinned = "pinned: Mahalanobis λ 0.50, ε 12.0";
        QVERIFY(test::holds(find("unpinButton").toolTip(), pinned));
        QVERIFY(test::holds(find("settingBar").accessibleName(), pinned));
        click("unpinButton");
        QVERIFY(!isShown("unpinButton") && !state().pin() && !unpin.isEnabled());
        click("undoAction");
        QVERIFY(isShown("unpinButton") && unpin.isEnabled());
        click("undoAction");
        QVERIFY(!state().pin());
        click("redoAction");
        QVERIFY(state().pin().has_value());
    }

private:
    /// Strip, Words and an exported report name this epsilon and hold it to the limit alike.
    bool areAllAbout(double epsilon, bool isMet) {
        const bool isShown =
            says("wordsStatusLabel", QString("ε %1,").arg(epsilonText(epsilon))) &&
            says("summaryLimitsLabel", isMet ? "Limits: 1 of 1 met ✓" : "Limits: 1 of 1 not met ✗");
        const auto read = document::readReport(exportTo("report.json").toStdString());
        const auto findings = read ? document::findingsOf(*read) : Result<calibration::Findings>();
        return isShown && findings && findings->cell && !findings->limits.empty() &&
               read->run.summary->cells[*findings->cell].epsilon == epsilon &&
               findings->limits.front().met() == isMet;
    }
};

EPSILENS_UI_TEST(FirstUseTest)
EPSILENS_UI_TEST(KeyboardPathTest)
EPSILENS_UI_TEST(MechanismWalkTest)
EPSILENS_UI_TEST(ChosenEpsilonTest)
#include "journeys_test.moc"
