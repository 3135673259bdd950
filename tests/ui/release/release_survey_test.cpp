#include "tests/ui/release/release_fixture.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::ReleaseFixture;

/// What is told of a text or table before it is released.
class ReleaseSurveyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void unknownWordsAreToldBeforeTheStart() {
        const ReleaseFixture f;
        f.open("text.txt", "paris lol london\nLOL blorp u paris\n");
        // By hand: 7 words, 4 of them not among the toy words.
        QVERIFY(
            f.saysInSurvey("7 words in 2 lines. 57 of 100 words are unknown and "
                           "would be masked, most often: lol (2), blorp (1), u (1)."));
        QVERIFY(!f.isHidden("releaseSurveyLabel"));
        QCOMPARE(f.find<QLabel>("releaseSurveyLabel").textFormat(), Qt::PlainText);
        QCOMPARE(f.content("text.released.txt"), "absent");
        f.choose("unknownComboBox", 3);
        QVERIFY(f.saysInSurvey("would stay as they are, unprotected"));
        f.release();
        QVERIFY(f.isHidden("releaseSurveyLabel"));
    }

    /// So much epsilon keeps every word that is known.
    void tenRowsAreShownBeforeAndAfter() {
        const ReleaseFixture f;
        f.open("text.txt", "paris blorp\n" + QByteArray("london\n").repeated(20));
        QVERIFY(f.says("exampleLabel", "<td>paris blorp</td><td>paris &lt;unk&gt;</td>"));
        QCOMPARE(f.text("exampleLabel").count("<td>london</td><td>london</td>"), 9);
        f.input().clear();
        QVERIFY(f.isHidden("exampleLabel"));
    }

    /// The distance of the two words is that of the toy vectors; what follows from it is computed
    /// here.
    void whatIsPromisedIsToldBeforeTheStart() {
        ReleaseFixture f;
        QVERIFY(test::begins(f.survey(), "⚠ No useful bound for "));
        // ln 1,000,000 / 1e9
        QVERIFY(test::ends(f.survey(),
                           "For words at most 1.38e-08 apart they change by at most ×1,000,000."));
        const auto loss = f.guarantee.lossAt(1.0);
        QVERIFY(loss && *loss > 0.0);
        // The odds of the pair change by at most e.
        f.chooseEpsilon(1.0 / *loss);
        QVERIFY2(f.survey().isEmpty(), qPrintable(f.survey()));
        // ln 1,000,000 = 13.8: 13 words stay below it, 14 do not.
        const auto ofWords = [&](qsizetype words) {
            f.input().clear();
            f.open("text.txt", QByteArray("paris ").repeated(words) + "\nlondon\n");
            f.settle();
            return f.survey();
        };
        QVERIFY(
            ofWords(13).contains("Longest line, 13 words, against one that differs in each as "));
        const QString of14 = ofWords(14);
        QVERIFY(
            test::holds(of14, "⚠ Longest line, 14 words, against one that differs in each as ") &&
            test::holds(of14, ": no useful bound, up to 10⁷."));
        QVERIFY(f.mayStart());
        // The longest of the whole text.
        f.chooseEpsilon(0.01);
        f.open("long.txt",
               QByteArray("paris blorp\n").repeated(50'000) + "paris london paris london paris\n");
        QVERIFY(f.saysInSurvey("Median line, 1 word, against one that differs in each as "));
        QVERIFY(f.saysInSurvey("Longest line, 5 words, against one that differs in each as "));
        QVERIFY(f.survey().contains(": odds at most ×1."));
    }

    void onlyWhatChangesTheTextIsReadAnew() {
        ReleaseFixture f;
        f.open("text.txt", "paris blorp\n");
        f.settle();
        f.chooseEpsilon(1.0);
        QVERIFY(f.mayStart());
        f.choose("unknownComboBox", 2);
        QVERIFY(!f.mayStart());
        QCOMPARE(f.survey(), "Reading the whole text: 0%");
        QVERIFY(f.saysInSurvey("would be left out"));
        f.input().setText(f.path("none.txt"));
        QVERIFY(!f.survey().contains("left out"));
    }

    void howMuchIsUnknownIsSaid() {
        release::TextSurvey survey;
        survey.counts.words = 1'000;
        survey.counts.lines = 1;
        survey.counts.replaced = 1'000;
        const auto text = [&] { return surveyText(survey, release::UnknownPolicy::mask, false); };
        QCOMPARE(text(), "1,000 words in 1 line, none of them unknown.");
        survey.mostUnknown = {{"blorp", 1}};
        survey.counts.replaced = 0;
        survey.isUnknownPartial = true;
        survey.differentUnknown = 345;
        QVERIFY(test::ends(text(),
                           "100 of 100 words are unknown and would be "
                           "masked, most often: blorp (1) (among the first "
                           "345 different ones)."));
    }

    void commonWordsThatAreUnknownAreWarnedOf() {
        release::TextSurvey survey;
        survey.counts.words = 10'000;
        survey.counts.lines = 2;
        survey.counts.replaced = 8'000;
        survey.mostUnknown = {{"to", 1'200}, {"lol", 99}};
        const auto warning = [&](release::UnknownPolicy policy) {
            const QString text = surveyText(survey, policy, false);
            const qsizetype begin = text.indexOf('\n');
            return begin < 0 ? QString() : text.mid(begin + 1);
        };
        QCOMPARE(warning(release::UnknownPolicy::mask),
                 "⚠ “to”, a common word of this text, is unknown and would be "
                 "masked, 1,200 times: is this the right embedding or letter "
                 "case?");
        survey.mostUnknown.insert(survey.mostUnknown.begin() + 1, {"a", 300});
        QCOMPARE(warning(release::UnknownPolicy::drop),
                 "⚠ “to”, “a” are common words of this text, unknown, and would be "
                 "left out, 1,500 times in all: is this the right embedding or "
                 "letter case?");
        for (const char* word : {"and", "the", "of", "in", "is"}) {
            survey.mostUnknown.insert(survey.mostUnknown.begin() + 2, {word, 100});
        }
        QVERIFY(test::begins(warning(release::UnknownPolicy::mask),
                             "⚠ “to”, “a”, “is”, “in”, “of”, 2 more are"));
        // Five are named above it.
        QVERIFY(surveyText(survey, release::UnknownPolicy::mask, false)
                    .contains("most often: to (1,200), a (300), is (100), in (100), "
                              "of (100).\n"));
        survey.mostUnknown = {{"lol", 99}};
        QCOMPARE(warning(release::UnknownPolicy::mask), QString());
    }

    void nothingIsReleasedBeforeTheTextHasBeenRead() {
        const ReleaseFixture f;
        f.open("text.txt", QByteArray("paris blorp\n").repeated(200'000));
        QVERIFY(test::begins(f.survey(), "Reading the whole text"));
        QVERIFY(!f.mayStart());
        QVERIFY(f.find("releasePushButton").toolTip().contains("has been read"));
        QTRY_VERIFY(f.mayStart());
        QVERIFY(test::begins(f.survey(), "400,000 words"));
        QVERIFY(!f.find("releasePushButton").toolTip().contains("has been read"));
        // What cannot be read is refused by the release itself.
        f.open("damaged.txt", QByteArray("\xff\xfe\xff\n"));
        QTRY_VERIFY(f.mayStart());
        QVERIFY(test::begins(f.survey(), "✗ damaged.txt"));
    }

    void theFormatThatIsWrittenIsSaid() {
        const ReleaseFixture f;
        const auto said = [&f](const QByteArray& table) {
            f.input().clear();
            f.open("mails", table, "1");
            return f.text("previewLabel");
        };
        QVERIFY(said("ham\tgo to paris\n").endsWith("as it is read: tsv."));
        QVERIFY(said("ham,go to paris\n").endsWith("as it is read: csv."));
        QVERIFY(said("{\"id\": 1, \"text\": \"paris\"}\n").endsWith("as it is read: jsonl."));
    }

    void labelsOfATableStayAsTheyAre() {
        const ReleaseFixture f;
        f.open("mails.tsv", "label\ttext\nspam\tparis blorp\nham\tlondon\n");
        QVERIFY(f.saysInSurvey("7 words in 3 lines."));
        QVERIFY(f.unprotected().contains("⚠ This is a table"));
        f.set("columnsLineEdit", " text ");
        QVERIFY(!f.unprotected().contains("This is a table"));
        QVERIFY(
            f.saysInSurvey("3 words in 2 rows. 33 of 100 words are unknown and would be "
                           "masked, most often: blorp (1)."));
        f.release();
        QCOMPARE(f.content("mails.released.tsv"), "label\ttext\nspam\tparis <unk>\nham\tlondon\n");
        QVERIFY(f.content("mails.released.tsv.json").contains("\"records\": 2"));
    }

    void aWrongColumnIsToldAndRefused() {
        const ReleaseFixture f;
        f.open("mails.tsv", "ham\tgo to paris now\nspam\tlondon\nham\tparis\n", "text");
        QVERIFY(f.saysInSurvey("the first line must have \"text\" once"));
        f.refuse("must have \"text\" once", "mails.released.tsv");
        QVERIFY(!f.notice().text().contains("--"));
        f.set("columnsLineEdit", "2");
        QVERIFY(f.notice().isHidden());
        f.release();
        QVERIFY(f.content("mails.released.tsv").startsWith("ham\t"));
    }

    void quotesThatMayEncloseFieldsAreRefusedUntilTheFormatIsChosen() {
        const ReleaseFixture f;
        f.dialog->show();
        f.open("mails.tsv", "ham\t\"paris\nspam\tlondon\"\n", "2");
        QVERIFY(f.saysInSurvey("odd number of quotes"));
        f.refuse("odd number of quotes", "mails.released.tsv");
        QVERIFY(f.notice().text().contains("the table format tsv-quoted"));
        QVERIFY(!f.notice().text().contains("--"));
        // Said once, also after the text has been read again.
        f.settle();
        QVERIFY2(!f.survey().contains("quotes"), qPrintable(f.survey()));
        f.find<QComboBox>("tableFormatComboBox").setCurrentText("tsv");
        f.release();
        QVERIFY(f.content("mails.released.tsv").startsWith("ham\t\""));
        // Those that cannot are text, as Texts takes them.
        f.choose("tableFormatComboBox", 0);
        f.open("sms.tsv", "ham\t\"paris\nspam\tlondon\n", "2");
        f.release();
        QCOMPARE(f.content("sms.released.tsv"), "ham\t\"paris\nspam\tlondon\n");
    }

    void theFirstTwoRowsShowWhatIsReleased() {
        const ReleaseFixture f;
        f.open("text.txt", "paris, london\n");
        QVERIFY(f.isHidden("previewLabel"));
        f.open("mails.csv", "label,text\nham,\"<b> & \"\"paris\"\"\"\nspam,london\nham,rome\n",
               "text");
        const QString shown = f.text("previewLabel");
        QVERIFY(!f.isHidden("previewLabel"));
        for (const char* part : {"label: copied, unprotected", "text: released",
                                 "&lt;b&gt; &amp; &quot;paris&quot;", "spam", "london"}) {
            QVERIFY(test::holds(shown, part));
        }
        QVERIFY2(!shown.contains("rome"), qPrintable(shown));
    }

    void whatIsOpenElsewhereIsTakenOverUnlessAnotherTextIsNamed() {
        const ReleaseFixture f;
        const auto names = [&f](const char* file, const char* columns) {
            return f.input().text() == f.path(file) && f.text("columnsLineEdit") == columns;
        };
        f.dialog->suggestFile(f.path("mails.tsv"), "2");
        QVERIFY(names("mails.tsv", "2"));
        QCOMPARE(f.output().text(), f.path("mails.released.tsv"));
        f.dialog->suggestFile(f.path("other.tsv"), "text");
        QVERIFY(names("other.tsv", "text"));
        f.input().setText(f.path("mine.txt"));
        QVERIFY(names("mine.txt", ""));
        f.dialog->suggestFile(f.path("mails.tsv"), "2");
        QVERIFY(names("mine.txt", ""));
    }
};

EPSILENS_UI_TEST(ReleaseSurveyTest)
#include "release_survey_test.moc"
