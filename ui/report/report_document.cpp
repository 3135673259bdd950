#include "ui/report/report_document.h"

#include <algorithm>
#include <vector>

#include <QSvgRenderer>
#include <QtWidgets>

#include "core/io/output.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

/// Draws SVG inside a text document, at the width of the page where that is less than its own.
class SvgTextObject : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    static constexpr int kType = QTextFormat::UserObject + 1;

    using QObject::QObject;

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
constexpr double kAppendixScale = 0.9;   ///< in print 8.5 points
constexpr double kTableScale = 0.85;     ///< in print 8 points
constexpr double kCaptionScale = 0.95;   ///< in print 9 points
constexpr double kBetweenColumns = 0.9;  ///< of the size of the tables, twice that before words
constexpr double kRowPadding = 0.2;      ///< the same above and below a row, in the appendix half
const QColor kInk(0x1A, 0x1A, 0x1A);
const QColor kMuted(0x59, 0x59, 0x59);
const QColor kHeadingInk(0x00, 0x4A, 0x75);
const QColor kRule(0xC8, 0xC8, 0xC8);
const QColor kShade(0xF4, 0xF6, 0xF8);

/// As a line may be broken: a symbol stays with its value.
QString setText(const std::string& words) {
    static const QRegularExpression kValue(QStringLiteral("([ελγβ]) = (?=\\S)"));
    return toQString(words).replace(kValue, QStringLiteral("\\1\u00a0=\u00a0"));
}

class DocumentWriter {
public:
    DocumentWriter(QTextDocument& document, double pointSize)
        : m_cursor(&document), m_pointSize(pointSize), m_tableSize(kTableScale * pointSize) {}

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
            m_pointSize *= kAppendixScale;
            m_rowPadding *= 0.5;
            write(content.appendix);
        }
        m_cursor.endEditBlock();
    }

    void operator()(const report::Paragraph& paragraph) {
        text(setText(paragraph.text), letters(m_pointSize, kInk, paragraph.emphasised),
             block(0.25 * m_pointSize, 0.25 * m_pointSize));
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
        table(
            rows, format,
            [this](int /*row*/, int column) {
                return letters(m_pointSize, column == 0 ? kMuted : kInk);
            },
            [](QTextTableCellFormat& /*cell*/, int /*row*/, int /*column*/) {});
    }
    void operator()(const report::Table& content) {
        if (!content.caption.empty()) {
            text(setText(content.caption), letters(kCaptionScale * m_pointSize, kMuted),
                 keeping(block(0.5 * m_pointSize, 0.1 * m_pointSize)));
        }
        QTextTableFormat format = tableFormat();
        format.setHeaderRowCount(1);
        // A form is signed by hand.
        format.setCellPadding((content.isForm ? 0.6 : m_rowPadding) * m_tableSize);
        QList<QStringList> rows;
        const auto add = [&rows](const std::vector<std::string>& fields) {
            QStringList& row = rows.emplaceBack();
            std::ranges::transform(fields, std::back_inserter(row), toQString);
        };
        QStringList& titles = rows.emplaceBack();
        std::ranges::transform(
            content.columns, std::back_inserter(titles),
            [](const report::Column& column) { return toQString(column.title); });
        std::ranges::for_each(content.rows, add);
        QList<Qt::Alignment> alignments;
        for (std::size_t column = 0; column < content.columns.size(); ++column) {
            alignments.append(content.isLeft(column) ? Qt::AlignLeft : Qt::AlignRight);
        }
        table(
            rows, format,
            [this](int row, int /*column*/) { return letters(m_tableSize, kInk, row == 0); },
            [&](QTextTableCellFormat& cell, int row, int column) {
                const bool isLast = row == static_cast<int>(content.rows.size());
                if (row == 0 || isLast || content.isForm) {
                    cell.setBottomBorder(0.75);
                    cell.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
                    cell.setBottomBorderBrush(row == 0 || content.isForm ? kMuted : kRule);
                }
                // Heads that fill their columns would read as one, and words with what ends there.
                if (column > 0) {
                    const double gaps = alignments[column] == Qt::AlignLeft ? 2.0 : 1.0;
                    cell.setLeftPadding(gaps * kBetweenColumns * m_tableSize);
                }
            },
            alignments);
    }
    void operator()(const report::Figure& figure) {
        insertBlock(keeping(block(0.6 * m_pointSize, 0.2 * m_pointSize)),
                    letters(m_pointSize, kInk));
        m_cursor.insertText(QString(QChar::ObjectReplacementCharacter),
                            SvgTextObject::format(figure.svg));
        text(setText(figure.caption), letters(kCaptionScale * m_pointSize, kMuted),
             block(0, 0.3 * m_pointSize));
    }
    void operator()(const report::CodeLine& code) {
        QTextCharFormat format = letters(m_tableSize, kInk);
        format.setFontFamilies({QStringLiteral("DejaVu Sans Mono"), QStringLiteral("monospace")});
        QTextBlockFormat shaded = block(0.3 * m_pointSize, 0.3 * m_pointSize);
        shaded.setBackground(kShade);
        text(toQString(code.text), format, shaded);
    }

private:
    void write(const std::vector<report::Section>& sections) {
        for (const report::Section& section : sections) {
            QTextBlockFormat heading = keeping(block(0.6 * m_pointSize, 0.2 * m_pointSize));
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
        format.setBorder(0);
        format.setBorderCollapse(true);
        format.setCellPadding(m_rowPadding * m_tableSize);
        format.setCellSpacing(0);
        // With its border no wider than the view.
        format.setWidth(QTextLength(QTextLength::PercentageLength, 99.5));
        format.setTopMargin(0.2 * m_pointSize);
        format.setBottomMargin(0.4 * m_pointSize);
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

    /// letterOf  the format of the letters of a cell
    /// finish    a cell
    template <typename LetterOf, typename Finish>
    void table(const QList<QStringList>& rows, const QTextTableFormat& format,
               const LetterOf& letterOf, const Finish& finish,
               const QList<Qt::Alignment>& alignments = {}) {
        insertBlock(keeping(block(0, 0)), letters(1, kInk));
        const auto columns = static_cast<int>(rows.front().size());
        QTextTable* table = m_cursor.insertTable(static_cast<int>(rows.size()), columns, format);
        for (int row = 0; row < table->rows(); ++row) {
            for (int column = 0; column < columns; ++column) {
                QTextTableCell cell = table->cellAt(row, column);
                QTextCursor cursor = cell.firstCursorPosition();
                const QTextCharFormat letter = letterOf(row, column);
                QTextBlockFormat aligned;
                aligned.setAlignment(alignments.value(column, Qt::AlignLeft));
                cursor.setBlockFormat(aligned);
                cursor.setBlockCharFormat(letter);
                cursor.insertText(rows[row][column], letter);
                // The format of its first block is that of the cell, too.
                QTextTableCellFormat field = cell.format().toTableCellFormat();
                finish(field, row, column);
                cell.setFormat(field);
            }
        }
        m_cursor.movePosition(QTextCursor::End);
        m_first = true;
    }

    QTextCursor m_cursor;
    double m_pointSize;
    double m_tableSize;
    double m_rowPadding = kRowPadding;
    bool m_first = true;
};

/// Writes each N_w, S_w and K_w of a document with w as a subscript. Text in a font of fixed pitch,
/// which is typed as it stands, keeps its underscore.
void setSymbolSubscripts(QTextDocument& document) {
    static const QRegularExpression kSymbol(QStringLiteral("(?<![\\w/-])[NSK]_w(?![\\w/-])"),
                                            QRegularExpression::UseUnicodePropertiesOption);
    QTextCharFormat subscript;
    subscript.setVerticalAlignment(QTextCharFormat::AlignSubScript);
    for (QTextCursor symbol = document.find(kSymbol); !symbol.isNull();
         symbol = document.find(kSymbol, symbol)) {
        const QTextCharFormat format = symbol.charFormat();
        if (format.fontFixedPitch() ||
            format.fontFamilies().toStringList().join(QString()).contains(QStringLiteral("Mono"))) {
            continue;
        }
        const int end = symbol.selectionEnd();
        symbol.setPosition(end - 1);
        symbol.setPosition(end, QTextCursor::KeepAnchor);
        symbol.mergeCharFormat(subscript);
        symbol.setPosition(end - 2);
        symbol.setPosition(end - 1, QTextCursor::KeepAnchor);
        symbol.removeSelectedText();
        symbol.setPosition(end - 1);
    }
}

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

bool keepsWithNext(const QTextBlock& block) {
    return block.blockFormat().boolProperty(kKeepsWithNext);
}

double topOf(const QTextDocument& document, const QTextBlock& block, int line) {
    const QTextLayout* lines = block.layout();
    return document.documentLayout()->blockBoundingRect(block).top() +
           (line < lines->lineCount() ? lines->lineAt(line).y() : 0.0);
}

int pageOf(const QTextDocument& document, const QTextBlock& block, int line = 0) {
    constexpr double kRounding = 0.5;
    return static_cast<int>((topOf(document, block, line) + kRounding) /
                            document.pageSize().height());
}

int lastLineOf(const QTextBlock& block) {
    return std::max(0, block.layout()->lineCount() - 1);
}

void breakBefore(const QTextBlock& block) {
    QTextBlockFormat format = block.blockFormat();
    format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
    QTextCursor(block).setBlockFormat(format);
}

/// From the beginning: laid out anew from a changed block on, text before tables would go missing.
void layOutWhole(QTextDocument& document) {
    document.markContentsDirty(0, document.characterCount());
}

struct RowPlace {
    double top = 0.0;  ///< of its first line
    int firstPage = 0;
    int lastPage = 0;
};

RowPlace placeOf(const QTextDocument& document, const QTextTable& table, int row) {
    RowPlace place;
    for (int column = 0; column < table.columns(); ++column) {
        const QTextTableCell cell = table.cellAt(row, column);
        const QTextBlock first = cell.firstCursorPosition().block();
        const QTextBlock last = cell.lastCursorPosition().block();
        const double top = topOf(document, first, 0);
        const int firstPage = pageOf(document, first);
        const int lastPage = pageOf(document, last, lastLineOf(last));
        place.top = column == 0 ? top : std::min(place.top, top);
        place.firstPage = column == 0 ? firstPage : std::min(place.firstPage, firstPage);
        place.lastPage = column == 0 ? lastPage : std::max(place.lastPage, lastPage);
    }
    return place;
}

double scaleOf(const QTextDocument& document) {
    const QPaintDevice* device = document.documentLayout()->paintDevice();
    constexpr double kUsualDotsPerInch = 96.0;
    return device != nullptr ? device->logicalDpiY() / kUsualDotsPerInch : 1.0;
}

/// Margins and indents of text are taken as pixels of the device, unlike all other lengths.
void scaleMargins(QTextDocument& document) {
    const double scale = scaleOf(document);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        if (format.leftMargin() != 0.0) {
            format.setLeftMargin(format.leftMargin() * scale);
            format.setTextIndent(format.textIndent() * scale);
            QTextCursor(block).setBlockFormat(format);
        }
    }
}

/// Makes the room below the words of a row larger, in pixels of the device.
void widenBelow(const QTextDocument& document, QTextTable& table, int row, double pixels) {
    for (int column = 0; column < table.columns(); ++column) {
        QTextTableCell cell = table.cellAt(row, column);
        QTextTableCellFormat format = cell.format().toTableCellFormat();
        const double before = format.hasProperty(QTextFormat::TableCellBottomPadding)
                                  ? format.bottomPadding()
                                  : table.format().cellPadding();
        format.setBottomPadding(before + pixels / scaleOf(document));
        cell.setFormat(format);
    }
}

/// Moves a row that a page's end would tear to the next page. The layout does so where none of its
/// lines has room, so the row before takes that up.
void moveWhole(QTextDocument& document, QTextTable& table, int row) {
    // What the layout keeps free at the end of a page is not told: margin and border of the table,
    // and then some. The row before would go as well if it took more than there is.
    constexpr double kStep = 2.0;
    constexpr int kMostSteps = 30;
    const RowPlace before = placeOf(document, table, row);
    const double pageEnd = (before.firstPage + 1) * document.pageSize().height();
    const double kept =
        (table.format().topMargin() + 4.0 * table.format().border()) * scaleOf(document) +
        2.0 * kStep;
    widenBelow(document, table, row - 1, std::max(0.0, pageEnd - before.top - kept));
    for (int step = 0; step <= kMostSteps; ++step) {
        layOutWhole(document);
        if (placeOf(document, table, row).firstPage > before.firstPage) {
            return;
        }
        widenBelow(document, table, row - 1, kStep);
    }
}

/// Page of the last line that has to be on the page of what keeps with a block: the block's first
/// line, or the last row of its table, of a long one the second.
int pageOfKept(const QTextDocument& document, const QTextBlock& block) {
    constexpr int kLong = 14;
    const QTextTable* table = QTextCursor(block).currentTable();
    return table == nullptr
               ? pageOf(document, block)
               : placeOf(document, *table, table->rows() > kLong ? 1 : table->rows() - 1).lastPage;
}

/// Moves what has to stay with what follows to the page of that.
///
/// block  the first that keeps with the next; returns the first that does not
QTextBlock keepTogether(QTextDocument& document, const QTextBlock& first) {
    QTextBlock block = first;
    while (keepsWithNext(block) && block.next().isValid()) {
        block = block.next();
    }
    if (pageOf(document, first) != pageOfKept(document, block)) {
        breakBefore(first);
        layOutWhole(document);
    }
    return block;
}

/// The rows before were moved with the table.
void keepRowsWhole(QTextDocument& document, QTextTable& table) {
    for (int row = std::max(1, table.format().headerRowCount() + 1); row < table.rows(); ++row) {
        const RowPlace place = placeOf(document, table, row);
        if (place.firstPage != place.lastPage) {
            moveWhole(document, table, row);
        }
    }
}

/// Parts paragraphs where a page ends, which moves nothing: drawn page by page, the last line of a
/// page would be written again above the next one, unseen but found by who searches or copies.
void partAtPageEnds(QTextDocument& document) {
    std::vector<int> places;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        for (int line = 1; line <= lastLineOf(block); ++line) {
            if (pageOf(document, block, line) != pageOf(document, block, line - 1)) {
                places.push_back(block.position() + block.layout()->lineAt(line).textStart());
            }
        }
    }
    // From the end, so that the places before stay where they are.
    std::ranges::reverse(places);
    for (const int place : places) {
        QTextCursor cursor(&document);
        cursor.setPosition(place);
        QTextBlockFormat above = cursor.blockFormat();
        QTextBlockFormat below = above;
        above.setBottomMargin(0.0);
        below.setTopMargin(0.0);
        below.setTextIndent(0.0);
        below.setPageBreakPolicy(QTextFormat::PageBreak_Auto);
        cursor.setBlockFormat(above);
        cursor.insertBlock(below);
    }
    layOutWhole(document);
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

void layOutPages(QTextDocument& document, const QSizeF& page) {
    scaleMargins(document);
    document.setPageSize(page);
    layOutWhole(document);
    // In their order: what is moved moves all that follows.
    const QTextTable* done = nullptr;
    QTextBlock block = document.begin();
    while (block.isValid()) {
        QTextTable* table = QTextCursor(block).currentTable();
        if (table != nullptr && table != done) {
            keepRowsWhole(document, *table);
            done = table;
        }
        block = keepsWithNext(block) && block.next().isValid() ? keepTogether(document, block)
                                                               : block.next();
    }
    partAtPageEnds(document);
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
