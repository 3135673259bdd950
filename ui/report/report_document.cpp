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
#include <QSvgRenderer>
#include <QTextCursor>
#include <QTextObjectInterface>
#include <QTextTable>

#include "core/io/output.h"
#include "ui/report/report_pages.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/symbol_subscripts.h"

namespace epsilens::ui {

/// Draws SVG inside a text document, at the width of the page where that is less than its own.
class SvgTextObject : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    static constexpr int kType = QTextFormat::UserObject + 1;

    using QObject::QObject;

    /// The format of a character that stands for a drawing.
    [[nodiscard]] static QTextCharFormat format(const std::string& svg) {
        QTextCharFormat format;
        format.setObjectType(kType);
        format.setProperty(kSvg, QByteArray::fromStdString(svg));
        return format;
    }

    QSizeF intrinsicSize(QTextDocument* document, int /*position*/,
                         const QTextFormat& format) override {
        // More than the 96 of SVG: a figure leaves room for the text that it belongs to on its
        // page, and its letters of 12 dots still have 7.5 points.
        constexpr double kDotsPerInch = 115.0;
        const QSizeF natural(QSvgRenderer(format.property(kSvg).toByteArray()).defaultSize());
        const QPaintDevice* device = document->documentLayout()->paintDevice();
        const double scale = device != nullptr ? device->logicalDpiX() / kDotsPerInch : 1.0;
        const double page = document->pageSize().width();
        const double available =
            (page > 0.0 ? page : document->textWidth()) - 2.0 * document->documentMargin();
        const double wanted = natural.width() * scale;
        const double width = available > 0.0 ? std::min(wanted, available) : wanted;
        return natural * (width / natural.width());
    }

    void drawObject(QPainter* painter, const QRectF& rect, QTextDocument* /*document*/,
                    int /*position*/, const QTextFormat& format) override {
        QSvgRenderer(format.property(kSvg).toByteArray()).render(painter, rect);
    }

private:
    static constexpr int kSvg = QTextFormat::UserProperty + 1;
};

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
        QList<QStringList> rows;
        for (const auto& [name, value] : facts.items) {
            rows.append({toQString(name), toQString(value)});
        }
        table(rows, format, [this](QTextTableCell /*cell*/, int /*row*/, int column) {
            return letters(m_pointSize, column == 0 ? kMuted : kInk);
        });
    }
    void operator()(const report::Table& table) { grid(table); }
    void operator()(const report::Figure& figure) {
        insertBlock(keeping(block(0.6 * m_pointSize, 0.2 * m_pointSize)),
                    letters(m_pointSize, kInk));
        m_cursor.insertText(QString(QChar::ObjectReplacementCharacter),
                            SvgTextObject::format(figure.svg));
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
        QList<QStringList> rows{{tr("Role"), tr("Name"), tr("Date"), tr("Signature")}};
        for (const std::string& role : box.roles) {
            rows.append({toQString(role), {}, {}, {}});
        }
        table(rows, format, [this](QTextTableCell /*cell*/, int row, int /*column*/) {
            return letters(m_pointSize, row == 0 ? kMuted : kInk);
        });
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

    /// look  of a cell: finishes it, and returns the format of its letters
    template <typename Look>
    void table(const QList<QStringList>& rows, const QTextTableFormat& format, const Look& look,
               const QList<Qt::Alignment>& alignments = {}) {
        insertBlock(keeping(block(0, 0)), letters(1, kInk));
        const auto columns = static_cast<int>(rows.front().size());
        QTextTable* table = m_cursor.insertTable(static_cast<int>(rows.size()), columns, format);
        for (int row = 0; row < table->rows(); ++row) {
            for (int column = 0; column < columns; ++column) {
                const QTextTableCell cell = table->cellAt(row, column);
                QTextCursor cursor = cell.firstCursorPosition();
                const QTextCharFormat letter = look(cell, row, column);
                QTextBlockFormat aligned;
                aligned.setAlignment(alignments.value(column, Qt::AlignLeft));
                cursor.setBlockFormat(aligned);
                cursor.setBlockCharFormat(letter);
                cursor.insertText(rows[row][column], letter);
            }
        }
        m_cursor.movePosition(QTextCursor::End);
        m_first = true;
    }

    void grid(const report::Table& content) {
        if (!content.caption.empty()) {
            text(setText(content.caption), letters(kCaptionScale * m_pointSize, kMuted),
                 keeping(block(0.5 * m_pointSize, 0.1 * m_pointSize)));
        }
        QTextTableFormat format = tableFormat();
        format.setHeaderRowCount(1);
        format.setCellPadding(0.22 * m_pointSize);
        QList<QStringList> rows;
        const auto add = [&rows](const std::vector<std::string>& fields) {
            QStringList& row = rows.emplaceBack();
            std::transform(fields.begin(), fields.end(), std::back_inserter(row), toQString);
        };
        QStringList& titles = rows.emplaceBack();
        std::transform(content.columns.begin(), content.columns.end(), std::back_inserter(titles),
                       [](const report::Column& column) { return toQString(column.title); });
        std::for_each(content.rows.begin(), content.rows.end(), add);
        QList<Qt::Alignment> alignments;
        for (std::size_t column = 0; column < content.columns.size(); ++column) {
            alignments.append(content.isLeft(column) ? Qt::AlignLeft : Qt::AlignRight);
        }
        table(
            rows, format,
            [this](QTextTableCell cell, int row, int column) {
                QTextTableCellFormat field = cell.format().toTableCellFormat();
                if (row == 0) {
                    field.setBackground(kShade);
                }
                // Heads that fill their columns would read as one.
                if (column > 0) {
                    field.setLeftPadding(kBetweenColumns * m_pointSize);
                }
                cell.setFormat(field);
                return letters(kTableScale * m_pointSize, kInk, row == 0);
            },
            alignments);
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
#include "report_document.moc"
