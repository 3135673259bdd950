#include "tests/ui/release/release_fixture.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using Fixture = test::ReleaseFixture;

/// Tables in the dialog: what is released of them.
class TablePreviewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Whatever name is given to the file that is written.
    void theFormatThatIsWrittenIsSaid() {
        const Fixture f;
        const auto said = [&f](const QByteArray& table) {
            f.open("mails", table);
            f.field("columnsLineEdit")->setText(QStringLiteral("1"));
            const QString text = f.label("previewLabel")->text();
            f.input()->clear();
            f.field("columnsLineEdit")->clear();
            return text;
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

    void aWrongColumnIsToldAndRefused() {
        const Fixture f;
        f.open("mails.tsv", "ham\tgo to paris now\nspam\tlondon\nham\tparis\n");
        auto* columns = f.field("columnsLineEdit");
        columns->setText(QStringLiteral("text"));
        QTRY_VERIFY2(f.survey().contains(QStringLiteral("the first line must have \"text\" once")),
                     qPrintable(f.survey()));
        f.start();
        QTRY_VERIFY(f.notice().text().contains(QStringLiteral("must have \"text\" once")));
        QVERIFY(!f.notice().text().contains(QStringLiteral("--")));
        QCOMPARE(f.content("mails.released.tsv"), QByteArray("absent"));
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

EPSILENS_UI_TEST(TablePreviewTest)
#include "table_preview_test.moc"
