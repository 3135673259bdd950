#include "ui/tradeoff/trade_off_panel.h"

#include <qcustomplot.h>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTableView>

#include "tests/ui/support/ui_test.h"
#include "tests/ui/tradeoff/trade_off_fixture.h"
#include "ui/tradeoff/frontier_plot.h"
#include "ui/tradeoff/measured_plot.h"
#include "ui/widgets/dialogs.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using test::kPatienceMs;

namespace {

struct TradeOffPanelFixture {
    TradeOffPanelFixture() {
        test::loadToyGridInto(state);
        panel.resize(880, 600);
        panel.show();
    }
    void open() {
        dialogs::presetOpenFile(
            test::written(folder, QStringLiteral("texts.csv"), test::labelledCsv(120)));
        panel.execute(PanelCommand::run);
        QTRY_VERIFY_WITH_TIMEOUT(panel.model().source().texts() != nullptr, kPatienceMs);
    }
    void measure() {
        open();
        panel.execute(PanelCommand::run);
        QTRY_VERIFY_WITH_TIMEOUT(panel.model().result() != nullptr && !panel.model().isRunning(),
                                 kPatienceMs);
    }

    QTemporaryDir folder;
    AnalysisState state;
    TradeOffPanel panel{state};
};

}  // namespace

class TradeOffPanelTest : public QObject {
    Q_OBJECT

    using Fixture = TradeOffPanelFixture;

private Q_SLOTS:
    void aFolderOfClassesIsOpenedToo() {
        Fixture f;
        for (const char* name : {"spam", "ham"}) {
            const QDir inside(f.folder.filePath(QLatin1String(name)));
            QVERIFY(QDir().mkpath(inside.path()));
            for (int i = 0; i < 3; ++i) {
                QFile file(inside.filePath(QStringLiteral("%1.txt").arg(i)));
                QVERIFY(file.open(QIODevice::WriteOnly));
                file.write("paris london");
            }
        }
        dialogs::presetOpenFile(f.folder.path());
        findControl<QPushButton>(f.panel, "openFolderPushButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.model().source().texts() != nullptr, kPatienceMs);
        QCOMPARE(f.panel.model().source().texts()->data.documents.size(), std::size_t{6});
        QCOMPARE(f.panel.model().source().texts()->data.classes.size(), std::size_t{2});
    }

    void beginsWithOneButton() {
        Fixture f;
        auto* button = findControl<QPushButton>(f.panel, "tradeOffEmptyPushButton");
        QVERIFY(button->isVisible());
        QVERIFY(!findControl<QCheckBox>(f.panel, "linearCheckBox")->isVisible());
        dialogs::presetOpenFile(
            test::written(f.folder, QStringLiteral("texts.csv"), test::labelledCsv(20)));
        button->click();
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.model().source().texts() != nullptr, kPatienceMs);
        QVERIFY(findControl<QCheckBox>(f.panel, "linearCheckBox")->isVisible());
    }

    void whatTheTextsDoNotSupportIsOffWithTheReason() {
        Fixture f;
        f.open();
        auto* authors = findControl<QCheckBox>(f.panel, "authorshipCheckBox");
        QVERIFY(!authors->isEnabled());
        QVERIFY(authors->toolTip().contains(QStringLiteral("two authors")));
        auto* column = findControl<QLineEdit>(f.panel, "authorColumnLineEdit");
        QCOMPARE(findControl<QLineEdit>(f.panel, "labelColumnLineEdit")->placeholderText(),
                 QStringLiteral("label (guessed)"));
        QTest::keyClicks(column, QStringLiteral("penned"));
        QTest::keyClick(column, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(authors->isEnabled(), kPatienceMs);
    }

    void showsBothSidesAndWhatTheyMean() {
        Fixture f;
        f.measure();
        auto* sentence = findControl<QLabel>(f.panel, "tradeOffSentenceLabel");
        QCOMPARE(sentence->text(), f.panel.model().sentence());
        QVERIFY(!sentence->text().isEmpty());
        // No attacker's count stands without its interval.
        const QRegularExpression interval(
            QStringLiteral("\nbest attacker: \\d+\\.\\d \\(\\d+\\.\\d to \\d+\\.\\d\\)"));
        QVERIFY2(interval.match(sentence->toolTip()).hasMatch(), qPrintable(sentence->toolTip()));
        QVERIFY(findControl<QLabel>(f.panel, "tradeOffOriginLabel")
                    ->text()
                    .contains(QStringLiteral("no guarantee")));
        QVERIFY(findControl<MeasuredPlot>(f.panel, "utilityPlot")
                    ->accessibleDescription()
                    .contains(QStringLiteral("by words")));
        auto* frontier = findControl<FrontierPlot>(f.panel, "frontierPlot");
        QCOMPARE(frontier->points().size(), std::size_t{4});
        const QString point = frontier->pointText(frontier->points().front());
        QCOMPARE(point.count(QStringLiteral(" to ")), 2);
        QVERIFY(frontier->plot().xAxis->visible());
        // Without points there is nothing that axes could be of.
        frontier->setResult(nullptr);
        QVERIFY(!frontier->plot().xAxis->visible() && frontier->plot().itemCount() == 1);
        // The original text, two references and four settings.
        QCOMPARE(findControl<QTableView>(f.panel, "tradeOffTableView")->model()->rowCount(), 7);
        findControl<QPushButton>(f.panel, "copyNumbersPushButton")->click();
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("reconstruct")));
    }

    void aLowWindowScrolls() {
        Fixture f;
        f.panel.resize(940, 340);
        f.measure();
        auto* area = f.panel.findChild<QScrollArea*>(QString(), Qt::FindDirectChildrenOnly);
        const auto isWhollyVisible = [area](const QWidget& widget) {
            const int top = widget.mapTo(area->viewport(), QPoint()).y();
            return top >= 0 && top + widget.height() <= area->viewport()->height();
        };
        QTRY_VERIFY(area->verticalScrollBar()->maximum() > 0);
        QVERIFY(isWhollyVisible(*findControl<QPushButton>(f.panel, "measureTradeOffPushButton")));
        area->verticalScrollBar()->setValue(area->verticalScrollBar()->maximum());
        QTRY_VERIFY(isWhollyVisible(*findControl<QLabel>(f.panel, "tradeOffOriginLabel")));
        QVERIFY(isWhollyVisible(*findControl<MeasuredPlot>(f.panel, "utilityPlot")));
    }

    void whatWasFinishedBeforeCancelStays() {
        Fixture f;
        f.open();
        TradeOffModel& model = f.panel.model();
        QObject::connect(&model, &TradeOffModel::resultChanged, &model, [&model] {
            if (model.result()->summary().partial && model.result()->summary().repeats == 3) {
                model.cancel();
            }
        });
        f.panel.execute(PanelCommand::run);
        QTRY_VERIFY_WITH_TIMEOUT(model.result() != nullptr && !model.isRunning(), kPatienceMs);
        const experiment::EvaluationSummary& summary = model.result()->summary();
        QVERIFY(summary.partial);
        QCOMPARE(summary.cells.size(), std::size_t{4});
        QVERIFY(summary.repeats >= 3);
        QVERIFY(model.sentence().contains(QStringLiteral("get the right class")));
        QVERIFY(findControl<QLabel>(f.panel, "tradeOffOriginLabel")
                    ->text()
                    .startsWith(QStringLiteral("Partial: cancelled before the end.")));
        QVERIFY(findControl<MeasuredPlot>(f.panel, "utilityPlot")->isVisible());
    }

    void aClickOnAPointTakesItsSetting() {
        Fixture f;
        f.measure();
        f.state.edit([](AnalysisSettings& settings) {
            settings.chooseEpsilon(20.0);
            settings.setParameters({.lambda = 0.4});
        });
        Q_EMIT findControl<MeasuredPlot>(f.panel, "riskPlot")->pointChosen(1.0);
        QCOMPARE(f.state.epsilon(), 1.0);
        QCOMPARE(f.state.lambda(), 0.5);
    }

    void plotsMoveTheEpsilonOfTheWindow() {
        Fixture f;
        f.measure();
        auto* plot = findControl<MeasuredPlot>(f.panel, "riskPlot");
        QTest::keyClick(plot, Qt::Key_PageDown);
        QVERIFY(f.state.epsilon() < 50.0);
        QCOMPARE(findControl<MeasuredPlot>(f.panel, "utilityPlot")->epsilon(), f.state.epsilon());
    }

    void resultsOfOtherSettingsSayNothing() {
        Fixture f;
        f.measure();
        f.state.edit(&AnalysisSettings::seed, 5);
        auto* line = f.panel.findChild<NoticeLine*>();
        QVERIFY(line->text().contains(QStringLiteral("previous settings")));
        QVERIFY(findControl<QLabel>(f.panel, "tradeOffSentenceLabel")->text().isEmpty());
        auto* copy = findControl<QPushButton>(f.panel, "copyNumbersPushButton");
        QVERIFY(!copy->isEnabled());
        QVERIFY(copy->toolTip().contains(QStringLiteral("are not exported")));
        // Measured again they speak for themselves.
        QTest::mouseClick(line->findChild<QPushButton*>(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!f.panel.model().isRunning() && line->isHidden(), kPatienceMs);
        QVERIFY(copy->isEnabled());
    }
};

EPSILENS_UI_TEST(TradeOffPanelTest)
#include "trade_off_panel_test.moc"
