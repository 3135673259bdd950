#include "ui/report/report_pages.h"

#include <algorithm>
#include <vector>

#include <QAbstractTextDocumentLayout>
#include <QPaintDevice>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextLayout>
#include <QTextTable>

namespace epsilens::ui {

namespace {

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

/// Where a row of a table stands.
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

/// Pixels of the device for one of a format.
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
/// line, or the second row of its table.
int pageOfKept(const QTextDocument& document, const QTextBlock& block) {
    const QTextTable* table = QTextCursor(block).currentTable();
    return table == nullptr ? pageOf(document, block)
                            : placeOf(document, *table, std::min(1, table->rows() - 1)).lastPage;
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
    std::reverse(places.begin(), places.end());
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

}  // namespace epsilens::ui
