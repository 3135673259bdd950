#include "ui/tradeoff/labelled_source.h"

#include <QSignalSpy>

#include "tests/ui/support/ui_test.h"
#include "tests/ui/tradeoff/trade_off_fixture.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::kPatienceMs;

namespace {

struct LabelledSourceFixture {
    void open(int documents) {
        source.open(
            test::written(folder, QStringLiteral("texts.csv"), test::labelledCsv(documents)));
        settle();
    }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!source.reader().isRunning(), kPatienceMs); }
    void settleCoverage(const QString& expected) {
        QTRY_COMPARE_WITH_TIMEOUT(source.summaryText(), expected, kPatienceMs);
    }

    QTemporaryDir folder;
    AnalysisState state;
    LabelledSource source{state};
};

}  // namespace

class LabelledSourceTest : public QObject {
    Q_OBJECT

    using Fixture = LabelledSourceFixture;

private Q_SLOTS:
    void saysWhatWasReadAndWhatIsKnown() {
        Fixture f;
        f.open(10);
        QVERIFY(f.source.texts() != nullptr);
        QCOMPARE(f.source.summaryText(), QStringLiteral("texts.csv: 10 documents · 2 classes"));
        test::loadToyGridInto(f.state);
        // Four words of five.
        f.settleCoverage(
            QStringLiteral("texts.csv: 10 documents · 2 classes · the embedding knows "
                           "80 % of the 50 words"));
        QVERIFY(f.source.remarkText().startsWith(
            QStringLiteral("Rows left out because they lack a text or another column: 1 (11).")));
    }

    void isNamedInFewWordsUntilItIsClosed() {
        Fixture f;
        QVERIFY(f.source.shortText().isEmpty());
        f.open(10);
        QCOMPARE(f.source.shortText(), QStringLiteral("texts.csv"));
        test::loadToyGridInto(f.state);
        QTRY_COMPARE_WITH_TIMEOUT(f.source.shortText(), QStringLiteral("texts.csv, 80 % known"),
                                  kPatienceMs);
        QVERIFY(f.source.sample() != nullptr);
        const QSignalSpy said(&f.source, &LabelledSource::changed);
        f.source.close();
        QVERIFY(!said.empty());
        QVERIFY(f.source.texts() == nullptr && f.source.sample() == nullptr);
        QVERIFY(f.source.shortText().isEmpty() && f.source.summaryText().isEmpty());
        // Neither what was being read nor what was being counted comes back.
        f.open(10);
        f.source.open(f.folder.filePath(QStringLiteral("texts.csv")));
        f.source.close();
        f.settle();
        QTest::qWait(100);
        QVERIFY(f.source.texts() == nullptr && f.source.sample() == nullptr);
    }

    void columnsCanBeNamed() {
        Fixture f;
        f.open(12);
        QVERIFY(f.source.texts()->data.labelColumn->isGuessed);
        f.source.setColumns({{}, {}, QStringLiteral("penned")});
        f.settle();
        QCOMPARE(f.source.texts()->data.authors.size(), std::size_t{3});
        QCOMPARE(f.source.texts()->data.labelColumn->name, std::string("label"));
    }

    void aWrongColumnKeepsWhatIsThere() {
        Fixture f;
        f.open(10);
        const auto before = f.source.texts();
        const QSignalSpy failures(&f.source, &LabelledSource::failed);
        f.source.setColumns({QStringLiteral("nowhere"), {}, {}});
        QTRY_COMPARE_WITH_TIMEOUT(failures.size(), 1, kPatienceMs);
        QVERIFY(f.source.texts() == before);
    }
};

EPSILENS_UI_TEST(LabelledSourceTest)
#include "labelled_source_test.moc"
