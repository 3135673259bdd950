#include "ui/release/release_outcome.h"

#include <QCheckBox>
#include <QDesktopServices>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QToolButton>
#include <QUrl>

#include "tests/ui/release/release_fixture.h"
#include "ui/shell/preferences.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using Fixture = test::ReleaseFixture;

namespace {

/// A limit that no setting of the fixture is known to meet: its box is shown.
void addLimit(Fixture& fixture) {
    fixture.state.edit(&AnalysisSettings::limits, {*calibration::parseLimit("nw.p95<=50%")});
}

}  // namespace

/// Where things are in the dialog, and what it says in the end.
class ReleaseOutcomeTest : public QObject {
    Q_OBJECT

public Q_SLOTS:
    void takeUrl(const QUrl& url) { m_opened = url.toLocalFile(); }

private Q_SLOTS:
    void cleanup() { applyTextSize(Preferences().textPercent); }

    void theButtonsStayWhereTheyAre() {
        Fixture fixture;
        fixture.dialog->show();
        const auto place = [&](const char* name) {
            const auto* button = findControl<QPushButton>(*fixture.dialog, name);
            return QRect(button->mapTo(fixture.dialog.get(), QPoint()), button->size());
        };
        const auto settle = [] { test::letPass(20); };
        settle();
        const QRect release = place("releasePushButton");
        const QRect close = place("closePushButton");
        const QSize size = fixture.dialog->size();
        const auto stays = [&] {
            settle();
            return place("releasePushButton") == release && place("closePushButton") == close &&
                   fixture.dialog->size() == size;
        };
        addLimit(fixture);
        QVERIFY(stays());
        fixture.write("mails.tsv", QByteArray("ham\tparis london\n").repeated(300'000));
        fixture.dialog->offer(fixture.path("mails.tsv"), QStringLiteral("2"));
        QVERIFY(stays());
        findControl<QCheckBox>(*fixture.dialog, "outsideLimitsCheckBox")->setChecked(true);
        fixture.start();
        const auto* cancel = findControl<QPushButton>(*fixture.dialog, "cancelReleasePushButton");
        QVERIFY(!cancel->isHidden());
        QVERIFY(stays());
        const QRect cancelPlace = place("cancelReleasePushButton");
        QVERIFY(!cancelPlace.intersects(release) && !cancelPlace.intersects(close));
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.result()->isHidden(), test::kPatienceMs);
        QVERIFY(stays());
        findControl<QToolButton>(*fixture.dialog, "releaseDetailsToggleButton")->click();
        QVERIFY(stays());
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void itFitsTheScreenWithEverythingShown_data() {
        QTest::addColumn<int>("textPercent");
        QTest::newRow("usual text") << Preferences().textPercent;
        QTest::newRow("large text") << 160;
    }
    void itFitsTheScreenWithEverythingShown() {
        QFETCH(const int, textPercent);
        applyTextSize(textPercent);
        Fixture fixture;
        addLimit(fixture);
        fixture.write("mails.tsv", "ham\tparis london\n");
        fixture.dialog->offer(fixture.path("mails.tsv"), QStringLiteral("2"));
        fixture.dialog->show();
        QVERIFY(!findControl<QFrame>(*fixture.dialog, "releasePromiseBox")->isHidden());
        findControl<QCheckBox>(*fixture.dialog, "outsideLimitsCheckBox")->setChecked(true);
        fixture.start();
        QTRY_VERIFY(!fixture.result()->isHidden());
        const QSize room = fixture.dialog->screen()->availableGeometry().size();
        QVERIFY(fixture.dialog->height() <= room.height() * 9 / 10);
        QVERIFY(fixture.dialog->width() <= room.width() * 9 / 10);
        // A screen of the size of the smallest window.
        const int low = 600 * 9 / 10;
        const QSize least = fixture.dialog->minimumSizeHint();
        QVERIFY2(least.width() <= 960 * 9 / 10, qPrintable(QString::number(least.width())));
        QVERIFY2(least.height() <= low, qPrintable(QString::number(least.height())));
        fixture.dialog->resize(fixture.dialog->width(), low);
        test::letPass(20);
        QCOMPARE(fixture.dialog->height(), low);
        QVERIFY(fixture.dialog->rect().contains(fixture.release()->geometry()));
    }

    void theResultNamesTheFileAndOpensItsFolder() {
        const Fixture fixture;
        fixture.dialog->show();
        fixture.write("text.txt", "paris blorp\n");
        fixture.input()->setText(fixture.path("text.txt"));
        fixture.start();
        QTRY_VERIFY(!fixture.result()->isHidden());
        QCOMPARE(fixture.result()->text(),
                 QStringLiteral("1 of 2 words drawn by the mechanism; 1 of them came out "
                                "unchanged. Not drawn: 1 unknown masked."));
        QCOMPARE(findControl<QLineEdit>(*fixture.dialog, "writtenLineEdit")->text(),
                 fixture.path("text.released.txt"));
        // At so much epsilon there are warnings, few enough to be read at once.
        auto* details = findControl<QLabel>(*fixture.dialog, "releaseDetailsLabel");
        QVERIFY(details->isVisible());
        QVERIFY2(details->text().startsWith(QStringLiteral("⚠ ")), qPrintable(details->text()));
        findControl<QToolButton>(*fixture.dialog, "releaseDetailsToggleButton")->click();
        QVERIFY(!details->isVisible());
        QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "takeUrl");
        findControl<QPushButton>(*fixture.dialog, "openFolderPushButton")->click();
        QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
        QCOMPARE(m_opened, fixture.folder.path());
    }

    void fewWarningsAreShownAndManyCounted() {
        ReleaseOutcome outcome;
        const auto* section = findControl<QToolButton>(outcome, "releaseDetailsToggleButton");
        const auto isOpenWith = [&](int warnings) {
            ReleaseOutcomeText text{QStringLiteral("done"), {}, warnings};
            text.details.fill(QStringLiteral("a remark"), 5);
            outcome.showResult(text, QStringLiteral("out.txt"));
            return section->isChecked();
        };
        QVERIFY(!isOpenWith(0));
        QVERIFY(isOpenWith(1) && isOpenWith(3));
        QVERIFY(!isOpenWith(4));
        QVERIFY(section->text().contains(QStringLiteral("⚠ 4 warnings")));
    }

    void typingReplacesTheSuggestedName() {
        const Fixture fixture;
        fixture.dialog->show();
        fixture.dialog->activateWindow();
        fixture.input()->setText(fixture.path("text.txt"));
        QLineEdit* output = fixture.output();
        QCOMPARE(output->text(), fixture.path("text.released.txt"));
        fixture.input()->setFocus();
        QTRY_VERIFY(fixture.input()->hasFocus());
        QTest::mouseClick(output, Qt::LeftButton, {}, QPoint(20, output->height() / 2));
        QTRY_COMPARE(output->selectedText(), output->text());
        QTest::keyClicks(output, QStringLiteral("mine.txt"));
        QCOMPARE(output->text(), QStringLiteral("mine.txt"));
        // A second click places the cursor, as everywhere.
        QTest::mouseClick(output, Qt::LeftButton, {}, QPoint(20, output->height() / 2));
        test::letPass(20);
        QCOMPARE(output->selectedText(), QString());
    }

    /// The distance of the two words is that of the toy vectors; what follows from it is computed
    /// here.
    void theBoxOfTheDialStandsAboveTheButton() {
        Fixture fixture;
        const auto* box = findControl<QFrame>(*fixture.dialog, "releasePromiseBox");
        const auto* text = findControl<QLabel>(*fixture.dialog, "releasePromiseLabel");
        QVERIFY2(text->text().startsWith(QStringLiteral("<b>No useful bound</b> for <i>")),
                 qPrintable(text->text()));
        // ln 1,000,000 / 1e9
        QVERIFY2(text->text().endsWith(QStringLiteral(
                     "For words at most 1.38e-08 apart they change by at most ×1,000,000.")),
                 qPrintable(text->text()));
        const auto loss = fixture.guarantee.lossAt(1.0);
        QVERIFY(loss && *loss > 0.0);
        // The odds of the pair change by at most e.
        fixture.state.edit(&AnalysisSettings::chooseEpsilon, 1.0 / *loss);
        QVERIFY(box->isHidden());
        // ln 1,000,000 = 13.8: 13 words stay below it, 14 do not.
        const auto ofWords = [&](qsizetype words) {
            fixture.write("text.txt", QByteArray("paris ").repeated(words) + "\nlondon\n");
            fixture.input()->setText(QString());
            fixture.input()->setText(fixture.path("text.txt"));
        };
        ofWords(14);
        QTRY_VERIFY(!box->isHidden());
        QVERIFY2(text->text().contains(QStringLiteral("a line of 14 words")),
                 qPrintable(text->text()));
        QVERIFY(text->text().contains(QStringLiteral("10<sup>7</sup>")));
        QVERIFY(text->accessibleName().contains(QStringLiteral("10 to the power of 7")));
        fixture.settle();
        QVERIFY(fixture.release()->isEnabled());
        ofWords(13);
        QTRY_VERIFY(box->isHidden());
    }

private:
    QString m_opened;
};

EPSILENS_UI_TEST(ReleaseOutcomeTest)
#include "release_outcome_test.moc"
