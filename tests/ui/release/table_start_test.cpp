#include "ui/release/table_start.h"

#include "tests/ui/release/release_fixture.h"
#include "ui/release/release_text.h"

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
        const Fixture f;
        f.write("mails", table);
        const auto start = TableStart::read(f.path("mails"), true);
        QCOMPARE(start.problemOf(columnNames(columns)), problem);
    }

    /// Whatever name is given to the file that is written.
    void theFormatThatIsWrittenIsSaid() {
        const Fixture f;
        const auto said = [&f](const QByteArray& table) {
            f.write("mails", table);
            return TableStart::read(f.path("mails"), true).previewOf({});
        };
        QVERIFY(said("ham\tgo to paris\n").contains(QStringLiteral("tabs between")));
        QVERIFY(said("ham,go to paris\n").contains(QStringLiteral("commas between")));
        QVERIFY(said("{\"id\": 1, \"text\": \"paris\"}\n")
                    .contains(QStringLiteral("a JSON object in each line")));
    }

    void labelsOfATableStayAsTheyAre() {
        const Fixture f;
        f.open("mails.tsv", "label\ttext\nspam\tparis blorp\nham\tlondon\n");
        QVERIFY(f.unprotected().contains(QStringLiteral("⚠ This is a table")));
        f.field("columnsLineEdit")->setText(QStringLiteral(" text "));
        QVERIFY(!f.unprotected().contains(QStringLiteral("This is a table")));
        f.release();
        QCOMPARE(f.content("mails.released.tsv"),
                 QByteArray("label\ttext\nspam\tparis <unk>\nham\tlondon\n"));
        QVERIFY(f.content("mails.released.tsv.json").contains("\"records\": 2"));
    }

    void aWrongColumnIsRefusedInItsFieldUntilItIsCorrected() {
        const Fixture f;
        f.dialog->show();
        f.dialog->activateWindow();
        f.open("mails.tsv", "ham\tgo to paris now\nspam\tlondon\nham\tparis\n");
        auto* columns = f.field("columnsLineEdit");
        columns->setText(QStringLiteral("text"));
        f.start();
        QVERIFY2(f.notice().text().startsWith(QStringLiteral("This file has no header line.")),
                 qPrintable(f.notice().text()));
        QVERIFY(!f.notice().text().contains(QStringLiteral("--")));
        QTRY_VERIFY(columns->hasFocus());
        columns->setText(QStringLiteral("texts"));
        QVERIFY(!f.notice().isHidden());
        columns->setText(QStringLiteral("2"));
        QVERIFY(f.notice().isHidden());
        f.release();
        QVERIFY(f.content("mails.released.tsv").startsWith("ham\t"));
    }

    void quotesThatMayEncloseFieldsAreRefusedUntilTheFormatIsChosen() {
        const Fixture f;
        f.dialog->show();
        f.open("mails.tsv", "ham\t\"paris\nspam\tlondon\n");
        f.field("columnsLineEdit")->setText(QStringLiteral("2"));
        f.start();
        QTRY_VERIFY2(f.notice().text().contains(QStringLiteral("odd number of quotes")),
                     qPrintable(f.notice().text()));
        QVERIFY(f.notice().text().contains(QStringLiteral("the table format tsv-quoted")));
        QVERIFY(!f.notice().text().contains(QStringLiteral("--")));
        auto* format = findControl<QComboBox>(*f.dialog, "tableFormatComboBox");
        format->setCurrentText(QStringLiteral("tsv"));
        f.release();
        QVERIFY(f.content("mails.released.tsv").startsWith("ham\t\""));
    }

    void theFirstTwoRowsShowWhatIsReleased() {
        const Fixture f;
        auto* preview = f.label("previewLabel");
        f.open("text.txt", "paris, london\n");
        QVERIFY(preview->isHidden());
        f.write("mails.csv", "label,text\nham,\"<b> & \"\"paris\"\"\"\nspam,london\nham,rome\n");
        f.input()->setText(f.path("mails.csv"));
        f.field("columnsLineEdit")->setText(QStringLiteral("text"));
        const QString shown = preview->text();
        QVERIFY(!preview->isHidden());
        for (const char* part : {"label: copied, unprotected", "text: released",
                                 "&lt;b&gt; &amp; &quot;paris&quot;", "spam", "london"}) {
            QVERIFY2(shown.contains(QLatin1String(part)), qPrintable(shown));
        }
        QVERIFY2(!shown.contains(QStringLiteral("rome")), qPrintable(shown));
        // As high as its rows: the next field follows.
        constexpr int kMostBetween = 20;
        f.dialog->show();
        const auto room = [&] {
            return f.output()->mapTo(f.dialog.get(), QPoint()).y() -
                   preview->mapTo(f.dialog.get(), QPoint(0, preview->height())).y();
        };
        QTRY_COMPARE(preview->height(), preview->heightForWidth(preview->width()));
        QTRY_VERIFY2(room() >= 0 && room() <= kMostBetween, qPrintable(QString::number(room())));
        // Three rows with their padding, and the format.
        constexpr int kMostLines = 7;
        QTRY_VERIFY(preview->height() <= kMostLines * preview->fontMetrics().lineSpacing());
    }

    void whatIsOpenElsewhereIsTakenOverUnlessAnotherTextIsNamed() {
        const Fixture f;
        auto* columns = f.field("columnsLineEdit");
        f.dialog->offer(f.path("mails.tsv"), QStringLiteral("2"));
        QCOMPARE(f.input()->text(), f.path("mails.tsv"));
        QCOMPARE(columns->text(), QStringLiteral("2"));
        QCOMPARE(f.output()->text(), f.path("mails.released.tsv"));
        f.dialog->offer(f.path("other.tsv"), QStringLiteral("text"));
        QCOMPARE(f.input()->text(), f.path("other.tsv"));
        QCOMPARE(columns->text(), QStringLiteral("text"));
        f.input()->setText(f.path("mine.txt"));
        QCOMPARE(columns->text(), QString());
        f.dialog->offer(f.path("mails.tsv"), QStringLiteral("2"));
        QCOMPARE(f.input()->text(), f.path("mine.txt"));
        QCOMPARE(columns->text(), QString());
    }
};

EPSILENS_UI_TEST(TableStartTest)
#include "table_start_test.moc"
