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
        QTRY_VERIFY(!f.guarantee.firstWord().isEmpty());
        f.open("text.txt",
               QByteArray("paris blorp\n").repeated(50'000) + "paris london paris london paris\n");
        const auto* survey = f.label("releaseSurveyLabel");
        QTRY_VERIFY2(survey->text().contains(QStringLiteral("Longest line, 5 words: against one")),
                     qPrintable(survey->text()));
        QVERIFY(survey->text().contains(QStringLiteral("the odds change by at most ×1.")));
        f.state.edit(&AnalysisSettings::chooseEpsilon, 1e9);
        QTRY_VERIFY2(
            survey->text().contains(QStringLiteral("Longest line, 5 words: no useful bound.")),
            qPrintable(survey->text()));
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
        QVERIFY(survey->text().isEmpty());
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
    }

    void everyLimitIsToldMetOrNot() {
        Fixture f;
        const auto kept = *calibration::parseLimit("nw.p95<=50%");
        const auto outputs = *calibration::parseLimit("sw.mean>=10");
        f.state.edit(&AnalysisSettings::limits, {kept, outputs});
        auto* limits = f.label("limitsMetLabel");
        QVERIFY(limits->isHidden());
        f.limits.setChecks({{kept, 43.0, 50.0, 7.0}, {outputs, 8.0, 10.0, -2.0}});
        QVERIFY(!limits->isHidden());
        const QStringList lines = limits->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 2);
        QVERIFY2(lines[0].startsWith(QStringLiteral("✓ ")) &&
                     lines[0].endsWith(QStringLiteral(": yes, 43")),
                 qPrintable(lines[0]));
        QVERIFY2(lines[1].startsWith(QStringLiteral("✗ ")) &&
                     lines[1].endsWith(QStringLiteral(": NO, 8")),
                 qPrintable(lines[1]));
        f.state.edit(&AnalysisSettings::limits, {kept});
        QVERIFY(limits->isHidden());
    }
};

EPSILENS_UI_TEST(ReleaseSurveyTest)
#include "release_survey_test.moc"
