#include <QComboBox>

#include "tests/ui/release/release_fixture.h"
#include "tests/ui/support/ui_test.h"
#include "ui/widgets/notice_line.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;

using Fixture = test::ReleaseFixture;

/// Text that is not UTF-8 in the dialog Release text.
class ReleaseEncodingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textInAnotherEncodingIsRefusedAndReadByItsName() {
        const Fixture fixture;
        // "Париж, paris" in windows-1251.
        fixture.write("text.txt", "\xCF\xE0\xF0\xE8\xE6, paris\n");
        fixture.input()->setText(fixture.path("text.txt"));
        fixture.output()->setText(fixture.path("out.txt"));
        fixture.choose("unknownComboBox", 3);
        fixture.start();
        auto* notice = fixture.dialog->findChild<NoticeLine*>();
        QTRY_VERIFY(notice->text().startsWith(
            QStringLiteral("text.txt, line 1: the text is not UTF-8, but ")));
        QVERIFY(notice->text().contains(QStringLiteral("convert it first: iconv -f ")));
        QVERIFY(notice->text().contains(QStringLiteral("choose another encoding above")));
        QCOMPARE(fixture.content("out.txt"), QByteArray("absent"));
        QCOMPARE(fixture.content("out.txt.json"), QByteArray("absent"));

        auto* encoding = findControl<QComboBox>(*fixture.dialog, "encodingComboBox");
        encoding->setCurrentText(QStringLiteral("klingon"));
        fixture.start();
        QTRY_VERIFY(notice->text().contains(QStringLiteral("not a known encoding")));
        QCOMPARE(fixture.content("out.txt"), QByteArray("absent"));

        encoding->setCurrentText(QStringLiteral("cp1251"));
        fixture.start();
        QTRY_VERIFY(!fixture.result()->isHidden());
        QCOMPARE(fixture.content("out.txt"), QByteArray("Париж, paris\n"));
        QVERIFY(fixture.details().contains(
            QStringLiteral("the text was read as windows-1251 and is written in UTF-8")));
    }

    void damagedPlacesAreReplacedWhereThatIsChosen() {
        const Fixture fixture;
        fixture.write("text.txt", "paris \xC3\xA9 \xFF \xC3\xA9 london\n");
        fixture.input()->setText(fixture.path("text.txt"));
        fixture.output()->setText(fixture.path("out.txt"));
        fixture.start();
        auto* notice = fixture.dialog->findChild<NoticeLine*>();
        QTRY_VERIFY(notice->text().contains(QStringLiteral("line 1: bytes here are damaged")));
        QCOMPARE(fixture.content("out.txt"), QByteArray("absent"));
        fixture.choose("invalidComboBox", 1);
        fixture.start();
        QTRY_VERIFY(!fixture.result()->isHidden());
        QCOMPARE(fixture.content("out.txt"), QByteArray("paris <unk> \uFFFD <unk> london\n"));
        QVERIFY(fixture.details().contains(
            QStringLiteral("⚠ 1 damaged place of the text is replaced by U+FFFD")));
    }
};

EPSILENS_UI_TEST(ReleaseEncodingTest)
#include "release_encoding_test.moc"
