#include "ui/report/report_document.h"

#include <QFile>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include "core/report/report_html.h"
#include "tests/ui/report/report_fixture.h"
#include "tests/ui/support/ui_test.h"
#include "ui/common/qt_convert.h"

using namespace epsilens;

namespace {

/// What Qt's XML parser has against a text; empty when nothing.
QString xmlProblem(const std::string& text) {
    QXmlStreamReader reader(QByteArray::fromStdString(text));
    while (!reader.atEnd()) {
        reader.readNext();
    }
    return reader.hasError() ? reader.errorString() : QString();
}

}  // namespace

class ReportDocumentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void htmlAndDrawingsAreWellFormedXml() {
        const auto content = report::composeReport(test::toyReport());
        QVERIFY(content);
        QCOMPARE(xmlProblem(report::reportHtml(*content)), QString());
        QVERIFY(!xmlProblem(report::reportHtml(*content) + "<p>").isEmpty());
        int drawings = 0;
        for (const report::Section& section : content->sections) {
            for (const report::Block& block : section.blocks) {
                if (const auto* figure = std::get_if<report::Figure>(&block)) {
                    QCOMPARE(xmlProblem(figure->svg), QString());
                    const QSvgRenderer renderer(QByteArray::fromStdString(figure->svg));
                    QVERIFY(renderer.isValid());
                    QCOMPARE(renderer.defaultSize(), QSize(640, 380));
                    ++drawings;
                }
            }
        }
        QCOMPARE(drawings, 3);
    }

    void documentHoldsEveryWordOfTheReport() {
        const auto content = report::composeReport(test::toyReport());
        QVERIFY(content);
        const QString text = ui::reportDocument(*content, 10)->toPlainText();
        for (const report::Section& section : content->sections) {
            QVERIFY(text.contains(ui::toQString(section.title)));
            for (const report::Block& block : section.blocks) {
                if (const auto* paragraph = std::get_if<report::Paragraph>(&block)) {
                    QVERIFY(text.contains(ui::toQString(paragraph->text)));
                } else if (const auto* table = std::get_if<report::Table>(&block)) {
                    for (const auto& row : table->rows) {
                        for (const std::string& field : row) {
                            QVERIFY2(text.contains(ui::toQString(field)), field.c_str());
                        }
                    }
                }
            }
        }
        QVERIFY(text.contains(QStringLiteral("a purpose & <more>")));
    }

    void pdfHasPagesAndReplacesTheFileWhole() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("report.pdf"));
        const auto content = report::composeReport(test::toyReport());
        QVERIFY(content);
        QVERIFY(ui::writePdf(*content, path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QVERIFY(bytes.startsWith("%PDF-"));
        QVERIFY(bytes.count("/Type /Page\n") >= 3);
        const auto nowhere = ui::writePdf(*content, folder.filePath(QStringLiteral("no/x.pdf")));
        QVERIFY(!nowhere);
        QCOMPARE(nowhere.error().code, ErrorCode::ioFailed);
    }
};

EPSILENS_UI_TEST(ReportDocumentTest)
#include "report_document_test.moc"
