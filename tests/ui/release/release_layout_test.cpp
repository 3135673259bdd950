#include <QDesktopServices>
#include <QScreen>
#include <QUrl>

#include "tests/ui/release/release_fixture.h"
#include "ui/shell/preferences.h"

using namespace epsilens;
using namespace epsilens::ui;
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
        QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "takeUrl");
        f.button("openFolderPushButton")->click();
        QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
        QCOMPARE(m_opened, f.folder.path());
    }

private:
    QString m_opened;
};

EPSILENS_UI_TEST(ReleaseLayoutTest)
#include "release_layout_test.moc"
