#include "ui/report/report_document.h"

#include <QSvgRenderer>

#include "core/calibration/run_curves.h"
#include "core/report/memo_figures.h"
#include "tests/support/example_evaluation.h"
#include "tests/ui/report/report_fixture.h"
#include "tests/ui/support/ui_test.h"
#include "ui/widgets/qt_convert.h"

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

std::vector<report::Section> sectionsOf(const report::ReportContent& content) {
    std::vector<report::Section> sections = content.sections;
    sections.insert(sections.end(), content.appendix.begin(), content.appendix.end());
    return sections;
}

/// A run whose settings have long names.
document::Report reportOfLongNames() {
    calibration::CalibrationOptions options = test::toyRun()->request.options;
    options.grid.mechanism = mechanism::Tem{metric::Metric::mahalanobis};
    options.grid.lambdas = {0.25, 0.75};
    options.grid.betas = {0.0001, 0.0025};
    return {{}, *(*calibration::runCurves(*test::toySpace(), options))->run};
}

/// As where classifier and attackers were measured on labelled texts, which are own texts too.
void measureOnTexts(document::Report& report) {
    auto measured = test::exampleEvaluation(report.run, "nlp-getting-started-train.csv",
                                            {{"classify.linear.accuracy", 0.71},
                                             {"classify.linear.retained", 0.74},
                                             {"reconstruct.prior", 0.049},
                                             {"reconstruct.echo", 0.21},
                                             {"reconstruct.map", 0.22},
                                             {"reconstruct.best", 0.22},
                                             {"reconstruct.gain", 0.171},
                                             {"reconstruct.upper", 0.164}});
    measured.summary.majority = 0.57;
    measured.summary.attacks.front().sentences = {std::string(160, 'a'), std::string(160, 'b')};
    report.evaluations = {measured};
    report.settings.texts =
        document::TextShares{measured.summary.data.file, 88'207, 100, 0.3, 0.2, 0.5, 0.2, {9, 143}};
    report.settings.figureLimits = {
        evaluation::parseFigureLimit("attack.gain<=20%").value(),
        evaluation::parseFigureLimit("classify.linear.retained>=80%").value()};
}

std::string textOf(std::size_t letters) {
    std::string text;
    while (text.size() < letters) {
        text += "eight let";
        text.back() = ' ';
    }
    return text;
}

/// As where every task was evaluated with every classifier at ten ε, with sentences about the
/// attackers as long as they become, and the words kept most often were counted again.
void measureEverything(document::Report& report) {
    using attack::Task;
    measureOnTexts(report);
    evaluation::EvaluationSummary& summary = report.evaluations.front().summary;
    summary.data.classes = {"legitimate", "unwanted"};
    summary.data.columns = "text from the column “message”, class from the column “label”";
    summary.options.tasks = {Task::classify, Task::reconstruct, Task::membership, Task::authorship,
                             Task::audit};
    summary.options.classifiers = {evaluation::ClassifierKind::linear,
                                   evaluation::ClassifierKind::vectors,
                                   evaluation::ClassifierKind::fasttext};
    for (const char* path : {"reconstruct.context", "authorship.correct",
                             "authorship.adaptive.correct", "audit.auc", "audit.adaptive.auc"}) {
        test::setFigure(summary, path, 0.61);
    }
    for (const char* classifier : {"linear", "vectors", "fasttext"}) {
        for (const char* path :
             {"classify.*.accuracy", "classify.*.macroF1", "classify.*.precision",
              "classify.*.recall", "classify.*.auc", "classify.*.retained",
              "membership.*.threshold.auc", "membership.*.threshold.accuracy",
              "membership.*.threshold.advantage", "membership.*.threshold.tprAt1",
              "membership.*.perceptron.auc"}) {
            test::setFigure(summary, attack::ofClassifier(path, classifier), 0.74);
        }
    }
    summary.original = summary.ceiling = summary.floor = summary.cells.front().classify;
    for (attack::AttackResults& attack : summary.attacks) {
        attack.original = attack.floor;
        attack.sentences = {textOf(attack.task == Task::reconstruct  ? 1'250
                                   : attack.task == Task::membership ? 1'000
                                                                     : 700)};
    }
    for (int i = 1; i < 10; ++i) {
        summary.cells.push_back(summary.cells.front());
        summary.cells.back().epsilon *= 1.0 + 0.3 * i;
        summary.options.grid.epsilons.push_back(summary.cells.back().epsilon);
        for (attack::AttackResults& attack : summary.attacks) {
            attack.cells.push_back(attack.cells.front());
        }
    }
    report.evaluations.front().request.emplace();
    report.evaluations.push_back(report.evaluations.front());  // with other draws
    report.evaluations.back().summary.options.seed += 1;
    calibration::CalibrationSummary run = *report.run.summary;
    run.cells.front().worst.emplace();
    run.cells.front().worst->draws = 10'000;
    report.run.worstWords.front().clear();
    for (int i = 0; i < 10; ++i) {
        report.run.worstWords.front().push_back({"word" + std::to_string(i), i, 99.0, 2.0});
        run.cells.front().worst->words.push_back({i, "word" + std::to_string(i), 99.0, 9'876});
    }
    report.run.summary = std::make_shared<const calibration::CalibrationSummary>(std::move(run));
}

/// As a PDF.
qsizetype pagesOf(const document::Report& report, bool hasAppendix = false) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("report.pdf");
    if (!ui::writePdf(report::composeReport(report, hasAppendix).value(), path)) {
        return 0;
    }
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().count("/Type /Page\n") : 0;
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
        for (const report::Section& section : sectionsOf(*content)) {
            for (const report::Block& block : section.blocks) {
                if (const auto* figure = std::get_if<report::Figure>(&block)) {
                    QCOMPARE(xmlProblem(figure->svg), QString());
                    const QSvgRenderer renderer(QByteArray::fromStdString(figure->svg));
                    QVERIFY(renderer.isValid());
                    // As wide as the text, and low.
                    QCOMPARE(renderer.defaultSize().width(), 824);
                    QVERIFY(renderer.defaultSize().height() < (drawings < 2 ? 230 : 320));
                    ++drawings;
                }
            }
        }
        QCOMPARE(drawings, 3);
    }

    /// Measured in the font that the drawing asks for.
    void legendsAreNotCutOff() {
        QFont font("DejaVu Sans");
        font.setPixelSize(13);
        // One of the packages that the window needs.
        QCOMPARE(QFontInfo(font).family(), font.family());
        const document::Report report = reportOfLongNames();
        const auto findings = document::findingsOf(report);
        QVERIFY(findings);
        const std::string svg = report::curvesFigure(report, *findings).svg;
        QXmlStreamReader reader(QByteArray::fromStdString(svg));
        double width = 0.0;
        QStringList labels;
        while (reader.readNext() != QXmlStreamReader::EndDocument) {
            const auto attributes = reader.attributes();
            if (reader.name() == QLatin1String("svg") && reader.isStartElement()) {
                width = attributes.value("width").toDouble();
            } else if (attributes.value("text-anchor") == QLatin1String("start")) {
                const double left = attributes.value("x").toDouble();
                labels.append(reader.readElementText());
                const double right = left + QFontMetricsF(font).horizontalAdvance(labels.last());
                QVERIFY2(right <= width, qPrintable(labels.last()));
            }
        }
        QVERIFY2(labels.contains("mean, λ = 0.75, β = 0.0025"), qPrintable(labels.join('\n')));
    }

    void documentHoldsEveryWordOfTheReport() {
        const auto content = report::composeReport(test::toyReport());
        QVERIFY(content);
        // The w of a symbol is a subscript, which needs no underscore.
        const auto shown = [](const std::string& written) {
            static const QRegularExpression kSymbol("\\b([NSK])_w\\b");
            return ui::toQString(written).replace(kSymbol, "\\1w");
        };
        const QString text = ui::reportDocument(*content, 10, 4)->toPlainText();
        for (const report::Section& section : sectionsOf(*content)) {
            QVERIFY(text.contains(shown(section.title)));
            for (const report::Block& block : section.blocks) {
                if (const auto* paragraph = std::get_if<report::Paragraph>(&block)) {
                    QVERIFY(text.contains(shown(paragraph->text)));
                } else if (const auto* table = std::get_if<report::Table>(&block)) {
                    for (const auto& row : table->rows) {
                        for (const std::string& field : row) {
                            QVERIFY2(text.contains(shown(field)), field.c_str());
                        }
                    }
                }
            }
        }
        QVERIFY(text.contains("a purpose & <more>"));
    }

    void linesAreBrokenWhereTheyAreTooLong() {
        const auto content = report::composeReport(test::toyReport());
        const auto document = ui::reportDocument(*content, 9.5, 16);
        ui::prepareDrawings(*document);
        for (const double width : {420.0, 600.0, 840.0}) {
            document->setTextWidth(width);
            QVERIFY2(document->size().width() <= width,
                     qPrintable(QString::number(document->size().width())));
        }
    }

    void symbolsHaveASubscript() {
        report::ReportContent content;
        content.sections.push_back(
            {"results",
             "Results",
             {report::Table{"caption", {"N_w, mean"}, {{"S_w"}}}, report::CodeLine{"cat N_w"}}});
        const auto document = ui::reportDocument(content, 10, 4);
        const QString text = document->toPlainText();
        QVERIFY(test::holds(text, "Nw, mean"));
        QVERIFY(test::holds(text, "cat N_w"));
        for (const char* symbol : {"Nw, mean", "Sw"}) {
            QTextCursor found = document->find(symbol);
            QVERIFY(!found.isNull());
            found.setPosition(found.selectionStart() + 1);
            QCOMPARE(found.charFormat().verticalAlignment(), QTextCharFormat::AlignNormal);
            found.movePosition(QTextCursor::Right);
            QCOMPARE(found.charFormat().verticalAlignment(), QTextCharFormat::AlignSubScript);
        }
    }

    /// Without and with figures of the analyst's texts and limits on them. The appendix has three
    /// pages at most, whatever was measured.
    void theMemoTakesTwoPagesAndTheAppendixThree() {
        document::Report report = test::toyReport();
        report.settings.choice = calibration::choiceOf(report.run.summary->cells.front());
        report.settings.limits = {calibration::parseLimit("nw.p95<=50%").value(),
                                  calibration::parseLimit("sw.p5>=20").value()};
        report.settings.purpose = report.settings.reason = std::string(90, 'w');
        // Of a search on texts, after one that found nothing.
        for (int word = 0; word < 95; ++word) {
            report.settings.epsilonOrigin += "search ";
        }
        const calibration::PairDistance pair{"salmon", "trout",
                                             report.run.summary->cells.front().lambda, 2.7};
        report.run.pairs.assign(5, pair);
        const document::ComparedChoice::Row other{"Regularized Mahalanobis, λ 0.5", 11.3, 0.1,
                                                  37.0};
        report.compared = document::ComparedChoice{200, 100, 0.5, std::vector(4, other)};
        const calibration::Example example{std::string(65, 'n'),
                                           std::vector<std::string>(10, std::string(80, 'n'))};
        report.run.examples.assign(report.run.summary->cells.size(), {example, example});
        QCOMPARE(pagesOf(report), 2);
        measureOnTexts(report);
        QCOMPARE(pagesOf(report), 2);
        measureEverything(report);
        QCOMPARE(pagesOf(report), 2);
        QCOMPARE(pagesOf(report, true), 5);
    }

    /// As it is printed: 9 points and more in the memo, 8 and more in tables and the appendix.
    void theTypeCanBeRead() {
        document::Report report = test::toyReport();
        report.settings.choice = calibration::choiceOf(report.run.summary->cells.front());
        const auto content = report::composeReport(report);
        QVERIFY(content);
        const auto document = ui::reportDocument(*content, 9.5, 0);
        int captions = 0;
        bool isInAppendix = false;
        for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
            isInAppendix = isInAppendix || block.text() == QLatin1String(report::kAppendixTitle);
            const bool isSmall = isInAppendix || QTextCursor(block).currentTable() != nullptr;
            for (auto part = block.begin(); !part.atEnd(); ++part) {
                const double size = part.fragment().charFormat().fontPointSize();
                captions += size >= 9.0 && size < 9.5 ? 1 : 0;
                QVERIFY2(part.fragment().text() == QChar(QChar::ObjectReplacementCharacter) ||
                             size >= (isSmall ? 8.0 : 9.0),
                         qPrintable(part.fragment().text()));
            }
        }
        QVERIFY(captions > 0);
    }

    void aPdfThatCannotBeWrittenSaysSo() {
        const QTemporaryDir folder;
        const auto nowhere = ui::writePdf({}, folder.filePath("no/x.pdf"));
        QVERIFY(!nowhere);
        QCOMPARE(nowhere.error().code, ErrorCode::ioFailed);
    }

    void wordsOfADataSetAreNamedAndWarnedOf() {
        document::Report report = test::toyReport();
        report.run.request.options.words = {calibration::WordSelection::Kind::list, 0, {0, 1}};
        report.run.provenance.selection =
            calibration::SelectionDescription{"2", "letters.csv", "text", 7};
        const QString text =
            ui::reportDocument(report::composeReport(report).value(), 10, 4)->toPlainText();
        QVERIFY(text.contains("letters.csv"));
        QVERIFY(text.contains("which words occur in it"));
        QVERIFY(!text.contains("words.txt"));
    }
};

EPSILENS_UI_TEST(ReportDocumentTest)
#include "report_document_test.moc"
