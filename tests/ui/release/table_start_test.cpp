#include "ui/release/table_start.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

#include "tests/ui/release/release_fixture.h"
#include "ui/release/release_text.h"
#include "ui/widgets/notice_line.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using Fixture = test::ReleaseFixture;

/// Tables in the dialog: what is released of them, and what is said of columns they do not have.
class TableStartTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void columnsThatAFileDoesNotHaveAreToldInItsWords_data() {
        QTest::addColumn<QByteArray>("table");
        QTest::addColumn<QString>("columns");
        QTest::addColumn<QString>("problem");
        const QByteArray bare = "ham\tgo to paris now\nspam\twin a prize\nham\tlondon calls\n";
        const QByteArray named = "label\ttext\nham\tgo to paris\nspam\twin a prize\n";
        QTest::newRow("no header line")
            << bare << QStringLiteral("text")
            << QStringLiteral(
                   "This file has no header line. Give the column's number, for example "
                   "2.");
        QTest::newRow("another name")
            << named << QStringLiteral("message")
            << QStringLiteral(
                   "This file has no column “message”. Its columns are “label”, "
                   "“text”.");
        QTest::newRow("number too large")
            << bare << QStringLiteral("3")
            << QStringLiteral("This file has 2 columns. Give a number from 1 to 2.");
        QTest::newRow("zero") << bare << QStringLiteral("0")
                              << QStringLiteral(
                                     "This file has 2 columns. Give a number from 1 to "
                                     "2.");
        QTest::newRow("both") << named << QStringLiteral("text, 1")
                              << QStringLiteral(
                                     "Give the names of the columns or their numbers, "
                                     "not both.");
        QTest::newRow("twice")
            << QByteArray("a\ta\nx\ty\n") << QStringLiteral("a")
            << QStringLiteral(
                   "More than one column of this file is called “a”. Rename the others "
                   "in the file.");
        QTest::newRow("name") << named << QStringLiteral("text") << QString();
        QTest::newRow("number") << bare << QStringLiteral("1, 2") << QString();
        QTest::newRow("members of objects")
            << QByteArray("{\"id\": 1, \"text\": \"paris\"}\n") << QStringLiteral("body")
            << QStringLiteral("This file has no column “body”. Its columns are “id”, “text”.");
    }
    void columnsThatAFileDoesNotHaveAreToldInItsWords() {
        QFETCH(const QByteArray, table);
        QFETCH(const QString, columns);
        QFETCH(const QString, problem);
        const Fixture fixture;
        fixture.write("mails", table);
        const auto start = TableStart::read(fixture.path("mails"), true);
        QCOMPARE(start.problemOf(columnNames(columns)), problem);
    }

    /// Whatever name is given to the file that is written.
    void theFormatThatIsWrittenIsSaid() {
        const Fixture fixture;
        const auto said = [&fixture](const QByteArray& table) {
            fixture.write("mails", table);
            return TableStart::read(fixture.path("mails"), true).previewOf({});
        };
        QVERIFY(said("ham\tgo to paris\n").contains(QStringLiteral("tabs between")));
        QVERIFY(said("ham,go to paris\n").contains(QStringLiteral("commas between")));
        QVERIFY(said("{\"id\": 1, \"text\": \"paris\"}\n")
                    .contains(QStringLiteral("a JSON object in each line")));
    }

    void aWrongColumnIsRefusedInItsFieldUntilItIsCorrected() {
        const Fixture fixture;
        fixture.dialog->show();
        fixture.dialog->activateWindow();
        fixture.write("mails.tsv", "ham\tgo to paris now\nspam\tlondon\nham\tparis\n");
        fixture.input()->setText(fixture.path("mails.tsv"));
        auto* columns = findControl<QLineEdit>(*fixture.dialog, "columnsLineEdit");
        columns->setText(QStringLiteral("text"));
        fixture.start();
        const auto* notice = fixture.dialog->findChild<NoticeLine*>();
        QVERIFY2(notice->text().startsWith(QStringLiteral("This file has no header line.")),
                 qPrintable(notice->text()));
        QVERIFY(!notice->text().contains(QStringLiteral("--")));
        QTRY_VERIFY(columns->hasFocus());
        columns->setText(QStringLiteral("texts"));
        QVERIFY(!notice->isHidden());
        columns->setText(QStringLiteral("2"));
        QVERIFY(notice->isHidden());
        fixture.start();
        QTRY_VERIFY(!fixture.result()->isHidden());
        QVERIFY(fixture.content("mails.released.tsv").startsWith("ham\t"));
    }

    void quotesThatMayEncloseFieldsAreRefusedUntilTheFormatIsChosen() {
        const Fixture fixture;
        fixture.dialog->show();
        fixture.write("mails.tsv", "ham\t\"paris\nspam\tlondon\n");
        fixture.input()->setText(fixture.path("mails.tsv"));
        findControl<QLineEdit>(*fixture.dialog, "columnsLineEdit")->setText(QStringLiteral("2"));
        fixture.start();
        const auto* notice = fixture.dialog->findChild<NoticeLine*>();
        QTRY_VERIFY2(notice->text().contains(QStringLiteral("odd number of quotes")),
                     qPrintable(notice->text()));
        QVERIFY(notice->text().contains(QStringLiteral("the table format tsv-quoted")));
        QVERIFY(!notice->text().contains(QStringLiteral("--")));
        auto* format = findControl<QComboBox>(*fixture.dialog, "tableFormatComboBox");
        format->setCurrentText(QStringLiteral("tsv"));
        fixture.start();
        QTRY_VERIFY(!fixture.result()->isHidden());
        QVERIFY(fixture.content("mails.released.tsv").startsWith("ham\t\""));
    }

    void theFirstTwoRowsShowWhatIsReleased() {
        const Fixture fixture;
        auto* preview = findControl<QLabel>(*fixture.dialog, "previewLabel");
        fixture.write("text.txt", "paris, london\n");
        fixture.input()->setText(fixture.path("text.txt"));
        QVERIFY(preview->isHidden());
        fixture.write("mails.csv",
                      "label,text\nham,\"<b> & \"\"paris\"\"\"\nspam,london\nham,rome\n");
        fixture.input()->setText(fixture.path("mails.csv"));
        findControl<QLineEdit>(*fixture.dialog, "columnsLineEdit")->setText(QStringLiteral("text"));
        const QString shown = preview->text();
        QVERIFY(!preview->isHidden());
        for (const char* part : {"label: copied, unprotected", "text: released",
                                 "&lt;b&gt; &amp; &quot;paris&quot;", "spam", "london"}) {
            QVERIFY2(shown.contains(QLatin1String(part)), qPrintable(shown));
        }
        QVERIFY2(!shown.contains(QStringLiteral("rome")), qPrintable(shown));
        // As high as its rows: the next field follows.
        constexpr int kMostBetween = 20;
        fixture.dialog->show();
        const auto room = [&] {
            return fixture.output()->mapTo(fixture.dialog.get(), QPoint()).y() -
                   preview->mapTo(fixture.dialog.get(), QPoint(0, preview->height())).y();
        };
        QTRY_COMPARE(preview->height(), preview->heightForWidth(preview->width()));
        QTRY_VERIFY2(room() >= 0 && room() <= kMostBetween, qPrintable(QString::number(room())));
        // Three rows with their padding, and the format.
        constexpr int kMostLines = 7;
        QTRY_VERIFY(preview->height() <= kMostLines * preview->fontMetrics().lineSpacing());
    }

    void whatIsOpenElsewhereIsTakenOverUnlessAnotherTextIsNamed() {
        const Fixture fixture;
        auto* columns = findControl<QLineEdit>(*fixture.dialog, "columnsLineEdit");
        fixture.dialog->offer(fixture.path("mails.tsv"), QStringLiteral("2"));
        QCOMPARE(fixture.input()->text(), fixture.path("mails.tsv"));
        QCOMPARE(columns->text(), QStringLiteral("2"));
        QCOMPARE(fixture.output()->text(), fixture.path("mails.released.tsv"));
        fixture.dialog->offer(fixture.path("other.tsv"), QStringLiteral("text"));
        QCOMPARE(fixture.input()->text(), fixture.path("other.tsv"));
        QCOMPARE(columns->text(), QStringLiteral("text"));
        fixture.input()->setText(fixture.path("mine.txt"));
        QCOMPARE(columns->text(), QString());
        fixture.dialog->offer(fixture.path("mails.tsv"), QStringLiteral("2"));
        QCOMPARE(fixture.input()->text(), fixture.path("mine.txt"));
        QCOMPARE(columns->text(), QString());
    }
};

EPSILENS_UI_TEST(TableStartTest)
#include "table_start_test.moc"
