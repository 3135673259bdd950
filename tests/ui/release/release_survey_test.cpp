#include "tests/ui/release/release_fixture.h"
#include "ui/release/release_text.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using Fixture = test::ReleaseFixture;

/// What is told of a text before it is released.
class ReleaseSurveyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void unknownWordsAreToldBeforeTheStart() {
        const Fixture f;
        f.open("text.txt", "paris lol london\nLOL blorp u paris\n");
        const auto* survey = f.label("releaseSurveyLabel");
        // By hand: 7 words, 4 of them not among the toy words.
        QTRY_VERIFY2(survey->text().startsWith(
                         QStringLiteral("7 words in 2 lines. 57% of the words are unknown and "
                                        "would be masked, most often: lol (2), blorp (1), u (1).")),
                     qPrintable(survey->text()));
        QVERIFY(!survey->isHidden());
        QCOMPARE(survey->textFormat(), Qt::PlainText);
        QCOMPARE(f.content("text.released.txt"), QByteArray("absent"));
        f.choose("unknownComboBox", 3);
        QTRY_VERIFY(survey->text().contains(QStringLiteral("would stay as they are, unprotected")));
        f.release();
        QVERIFY(survey->isHidden());
    }

    /// The beginning alone would not show it.
    void theLongestLineIsThatOfTheWholeText() {
        Fixture f;
        f.state.edit(&AnalysisSettings::chooseEpsilon, 0.01);
        f.open("text.txt",
               QByteArray("paris blorp\n").repeated(50'000) + "paris london paris london paris\n");
        QTRY_VERIFY2(f.survey().contains(QStringLiteral("Longest line, 5 words: against one")),
                     qPrintable(f.survey()));
        QVERIFY(f.survey().contains(QStringLiteral("the odds change by at most ×1.")));
    }

    /// The distance of the two words is that of the toy vectors; what follows from it is computed
    /// here.
    void whatIsPromisedIsToldBeforeTheStart() {
        Fixture f;
        QVERIFY2(f.survey().startsWith(QStringLiteral("⚠ No useful bound for ")),
                 qPrintable(f.survey()));
        // ln 1,000,000 / 1e9
        QVERIFY2(f.survey().endsWith(QStringLiteral(
                     "For words at most 1.38e-08 apart they change by at most ×1,000,000.")),
                 qPrintable(f.survey()));
        const auto loss = f.guarantee.lossAt(1.0);
        QVERIFY(loss && *loss > 0.0);
        // The odds of the pair change by at most e.
        f.state.edit(&AnalysisSettings::chooseEpsilon, 1.0 / *loss);
        QVERIFY2(f.survey().isEmpty(), qPrintable(f.survey()));
        // ln 1,000,000 = 13.8: 13 words stay below it, 14 do not.
        const auto ofWords = [&](qsizetype words) {
            f.input()->clear();
            f.open("text.txt", QByteArray("paris ").repeated(words) + "\nlondon\n");
            f.settle();
            return f.survey();
        };
        QVERIFY(ofWords(13).contains(QStringLiteral("Longest line, 13 words: against one")));
        const QString of14 = ofWords(14);
        QVERIFY2(of14.contains(QStringLiteral("⚠ Longest line, 14 words: no useful bound.")) &&
                     of14.endsWith(QStringLiteral("by up to 10⁷.")),
                 qPrintable(of14));
        QVERIFY(f.mayStart());
    }

    void aTableIsToldOfItsColumns() {
        const Fixture f;
        f.open("mails.tsv", "label\ttext\nspam\tparis blorp\nham\tlondon\n");
        const auto* survey = f.label("releaseSurveyLabel");
        QTRY_VERIFY2(survey->text().startsWith(QStringLiteral("7 words in 3 lines.")),
                     qPrintable(survey->text()));
        f.field("columnsLineEdit")->setText(QStringLiteral("text"));
        QTRY_VERIFY2(survey->text().startsWith(
                         QStringLiteral("3 words in 2 rows. 33% of the words are unknown and "
                                        "would be masked, most often: blorp (1).")),
                     qPrintable(survey->text()));
    }

    void onlyWhatChangesTheTextIsReadAnew() {
        Fixture f;
        f.open("text.txt", "paris blorp\n");
        const auto* survey = f.label("releaseSurveyLabel");
        f.settle();
        f.state.edit(&AnalysisSettings::chooseEpsilon, 1.0);
        QVERIFY(f.mayStart());
        f.choose("unknownComboBox", 2);
        QVERIFY(!f.mayStart());
        QCOMPARE(survey->text(), QStringLiteral("Reading the whole text: 0%"));
        QTRY_VERIFY(survey->text().contains(QStringLiteral("would be left out")));
        f.input()->setText(f.path("none.txt"));
        QVERIFY(!survey->text().contains(QStringLiteral("left out")));
    }

    void sharesAreNeitherNothingNorAllUnlessTheyAre() {
        release::TextSurvey survey;
        survey.counts.words = 1'000;
        survey.counts.lines = 1;
        survey.counts.replaced = 1'000;
        const auto text = [&] { return surveyText(survey, release::UnknownPolicy::mask, false); };
        QCOMPARE(text(), QStringLiteral("1,000 words in 1 line, none of them unknown."));
        survey.mostUnknown = {{"blorp", 1}};
        survey.counts.replaced = 999;
        QVERIFY2(text().contains(QStringLiteral(". under 1% of the words")), qPrintable(text()));
        survey.counts.replaced = 1;
        QVERIFY2(text().contains(QStringLiteral(". over 99% of the words")), qPrintable(text()));
        survey.counts.replaced = 0;
        survey.isUnknownPartial = true;
        survey.differentUnknown = 345;
        QVERIFY2(text().endsWith(QStringLiteral("100% of the words are unknown and would be "
                                                "masked, most often: blorp (1) (among the first "
                                                "345 different ones).")),
                 qPrintable(text()));
    }

    void commonWordsThatAreUnknownAreWarnedOf() {
        release::TextSurvey survey;
        survey.counts.words = 10'000;
        survey.counts.lines = 2;
        survey.counts.replaced = 8'000;
        survey.mostUnknown = {{"to", 1'200}, {"lol", 99}};
        const auto warning = [&](release::UnknownPolicy policy) {
            const QString text = surveyText(survey, policy, false);
            const qsizetype begin = text.indexOf(QLatin1Char('\n'));
            return begin < 0 ? QString() : text.mid(begin + 1);
        };
        QCOMPARE(warning(release::UnknownPolicy::mask),
                 QStringLiteral("⚠ “to”, a common word of this text, is unknown and would be "
                                "masked, 1,200 times: is this the right embedding or letter "
                                "case?"));
        survey.mostUnknown.insert(survey.mostUnknown.begin() + 1, {"a", 300});
        QCOMPARE(warning(release::UnknownPolicy::drop),
                 QStringLiteral("⚠ “to”, “a” are common words of this text, unknown, and would be "
                                "left out, 1,500 times in all: is this the right embedding or "
                                "letter case?"));
        for (const char* word : {"and", "the", "of", "in", "is"}) {
            survey.mostUnknown.insert(survey.mostUnknown.begin() + 2, {word, 100});
        }
        QVERIFY2(warning(release::UnknownPolicy::mask)
                     .startsWith(QStringLiteral("⚠ “to”, “a”, “is”, “in”, “of”, 2 more are")),
                 qPrintable(warning(release::UnknownPolicy::mask)));
        // Five are named above it.
        QVERIFY(surveyText(survey, release::UnknownPolicy::mask, false)
                    .contains(QStringLiteral("most often: to (1,200), a (300), is (100), in (100), "
                                             "of (100).\n")));
        survey.mostUnknown = {{"lol", 99}};
        QCOMPARE(warning(release::UnknownPolicy::mask), QString());
    }

    /// What it meets is to be seen before it starts.
    void nothingIsReleasedBeforeTheTextHasBeenRead() {
        const Fixture f;
        f.open("text.txt", QByteArray("paris blorp\n").repeated(200'000));
        const auto* survey = f.label("releaseSurveyLabel");
        QVERIFY2(survey->text().startsWith(QStringLiteral("Reading the whole text")),
                 qPrintable(survey->text()));
        QVERIFY(!f.mayStart());
        QVERIFY(f.button("releasePushButton")->toolTip().contains(QStringLiteral("has been read")));
        QTRY_VERIFY(f.mayStart());
        QVERIFY2(survey->text().startsWith(QStringLiteral("400,000 words")),
                 qPrintable(survey->text()));
        QVERIFY(
            !f.button("releasePushButton")->toolTip().contains(QStringLiteral("has been read")));
        // What cannot be read is refused by the release itself.
        f.open("damaged.txt", QByteArray("\xff\xfe\xff\n"));
        QTRY_VERIFY(f.mayStart());
        QVERIFY2(f.survey().startsWith(QStringLiteral("✗ damaged.txt")), qPrintable(f.survey()));
    }
};

EPSILENS_UI_TEST(ReleaseSurveyTest)
#include "release_survey_test.moc"
