#include <cmath>
#include <initializer_list>
#include <set>

#include "tests/ui/support/ui_test.h"
#include "ui/report/report_document.h"

using namespace epsilens;

namespace {

/// Where a line of a block stands.
int pageOf(const QTextDocument& document, const QTextBlock& block, int line) {
    constexpr double kRounding = 0.5;
    return static_cast<int>((document.documentLayout()->blockBoundingRect(block).top() +
                             block.layout()->lineAt(line).y() + kRounding) /
                            document.pageSize().height());
}

/// Rows of tables whose lines stand on different pages.
int tornRows(const QTextDocument& document) {
    int torn = 0;
    const QTextTable* table = nullptr;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextTable* here = QTextCursor(block).currentTable();
        if (here == nullptr || here == table) {
            continue;
        }
        table = here;
        for (int row = 0; row < table->rows(); ++row) {
            std::set<int> pages;
            for (int column = 0; column < table->columns(); ++column) {
                const QTextBlock words = table->cellAt(row, column).firstCursorPosition().block();
                pages.insert(pageOf(document, words, 0));
                pages.insert(pageOf(document, words, words.layout()->lineCount() - 1));
            }
            torn += pages.size() > 1 ? 1 : 0;
        }
    }
    return torn;
}

/// A section of so many lines, which move the end of a page over what follows.
report::Section linesBefore(int lines) {
    report::Section before{"before", "Before", {}};
    before.blocks.assign(static_cast<std::size_t>(lines), report::Paragraph{"line"});
    return before;
}

}  // namespace

/// Where pages of a report end.
class ReportPagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Wherever a page ends: a heading is followed by a line, a caption by two rows of its table.
    void headingsAndCaptionsStayWithWhatFollows() {
        const QSizeF page(600, 400);
        int moved = 0;
        for (int lines = 0; lines < 30; ++lines) {
            const report::Table table{"caption", {"title"}, {{"first"}, {"second"}}};
            const report::ReportContent content{
                "Report",
                {linesBefore(lines),
                 {"heading", "Heading", {report::Paragraph{"followed"}}},
                 {"table", "Tabular", {table}}},
                {}};
            const auto document = ui::reportDocument(content, 10, 4);
            document->setPageSize(page);
            const int unkept = document->pageCount();
            ui::layOutPages(*document, page);
            const auto pageWith = [&](const char* text) {
                return pageOf(*document, document->find(text).block(), 0);
            };
            QCOMPARE(pageWith("Heading"), pageWith("followed"));
            QCOMPARE(pageWith("Tabular"), pageWith("caption"));
            QCOMPARE(pageWith("caption"), pageWith("first"));
            for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
                moved +=
                    block.blockFormat().pageBreakPolicy() != QTextFormat::PageBreak_Auto ? 1 : 0;
            }
            QVERIFY(document->pageCount() <= unkept + 2);
        }
        QVERIFY(moved > 0);
    }

    /// Wherever a page ends, with fields of one line beside fields of several.
    void rowsOfTablesStayWhole() {
        const QSizeF page(600, 400);
        int torn = 0;
        int moved = 0;
        for (int lines = 0; lines < 20; ++lines) {
            report::Table table{"caption", {"first title", "second"}, {}};
            report::Facts facts;
            for (int row = 0; row < 12; ++row) {
                std::string words = "start";
                for (int word = 0; word < 25 * (1 + row % 3); ++word) {
                    words += " word";
                }
                table.rows.push_back({std::to_string(row), words + " end"});
                facts.items.emplace_back(std::to_string(row), words + " end");
            }
            const report::ReportContent content{
                "Report", {linesBefore(lines), {"table", "Tabular", {table, facts}}}, {}};
            const auto unkept = ui::reportDocument(content, 10, 4);
            unkept->setPageSize(page);
            torn += tornRows(*unkept);
            const auto document = ui::reportDocument(content, 10, 4);
            ui::layOutPages(*document, page);
            QCOMPARE(tornRows(*document), 0);
            QCOMPARE(document->toPlainText(), unkept->toPlainText());
            moved += document->pageCount() - unkept->pageCount();
        }
        QVERIFY(torn > 20);
        // Nothing else is moved: each page leaves at most a row's height free.
        QVERIFY2(moved <= 40, qPrintable(QString::number(moved)));
    }

    /// Further lines of an item begin below its words, at the resolution of a screen and of a PDF;
    /// a mark stands in the place of the bullet.
    void wrappedItemsHangBelowTheirWords() {
        std::string words;
        for (int word = 0; word < 60; ++word) {
            words += "word ";
        }
        const report::ReportContent content{
            "Report", {{"section", "Section", {report::BulletList{{words, "✓ " + words}}}}}, {}};
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        QPdfWriter writer(&buffer);
        writer.setResolution(300);
        for (QPaintDevice* device : std::initializer_list<QPaintDevice*>{nullptr, &writer}) {
            const auto document = ui::reportDocument(content, 10, 0);
            document->documentLayout()->setPaintDevice(device);
            const double letter = device == nullptr ? 8.0 : 25.0;
            ui::layOutPages(*document, QSizeF(60.0 * letter, 100.0 * letter));
            int items = 0;
            for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
                if (!block.text().endsWith("word ") || block.layout()->lineCount() < 2) {
                    continue;
                }
                ++items;
                QVERIFY(!block.text().contains("•  ✓"));
                const auto first = block.text().indexOf("word");
                const double begin = block.layout()->lineAt(0).cursorToX(static_cast<int>(first));
                QVERIFY(begin > letter);
                QVERIFY(std::abs(block.layout()->lineAt(1).x() - begin) < 0.2 * letter);
            }
            QCOMPARE(items, 2);
        }
    }

    /// As who searches or copies from the PDF meets it.
    void nothingIsWrittenTwice() {
        report::Section section{"section", "Section", {}};
        QStringList words;
        const auto sayings = [&words](int count) {
            std::string text;
            for (int i = 0; i < count; ++i) {
                words.append(QString("w%1x").arg(words.size()));
                text += words.last().toStdString() + " ";
            }
            return text;
        };
        report::Table table{"caption", {"title", "other"}, {}};
        for (int part = 0; part < 60; ++part) {
            section.blocks.emplace_back(report::Paragraph{sayings(90)});
            section.blocks.emplace_back(report::BulletList{{sayings(70)}});
            table.rows.push_back({sayings(1), sayings(60)});
            if (part % 10 == 0) {
                // Text of drawings does not pass through the painter as text.
                const std::string svg =
                    R"(<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"/>)";
                section.blocks.emplace_back(report::Figure{sayings(1), svg});
            }
        }
        section.blocks.emplace_back(table);
        const QTemporaryDir folder;
        const QString path = folder.filePath("report.pdf");
        QVERIFY(ui::writePdf({"Report", {section}, {}}, path));
        QVERIFY(test::contentOf(path).count("/Type /Page\n") > 5);
        QProcess reader;
        reader.start("pdftotext", {path, "-"});
        QVERIFY(reader.waitForFinished(test::kPatienceMs) && reader.exitCode() == 0);
        const QString all = reader.readAllStandardOutput();
        for (const QString& word : words) {
            QVERIFY2(all.count(word) == 1,
                     qPrintable(QString("%1: %2 times").arg(word).arg(all.count(word))));
        }
    }
};

EPSILENS_UI_TEST(ReportPagesTest)
#include "report_pages_test.moc"
