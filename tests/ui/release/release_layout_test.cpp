#include <QDesktopServices>
#include <QFrame>
#include <QScreen>
#include <QToolButton>
#include <QUrl>

#include "tests/ui/release/release_fixture.h"
#include "ui/release/release_outcome.h"
#include "ui/shell/preferences.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using Fixture = test::ReleaseFixture;

/// Where things are in the dialog, and what it says in the end.
class ReleaseLayoutTest : public QObject {
    Q_OBJECT

public Q_SLOTS:
    void takeUrl(const QUrl& url) { m_opened = url.toLocalFile(); }

private Q_SLOTS:
    void cleanup() { applyTextSize(Preferences().textPercent); }

    void theButtonsStayWhereTheyAre() {
        Fixture f;
        f.dialog->show();
        const auto place = [&](const char* name) {
            const auto* button = f.button(name);
            return QRect(button->mapTo(f.dialog.get(), QPoint()), button->size());
        };
        const auto settle = [] { test::letPass(20); };
        settle();
        const QRect release = place("releasePushButton");
        const QRect close = place("closePushButton");
        const QSize size = f.dialog->size();
        const auto stays = [&] {
            settle();
            return place("releasePushButton") == release && place("closePushButton") == close &&
                   f.dialog->size() == size;
        };
        (void)f.setLimit();
        QVERIFY(stays());
        f.write("mails.tsv", QByteArray("ham\tparis london\n").repeated(300'000));
        f.dialog->offer(f.path("mails.tsv"), QStringLiteral("2"));
        QVERIFY(stays());
        f.box("outsideLimitsCheckBox")->setChecked(true);
        f.start();
        const auto* cancel = f.button("cancelReleasePushButton");
        QVERIFY(!cancel->isHidden());
        QVERIFY(stays());
        const QRect cancelPlace = place("cancelReleasePushButton");
        QVERIFY(!cancelPlace.intersects(release) && !cancelPlace.intersects(close));
        QTRY_VERIFY(!f.result()->isHidden());
        QVERIFY(stays());
        findControl<QToolButton>(*f.dialog, "releaseDetailsToggleButton")->click();
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
        Fixture f;
        (void)f.setLimit();
        f.write("mails.tsv", "ham\tparis london\n");
        f.dialog->offer(f.path("mails.tsv"), QStringLiteral("2"));
        f.dialog->show();
        QVERIFY(!findControl<QFrame>(*f.dialog, "releasePromiseBox")->isHidden());
        f.box("outsideLimitsCheckBox")->setChecked(true);
        f.release();
        const QSize room = f.dialog->screen()->availableGeometry().size();
        QVERIFY(f.dialog->height() <= room.height() * 9 / 10);
        QVERIFY(f.dialog->width() <= room.width() * 9 / 10);
        // A screen of the size of the smallest window.
        const int low = 600 * 9 / 10;
        const QSize least = f.dialog->minimumSizeHint();
        QVERIFY2(least.width() <= 960 * 9 / 10, qPrintable(QString::number(least.width())));
        QVERIFY2(least.height() <= low, qPrintable(QString::number(least.height())));
        f.dialog->resize(f.dialog->width(), low);
        test::letPass(20);
        QCOMPARE(f.dialog->height(), low);
        QVERIFY(f.dialog->rect().contains(f.button("releasePushButton")->geometry()));
    }

    /// After the result, too, every row is as high as it asks for.
    void nothingIsSquashedWhenTheResultStandsThere() {
        const Fixture f;
        f.dialog->show();
        f.open("text.txt", "paris london blorp\n");
        f.release();
        test::letPass(20);
        for (const char* name : {"releaseResultLabel", "unprotectedLabel", "releaseSettingLabel"}) {
            const QLabel* label = f.label(name);
            QVERIFY2(label->height() >= label->heightForWidth(label->width()), name);
        }
        QVERIFY(f.input()->height() >= f.input()->sizeHint().height());
    }

    void theResultNamesTheFileAndOpensItsFolder() {
        const Fixture f;
        f.dialog->show();
        f.open("text.txt", "paris blorp\n");
        f.release();
        QCOMPARE(f.field("writtenLineEdit")->text(), f.path("text.released.txt"));
        // At so much epsilon there are warnings, few enough to be read at once.
        auto* details = f.label("releaseDetailsLabel");
        QVERIFY(details->isVisible());
        QVERIFY2(details->text().startsWith(QStringLiteral("⚠ ")), qPrintable(details->text()));
        findControl<QToolButton>(*f.dialog, "releaseDetailsToggleButton")->click();
        QVERIFY(!details->isVisible());
        QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "takeUrl");
        f.button("openFolderPushButton")->click();
        QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
        QCOMPARE(m_opened, f.folder.path());
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
        const Fixture f;
        f.dialog->show();
        f.dialog->activateWindow();
        f.input()->setText(f.path("text.txt"));
        QLineEdit* output = f.output();
        QCOMPARE(output->text(), f.path("text.released.txt"));
        f.input()->setFocus();
        QTRY_VERIFY(f.input()->hasFocus());
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
        Fixture f;
        const auto* box = findControl<QFrame>(*f.dialog, "releasePromiseBox");
        const auto* text = f.label("releasePromiseLabel");
        QVERIFY2(text->text().startsWith(QStringLiteral("<b>No useful bound</b> for <i>")),
                 qPrintable(text->text()));
        // ln 1,000,000 / 1e9
        QVERIFY2(text->text().endsWith(QStringLiteral(
                     "For words at most 1.38e-08 apart they change by at most ×1,000,000.")),
                 qPrintable(text->text()));
        const auto loss = f.guarantee.lossAt(1.0);
        QVERIFY(loss && *loss > 0.0);
        // The odds of the pair change by at most e.
        f.state.edit(&AnalysisSettings::chooseEpsilon, 1.0 / *loss);
        QVERIFY(box->isHidden());
        // ln 1,000,000 = 13.8: 13 words stay below it, 14 do not.
        const auto ofWords = [&](qsizetype words) {
            f.input()->clear();
            f.open("text.txt", QByteArray("paris ").repeated(words) + "\nlondon\n");
        };
        ofWords(14);
        QTRY_VERIFY(!box->isHidden());
        QVERIFY2(text->text().contains(QStringLiteral("a line of 14 words")),
                 qPrintable(text->text()));
        QVERIFY(text->text().contains(QStringLiteral("10<sup>7</sup>")));
        QVERIFY(text->accessibleName().contains(QStringLiteral("10 to the power of 7")));
        f.settle();
        QVERIFY(f.mayStart());
        ofWords(13);
        QTRY_VERIFY(box->isHidden());
    }

private:
    QString m_opened;
};

EPSILENS_UI_TEST(ReleaseLayoutTest)
#include "release_layout_test.moc"
