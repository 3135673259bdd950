#include "ui/setup/load_summary.h"

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

SummaryRow rowOf(const embedding::PreparedEmbedding& embedding, const QString& label) {
    for (const SummaryRow& row : loadSummary(embedding)) {
        if (row.label == label) {
            return row;
        }
    }
    return {};
}

}  // namespace

class LoadSummaryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanFilesNeedNoCare() {
        const auto toy = test::toyEmbedding();
        QCOMPARE(rowOf(*toy, QStringLiteral("Size")).value,
                 QStringLiteral("40 words × 3 dimensions"));
        QCOMPARE(rowOf(*toy, QStringLiteral("Format")).value, QStringLiteral("GloVe text"));
        QCOMPARE(rowOf(*toy, QStringLiteral("Bad lines")).value, QStringLiteral("none"));
        for (const SummaryRow& row : loadSummary(*toy)) {
            QVERIFY(!row.needsCare);
        }
        QCOMPARE(embeddingTitle(*toy), QStringLiteral("toy.txt 40 × 3"));
    }

    void leftOutRowsAreCountedWithTheirLines() {
        auto damaged = *test::toyEmbedding();
        auto& report = damaged.embedding.report;
        report.compression = "gzip";
        for (const std::int64_t line : {7, 9, 1234, 1300, 1301, 1302}) {
            report.wrongLength.add(line);
        }
        report.notFinite.add(20);
        report.duplicates.add(31);
        report.limitedTo = 1000;
        damaged.duplicates.extraRows = 2;
        damaged.duplicates.classes = 1;
        const SummaryRow bad = rowOf(damaged, QStringLiteral("Bad lines"));
        QVERIFY(bad.needsCare);
        QCOMPARE(bad.value, QStringLiteral("7 left out"));
        QVERIFY2(bad.detail.contains(QStringLiteral("(at 7, 9, 1,234, 1,300, 1,301, …)")),
                 qPrintable(bad.detail));
        QVERIFY(bad.detail.contains(QStringLiteral("(at 20)")));
        QVERIFY(!bad.detail.contains(QStringLiteral("cut off")));
        report.endsWithinRow = true;
        QVERIFY(rowOf(damaged, QStringLiteral("Bad lines"))
                    .detail.endsWith(QStringLiteral("the file may be cut off")));
        QCOMPARE(rowOf(damaged, QStringLiteral("Duplicates")).value,
                 QStringLiteral("1 words, 2 vectors"));
        QCOMPARE(rowOf(damaged, QStringLiteral("Format")).value,
                 QStringLiteral("GloVe text, gzip"));
        QCOMPARE(rowOf(damaged, QStringLiteral("Limit")).value, QStringLiteral("first 1,000 rows"));
    }

    void rowsOfOutlyingNormAreNamed() {
        auto outlying = *test::toyEmbedding();
        outlying.squaredNorms.setConstant(36.0);
        outlying.squaredNorms[4] = 124'000.0 * 124'000.0;
        outlying.outlying = embedding::outlyingNorms(outlying.squaredNorms);
        const SummaryRow row = rowOf(outlying, QStringLiteral("Outlying"));
        QVERIFY(row.needsCare);
        QCOMPARE(row.value, QStringLiteral("row 5, word \"%1\": length 124,000, median 6.00: a "
                                           "missing decimal point?")
                                .arg(toQString(outlying.vocabulary().word(4))));
    }

    /// Nothing was left out, and yet rows may be missing.
    void aFileThatEndsWithinARowNeedsCare() {
        auto cut = *test::toyEmbedding();
        cut.embedding.report.endsWithinRow = true;
        const SummaryRow bad = rowOf(cut, QStringLiteral("Bad lines"));
        QVERIFY(bad.needsCare);
        QVERIFY(bad.detail.contains(QStringLiteral("the file may be cut off")));
    }
};

EPSILENS_UI_TEST(LoadSummaryTest)
#include "load_summary_test.moc"
