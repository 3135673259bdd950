#include "ui/tradeoff/corpus.h"

#include <utility>

#include "tests/ui/tradeoff/trade_off_fixture.h"
#include "ui/release/release_dialog.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

struct CorpusFixture {
    void open(const QByteArray& csv) {
        source.open(test::writeFile(folder.filePath("texts.csv"), csv));
        settle();
    }
    void settle() { QTRY_VERIFY(!source.isReading()); }

    QTemporaryDir folder;
    AnalysisState state;
    Corpus source{state};
};

}  // namespace

class CorpusTest : public QObject {
    Q_OBJECT

    using Fixture = CorpusFixture;

private Q_SLOTS:
    void saysWhatWasReadAndWhatIsKnownUntilItIsClosed() {
        Fixture f;
        QVERIFY(f.source.shortText().isEmpty());
        f.open(test::labelledCsv(10));
        QVERIFY(f.source.texts() != nullptr);
        QCOMPARE(f.source.shortText(), "texts.csv");
        QCOMPARE(f.source.summaryText(), "texts.csv: 10 documents · 2 classes");
        test::loadToyGridInto(f.state);
        // Four words of five.
        QTRY_COMPARE(f.source.summaryText(),
                     "texts.csv: 10 documents · 2 classes · the embedding knows "
                     "80% of the 50 words");
        QCOMPARE(f.source.shortText(), "80% known of texts.csv");
        QCOMPARE(f.source.unknownText(), "Not known to the embedding, most often: unheard (10).");
        QCOMPARE(f.source.remarkText(),
                 "⚠ “unheard”, a common word of this text, is unknown and would be "
                 "masked, 10 times: is this the right embedding or letter case? "
                 "Rows not measured, though a release holds them, because they lack a text or "
                 "another column, or are malformed: 1 (11).");
        QVERIFY(f.source.words());
        const QSignalSpy said(&f.source, &Corpus::changed);
        f.source.close();
        QVERIFY(!said.empty());
        QVERIFY(f.source.texts() == nullptr && !f.source.words());
        QVERIFY(f.source.shortText().isEmpty() && f.source.summaryText().isEmpty());
        // Neither what was being read nor what was being counted comes back.
        f.open(test::labelledCsv(10));
        f.source.open(f.folder.filePath("texts.csv"));
        f.source.close();
        f.settle();
        test::letJobsEnd();
        QVERIFY(f.source.texts() == nullptr && !f.source.words());
    }

    /// As a survey before a release tells what is unknown, the two add up to 100.
    void whatIsKnownIsWhatIsNotUnknown() {
        Fixture f;
        test::loadToyGridInto(f.state);
        for (const auto& [known, unknown] :
             {std::pair(8, 3), std::pair(3, 8), std::pair(5, 3), std::pair(250, 1)}) {
            QByteArray csv = "label,message\n";
            for (const char* name : {"first,", "second,"}) {
                csv += name + QByteArray("paris ").repeated(known) +
                       QByteArray("unheard ").repeated(unknown) + '\n';
            }
            f.open(csv);
            QTRY_VERIFY(f.source.shortText().contains("% known of "));
            release::TextSurvey survey;
            survey.counts.words = known + unknown;
            survey.counts.replaced = known;
            survey.counts.lines = 1;
            const QString said = surveyText(survey, release::UnknownPolicy::mask, false);
            const auto percent = [](const QString& text, const char* after) {
                return QRegularExpression("(\\d+)" + QLatin1String(after))
                    .match(text)
                    .captured(1)
                    .toInt();
            };
            QVERIFY2(
                percent(f.source.shortText(), "% known") + percent(said, " of 100 words") == 100,
                qPrintable(f.source.shortText() + QLatin1Char('\n') + said));
            f.source.close();
        }
    }

    void columnsCanBeNamedAndAWrongOneKeepsWhatIsThere() {
        Fixture f;
        f.open(test::labelledCsv(12));
        QVERIFY(f.source.texts()->data.labelColumn->isGuessed);
        f.source.setColumns({{}, {}, "penned"});
        f.settle();
        QCOMPARE(f.source.texts()->data.authors.size(), 3);
        QCOMPARE(f.source.texts()->data.labelColumn->name, std::string("label"));
        const auto before = f.source.texts();
        const QSignalSpy failures(&f.source, &Corpus::failed);
        f.source.setColumns({"nowhere", {}, {}});
        QTRY_COMPARE(failures.size(), 1);
        QVERIFY(f.source.texts() == before);
    }
};

EPSILENS_UI_TEST(CorpusTest)
#include "corpus_test.moc"
