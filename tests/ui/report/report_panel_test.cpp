#include "ui/report/report_panel.h"

#include <functional>

#include <QCheckBox>
#include <QDialog>
#include <QFile>
#include <QGraphicsEffect>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPrintPreviewWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextBrowser>

#include "core/calibration/run_curves.h"
#include "tests/ui/report/report_fixture.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"

using namespace epsilens;
using test::kPatienceMs;

namespace {

struct ReportPanelFixture {
    ReportPanelFixture() {
        QSettings().clear();
        state.setEmbedding(test::toySpace()->handle(), test::toySpace());
        test::askForToyRun(state);
        panel.resize(880, 640);
        panel.show();
    }
    /// What the preview waits for, once it has come to rest.
    void waitFor(const QString& text) {
        QTRY_VERIFY2_WITH_TIMEOUT(
            shownText().contains(text) && !panel.draft().composer().isRunning(),
            qPrintable(shownText()), kPatienceMs);
    }
    void takeRun() {
        panel.draft().setRun(test::toyRun());
        waitFor(QStringLiteral("Sign-off"));
    }
    void edit(const std::function<void(document::ReportSettings&)>& change) {
        document::ReportSettings settings = panel.draft().settings();
        change(settings);
        panel.draft().setSettings(settings);
    }
    template <typename Control>
    Control* control(const char* name) {
        return test::findControl<Control>(panel, name);
    }
    QTextBrowser* preview() { return control<QTextBrowser>("reportPreview"); }
    QString shownText() { return preview()->toPlainText(); }
    QString notice() { return control<ui::NoticeLine>("noticeLine")->text(); }

    ui::AnalysisState state;
    ui::SessionResults results{state};
    ui::ReportPanel panel{state, results};
};

}  // namespace

class ReportPanelTest : public QObject {
    Q_OBJECT

    using Fixture = ReportPanelFixture;

private Q_SLOTS:
    void init() {
        // A preview is made on another thread; a timer of it must not be left there.
        QTest::failOnWarning(QRegularExpression(QStringLiteral("another thread|different thread")));
    }

    void withoutResultsItOffersTheRun() {
        Fixture f;
        auto* run = f.control<QPushButton>("reportRunPushButton");
        QVERIFY(run->isVisible() && run->isEnabled());
        // Once each time that it is shown, so that a run that was cancelled does not begin again.
        QSignalSpy requests(&f.panel, &ui::ReportPanel::runRequested);
        QTRY_COMPARE(requests.count(), 1);
        f.panel.setRunState({}, true);
        f.panel.setRunState({}, false);
        test::letPass(10);
        QCOMPARE(requests.count(), 1);
        QTest::mouseClick(run, Qt::LeftButton);
        QCOMPARE(requests.count(), 2);
        // F5 in front of this tab runs, and stays here.
        QVERIFY(f.panel.handles(ui::PanelCommand::run));
        f.panel.execute(ui::PanelCommand::run);
        QCOMPARE(requests.count(), 3);
        f.panel.hide();
        f.panel.show();
        QTRY_COMPARE(requests.count(), 4);
        f.panel.setRunState(QStringLiteral("Open an embedding first"), false);
        QVERIFY(!run->isEnabled());
        QCOMPARE(f.control<QLabel>("reportEmptyLabel")->text(),
                 QStringLiteral("Open an embedding first"));
    }

    void whileItIsMeasuredNobodyIsToldToStartIt() {
        Fixture f;
        const auto* line = f.control<ui::NoticeLine>("noticeLine");
        const auto* run = f.control<QPushButton>("reportRunPushButton");
        f.panel.execute(ui::PanelCommand::exportReport);
        QVERIFY(f.notice().contains(QStringLiteral("press F5")));
        f.panel.setRunState({}, true);
        QVERIFY(line->isHidden() && !run->isVisible());
        f.panel.execute(ui::PanelCommand::exportReport);
        for (const QString& text : {f.notice(), f.control<QLabel>("reportEmptyLabel")->text()}) {
            QVERIFY2(!text.contains(QStringLiteral("F5")) &&
                         text.endsWith(QStringLiteral("The report follows by itself.")),
                     qPrintable(text));
        }
        // It is cancelled.
        f.panel.setRunState({}, false);
        QVERIFY(line->isHidden() && run->isVisible());
    }

    void theMemoOfAnotherEmbeddingGoesAtOnce() {
        Fixture f;
        f.takeRun();
        auto* button = f.control<QPushButton>("reportExportPushButton");
        const auto other = test::toyEmbedding(60, 4);
        f.state.setEmbedding(other, std::make_shared<const engine::SearchSpace>(other));
        QVERIFY(f.shownText().isEmpty() && f.panel.draft().run() == nullptr);
        QVERIFY(!button->isEnabled());
        test::askForToyRun(f.state);
        const auto run =
            calibration::runCurves(*f.state.searchSpace(), f.state.calibrationOptions());
        QVERIFY(run.has_value());
        f.panel.draft().setRun((*run)->run);
        QVERIFY(!button->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.draft().composer().isRunning(), kPatienceMs);
        QVERIFY(!button->isEnabled());
        QCOMPARE(f.preview()->placeholderText(), QStringLiteral("Composing the report…"));
        QVERIFY(!f.preview()->viewport()->graphicsEffect()->isEnabled());
        f.waitFor(QStringLiteral("Sign-off"));
        QVERIFY(button->isEnabled());
    }

    /// An edit keeps the place that is read; a report that changed meanwhile is read from its
    /// start. Laying one out takes longer than a frame, which the tab in front would miss.
    void aPreviewOpensAtItsBeginning() {
        Fixture f;
        f.takeRun();
        QScrollBar* place = f.preview()->verticalScrollBar();
        QVERIFY(place->maximum() > 500);
        place->setValue(400);
        f.edit([](auto& settings) { settings.author = "Ada Example"; });
        f.waitFor(QStringLiteral("Ada Example"));
        QCOMPARE(place->value(), 400);
        f.panel.hide();
        f.panel.show();
        QVERIFY(!f.panel.draft().composer().isRunning());
        QCOMPARE(place->value(), 400);
        f.panel.hide();
        f.edit([](auto& settings) { settings.author = "Bob Example"; });
        test::letPass(300);
        test::letJobsEnd();
        QVERIFY(!f.shownText().contains(QStringLiteral("Bob Example")));
        f.panel.show();
        f.waitFor(QStringLiteral("Bob Example"));
        QCOMPARE(place->value(), 0);
    }

    void fieldsSettingAndLimitsShowInThePreview() {
        Fixture f;
        f.takeRun();
        QTest::keyClicks(f.control<QLineEdit>("reportAuthorLineEdit"), QStringLiteral("Ada"));
        f.control<QPlainTextEdit>("reportPurposeEdit")->setPlainText(QStringLiteral("To show"));
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 7.37882);
        f.state.edit(&ui::AnalysisSettings::limits, {*calibration::parseLimit("far.mean<=12%")});
        f.waitFor(QStringLiteral("at most 12% of the outputs are words far from the original"));
        for (const char* shown : {"Ada", "To show", "7.37882"}) {
            f.waitFor(QLatin1String(shown));
        }
    }

    void whatTheMemoLacksIsAskedFor() {
        Fixture f;
        f.takeRun();
        auto* missing = f.control<QLabel>("reportMissingLabel");
        QVERIFY2(missing->text().startsWith(QStringLiteral("Not stated yet: Author, Purpose, ")),
                 qPrintable(missing->text()));
        auto* author = f.control<QLineEdit>("reportAuthorLineEdit");
        QTest::keyClicks(author, QStringLiteral("Ada\r"));
        QVERIFY(!missing->text().contains(QStringLiteral("Author")));
        f.edit([](auto& settings) {
            settings.purpose = settings.reason = settings.textSource = "stated";
        });
        QVERIFY(!missing->isVisible());
        const embedding::Vocabulary& vocabulary = test::toySpace()->embedding().vocabulary();
        const calibration::NamedPair pair(vocabulary.word(5), vocabulary.word(9));
        f.panel.draft().setPair(pair);
        QVERIFY(missing->isVisible());
        QCOMPARE(missing->text(),
                 QStringLiteral("Left out as confidential: The odds of %1 against %2.")
                     .arg(ui::toQString(pair.first), ui::toQString(pair.second)));
        auto* box = f.control<QCheckBox>("reportPairCheckBox");
        box->click();
        QVERIFY(!missing->isVisible());
    }

    // Within the rest that typing waits for, before it is taken.
    void aTextBeingTypedOutlastsAChoice() {
        Fixture f;
        f.takeRun();
        auto* reason = f.control<QPlainTextEdit>("reportReasonEdit");
        QTest::keyClicks(reason, QStringLiteral("As asked for"));
        QVERIFY(f.panel.draft().settings().reason.empty());
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 7.5);
        QCOMPARE(reason->toPlainText(), QStringLiteral("As asked for"));
        auto* sentence = f.control<QCheckBox>("reportSentenceCheckBox");
        QTest::mouseClick(sentence, Qt::LeftButton, {}, QPoint(8, 8));
        QCOMPARE(reason->toPlainText(), QStringLiteral("As asked for"));
        QVERIFY(f.panel.draft().includesSentence() && sentence->isChecked());
        QCOMPARE(f.panel.draft().settings().reason, std::string("As asked for"));
    }

    void thePagesAreThoseOfThePdfAndOutdatedResultsHaveNone() {
        Fixture f;
        f.takeRun();
        auto* pagesButton = f.control<QPushButton>("reportPagesPushButton");
        QTRY_VERIFY_WITH_TIMEOUT(pagesButton->isEnabled(), kPatienceMs);
        const QTemporaryDir folder;
        // The dialog adds the ending.
        ui::dialogs::presetSaveFile(folder.filePath(QStringLiteral("out")));
        f.panel.execute(ui::PanelCommand::exportReport);
        QTRY_VERIFY_WITH_TIMEOUT(f.notice().contains(QStringLiteral("out.pdf")), kPatienceMs);
        QCOMPARE(ui::remembered::outputFolder(), folder.path());
        const qsizetype pages =
            test::contentOf(folder.filePath(QStringLiteral("out.pdf"))).count("/Type /Page\n");
        QVERIFY(pages >= 3);
        QTest::mouseClick(pagesButton, Qt::LeftButton);
        auto* dialog = f.control<QDialog>("reportPagesDialog");
        auto* preview = dialog->findChild<QPrintPreviewWidget*>();
        QVERIFY(preview != nullptr);
        QTRY_COMPARE_WITH_TIMEOUT(preview->pageCount(), static_cast<int>(pages), kPatienceMs);
        dialog->reject();
        auto* exportButton = f.control<QPushButton>("reportExportPushButton");
        const QGraphicsEffect* dimming = f.preview()->viewport()->graphicsEffect();
        QVERIFY(f.preview()->isEnabled() && exportButton->isEnabled() && !dimming->isEnabled());
        f.state.edit(&ui::AnalysisSettings::choose, mechanism::Mechanism(mechanism::Tem()));
        QVERIFY(!f.preview()->isEnabled() && dimming->isEnabled());
        QVERIFY(!exportButton->isEnabled() && !pagesButton->isEnabled());
        QVERIFY(exportButton->toolTip().contains(QStringLiteral("previous settings")));
        QVERIFY(f.control<QWidget>("reportStalenessLine")->isVisible());
    }
};

EPSILENS_UI_TEST(ReportPanelTest)
#include "report_panel_test.moc"
