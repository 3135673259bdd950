#include "ui/report/report_document.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPageLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QTextCursor>
#include <QTextTable>

#include "core/io/pending_file.h"
#include "ui/report/report_pages.h"
#include "ui/report/svg_text_object.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/symbol_subscripts.h"

namespace epsilens::ui {

namespace {

constexpr double kPdfPointSize = 9.5;
constexpr double kTitleScale = 1.5;
constexpr double kTableScale = 0.85;     ///< in print 8 points
constexpr double kCaptionScale = 0.95;   ///< in print 9 points
constexpr double kBetweenColumns = 0.8;  ///< of the size of the text
const QColor kInk(0x1A, 0x1A, 0x1A);
const QColor kMuted(0x59, 0x59, 0x59);
const QColor kHeadingInk(0x00, 0x4A, 0x75);
const QColor kRule(0xC8, 0xC8, 0xC8);
const QColor kShade(0xF4, 0xF6, 0xF8);

QString tr(const char* text) {
    return QCoreApplication::translate("ReportDocument", text);
}

/// As a line may be broken: a symbol stays with its value.
QString setText(const std::string& words) {
    static const QRegularExpression kValue(QStringLiteral("([ελγβ]) = (?=\\S)"));
    return toQString(words).replace(kValue, QStringLiteral("\\1\u00a0=\u00a0"));
}

/// Fills a document block by block.
class DocumentWriter {
public:
    DocumentWriter(QTextDocument& document, double pointSize)
        : m_cursor(&document), m_pointSize(pointSize) {}

    void write(const report::ReportContent& content) {
        m_cursor.beginEditBlock();
        m_first = true;
        text(toQString(content.title), letters(kTitleScale * m_pointSize, kHeadingInk, true),
             block(0, 0.5 * m_pointSize));
        write(content.sections);
        if (!content.appendix.empty()) {
            QTextBlockFormat heading = keeping(block(0, 0.4 * m_pointSize));
            heading.setHeadingLevel(1);
            heading.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
            text(toQString(report::kAppendixTitle),
                 letters(kTitleScale * m_pointSize, kHeadingInk, true), heading);
            write(content.appendix);
        }
        m_cursor.endEditBlock();
    }

    void operator()(const report::Paragraph& paragraph) {
        text(setText(paragraph.text), letters(m_pointSize, kInk, paragraph.emphasised),
             block(0.3 * m_pointSize, 0.3 * m_pointSize));
    }
    void operator()(const report::BulletList& list) {
        const QTextCharFormat ink = letters(m_pointSize, kInk);
        for (const std::string& item : list.items) {
            const QString said = toQString(item);
            const bool hasMark = said.startsWith(QStringLiteral("✓ ")) ||
                                 said.startsWith(QStringLiteral("✗ ")) ||
                                 said.startsWith(QStringLiteral("– "));
            const QString mark =
                (hasMark ? said.left(1) : QStringLiteral("•")) + QStringLiteral("  ");
            const double hang = QFontMetricsF(ink.font()).horizontalAdvance(mark);
            QTextBlockFormat format = block(0, 0.07 * m_pointSize);
            format.setLeftMargin(hang + 0.2 * m_pointSize);
            format.setTextIndent(-hang);
            text(mark + (hasMark ? said.mid(2) : said), ink, format);
        }
    }
    void operator()(const report::Facts& facts) {
        QTextTableFormat format = tableFormat();
        format.setColumnWidthConstraints({QTextLength(QTextLength::PercentageLength, 26),
                                          QTextLength(QTextLength::PercentageLength, 74)});
        QTextTable* table = insertTable(static_cast<int>(facts.items.size()), 2, format);
        for (int row = 0; row < table->rows(); ++row) {
            const auto& [name, value] = facts.items[static_cast<std::size_t>(row)];
            cell(*table, row, 0, toQString(name), letters(m_pointSize, kMuted));
            cell(*table, row, 1, toQString(value), letters(m_pointSize, kInk));
        }
        leaveTable();
    }
    void operator()(const report::Table& table) { grid(table); }
    void operator()(const report::Figure& figure) {
        insertBlock(keeping(block(0.6 * m_pointSize, 0.2 * m_pointSize)),
                    letters(m_pointSize, kInk));
        m_cursor.insertText(QString(QChar::ObjectReplacementCharacter),
                            SvgTextObject::format(QByteArray::fromStdString(figure.svg)));
        text(setText(figure.caption), letters(kCaptionScale * m_pointSize, kMuted),
             block(0, 0.3 * m_pointSize));
        if (figure.table) {
            grid(*figure.table);
        }
    }
    void operator()(const report::CodeLine& code) {
        QTextCharFormat format = letters(0.85 * m_pointSize, kInk);
        format.setFontFamilies({QStringLiteral("DejaVu Sans Mono"), QStringLiteral("monospace")});
        QTextBlockFormat shaded = block(0.3 * m_pointSize, 0.3 * m_pointSize);
        shaded.setBackground(kShade);
        text(toQString(code.text), format, shaded);
    }
    void operator()(const report::SignOffBox& box) {
        QTextTableFormat format = tableFormat();
        format.setBorder(1);
        format.setCellPadding(0.5 * m_pointSize);
        QTextTable* table = insertTable(static_cast<int>(box.roles.size()) + 1, 4, format);
        const QStringList titles{tr("Role"), tr("Name"), tr("Date"), tr("Signature")};
        for (int column = 0; column < titles.size(); ++column) {
            cell(*table, 0, column, titles.at(column), letters(m_pointSize, kMuted));
        }
        for (int row = 1; row < table->rows(); ++row) {
            cell(*table, row, 0, toQString(box.roles[static_cast<std::size_t>(row) - 1]),
                 letters(m_pointSize, kInk));
        }
        leaveTable();
    }

private:
    void write(const std::vector<report::Section>& sections) {
        for (const report::Section& section : sections) {
            QTextBlockFormat heading = keeping(block(0.7 * m_pointSize, 0.25 * m_pointSize));
            heading.setHeadingLevel(2);
            text(toQString(section.title), letters(1.25 * m_pointSize, kHeadingInk, true), heading);
            for (const report::Block& part : section.blocks) {
                std::visit(*this, part);
            }
        }
    }

    static QTextCharFormat letters(double pointSize, const QColor& colour, bool strong = false) {
        QTextCharFormat format;
        format.setFontFamilies({QStringLiteral("DejaVu Sans"), QStringLiteral("sans-serif")});
        format.setFontPointSize(pointSize);
        format.setForeground(colour);
        format.setFontWeight(strong ? QFont::Bold : QFont::Normal);
        return format;
    }

    [[nodiscard]] static QTextBlockFormat block(double above, double below) {
        QTextBlockFormat format;
        format.setTopMargin(above);
        format.setBottomMargin(below);
        return format;
    }

    [[nodiscard]] static QTextBlockFormat keeping(QTextBlockFormat format) {
        format.setProperty(kKeepsWithNext, true);
        return format;
    }

    [[nodiscard]] QTextTableFormat tableFormat() const {
        QTextTableFormat format;
        format.setBorder(0.5);
        format.setBorderBrush(kRule);
        format.setBorderCollapse(true);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setCellPadding(0.3 * m_pointSize);
        format.setCellSpacing(0);
        // With its border no wider than the view.
        format.setWidth(QTextLength(QTextLength::PercentageLength, 99.5));
        format.setTopMargin(0.3 * m_pointSize);
        format.setBottomMargin(0.6 * m_pointSize);
        return format;
    }

    void insertBlock(const QTextBlockFormat& format, const QTextCharFormat& letter) {
        // The first block of a document, and the one behind a table, are there already.
        if (m_first) {
            m_cursor.setBlockFormat(format);
            m_cursor.setBlockCharFormat(letter);
            m_first = false;
        } else {
            m_cursor.insertBlock(format, letter);
        }
    }

    void text(const QString& words, const QTextCharFormat& letter, const QTextBlockFormat& format) {
        insertBlock(format, letter);
        m_cursor.insertText(words, letter);
    }

    QTextTable* insertTable(int rows, int columns, const QTextTableFormat& format) {
        insertBlock(keeping(block(0, 0)), letters(1, kInk));
        return m_cursor.insertTable(std::max(rows, 1), columns, format);
    }

    void leaveTable() {
        m_cursor.movePosition(QTextCursor::End);
        m_first = true;
    }

    static void cell(QTextTable& table, int row, int column, const QString& words,
                     const QTextCharFormat& letter, Qt::Alignment alignment = Qt::AlignLeft) {
        QTextCursor cursor = table.cellAt(row, column).firstCursorPosition();
        QTextBlockFormat format;
        format.setAlignment(alignment);
        cursor.setBlockFormat(format);
        cursor.setBlockCharFormat(letter);
        cursor.insertText(words, letter);
    }

    [[nodiscard]] static Qt::Alignment alignmentOf(const report::Table& table, int column) {
        return table.isLeft(static_cast<std::size_t>(column)) ? Qt::AlignLeft : Qt::AlignRight;
    }

    void grid(const report::Table& content) {
        const int columns = static_cast<int>(content.columns.size());
        const double size = kTableScale * m_pointSize;
        if (!content.caption.empty()) {
            text(setText(content.caption), letters(kCaptionScale * m_pointSize, kMuted),
                 keeping(block(0.5 * m_pointSize, 0.1 * m_pointSize)));
        }
        QTextTableFormat format = tableFormat();
        format.setHeaderRowCount(1);
        format.setCellPadding(0.22 * m_pointSize);
        const double between = kBetweenColumns * m_pointSize;
        QTextTable* table = insertTable(static_cast<int>(content.rows.size()) + 1, columns, format);
        for (int column = 0; column < columns; ++column) {
            cell(*table, 0, column,
                 toQString(content.columns[static_cast<std::size_t>(column)].title),
                 letters(size, kInk, true), alignmentOf(content, column));
            QTextTableCellFormat header = table->cellAt(0, column).format().toTableCellFormat();
            header.setBackground(kShade);
            keepApart(header, column, between);
            table->cellAt(0, column).setFormat(header);
        }
        for (int row = 1; row < table->rows(); ++row) {
            const auto& fields = content.rows[static_cast<std::size_t>(row) - 1];
            for (int column = 0; column < columns; ++column) {
                cell(*table, row, column, toQString(fields[static_cast<std::size_t>(column)]),
                     letters(size, kInk), alignmentOf(content, column));
                QTextTableCellFormat field =
                    table->cellAt(row, column).format().toTableCellFormat();
                keepApart(field, column, between);
                table->cellAt(row, column).setFormat(field);
            }
        }
        leaveTable();
    }

    /// Heads that fill their columns would read as one.
    static void keepApart(QTextTableCellFormat& format, int column, double between) {
        if (column > 0) {
            format.setLeftPadding(between);
        }
    }

    QTextCursor m_cursor;
    double m_pointSize;
    bool m_first = true;
};

void paintPages(QTextDocument& document, QPagedPaintDevice& device, const QString& title) {
    QPainter painter(&device);
    const QSizeF page = document.pageSize();
    const double footer = device.height() - page.height();
    QFont small(QStringLiteral("DejaVu Sans"));
    small.setPointSizeF(kCaptionScale * kPdfPointSize);
    for (int i = 0; i < document.pageCount(); ++i) {
        if (i > 0) {
            device.newPage();
        }
        painter.save();
        painter.translate(0, -i * page.height());
        const QRectF clip(0, i * page.height(), page.width(), page.height());
        painter.setClipRect(clip);
        QAbstractTextDocumentLayout::PaintContext context;
        // Lines that begin or end just where the page does would be drawn on both pages, unseen but
        // found by who searches.
        constexpr double kRounding = 2.0;
        context.clip = clip.adjusted(0.0, kRounding, 0.0, -kRounding);
        context.palette.setColor(QPalette::Text, kInk);
        document.documentLayout()->draw(&painter, context);
        painter.restore();
        painter.setFont(small);
        painter.setPen(kMuted);
        const QRectF foot(0, page.height(), page.width(), footer);
        painter.drawText(foot, Qt::AlignLeft | Qt::AlignBottom, title);
        painter.drawText(foot, Qt::AlignRight | Qt::AlignBottom,
                         QStringLiteral("%1 / %2").arg(i + 1).arg(document.pageCount()));
    }
}

}  // namespace

std::unique_ptr<QTextDocument> reportDocument(const report::ReportContent& content,
                                              double pointSize, double margin) {
    auto document = std::make_unique<QTextDocument>();
    document->setUndoRedoEnabled(false);
    document->setMetaInformation(QTextDocument::DocumentTitle, toQString(content.title));
    document->setDocumentMargin(margin);
    // Without a layout, which would follow every change.
    DocumentWriter(*document, pointSize).write(content);
    setSymbolSubscripts(*document);
    return document;
}

void prepareDrawings(QTextDocument& document) {
    document.documentLayout()->registerHandler(SvgTextObject::kType, new SvgTextObject(&document));
}

void setUpPages(QPagedPaintDevice& device) {
    constexpr double kMarginMm = 14.0;
    device.setPageSize(QPageSize(QPageSize::A4));
    device.setPageMargins(QMarginsF(kMarginMm, kMarginMm, kMarginMm, kMarginMm),
                          QPageLayout::Millimeter);
}

void paintReport(const report::ReportContent& content, QPagedPaintDevice& device) {
    constexpr double kFooterShare = 0.025;
    const auto document = reportDocument(content, kPdfPointSize, 0);
    prepareDrawings(*document);
    document->documentLayout()->setPaintDevice(&device);
    layOutPages(*document, QSizeF(device.width(), device.height() * (1.0 - kFooterShare)));
    paintPages(*document, device, toQString(content.title));
}

Result<void> writePdf(const report::ReportContent& content, const QString& path) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        setUpPages(writer);
        writer.setResolution(kPagesDotsPerInch);
        writer.setTitle(toQString(content.title));
        writer.setCreator(QStringLiteral("Epsilens"));
        paintReport(content, writer);
    }
    const QByteArray& bytes = buffer.data();
    return io::replaceFile(toStdPath(path),
                           {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

}  // namespace epsilens::ui
