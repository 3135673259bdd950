#include "ui/report/report_pages.h"

#include <algorithm>

#include <QAbstractTextDocumentLayout>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextLayout>
#include <QTextTable>

namespace epsilens::ui {

namespace {

bool keepsWithNext(const QTextBlock& block) {
    return block.blockFormat().boolProperty(kKeepsWithNext);
}

int pageOf(const QTextDocument& document, const QTextBlock& block) {
    constexpr double kRounding = 0.5;
    const double top = document.documentLayout()->blockBoundingRect(block).top();
    const QTextLayout* lines = block.layout();
    const double line = lines->lineCount() > 0 ? lines->lineAt(0).y() : 0.0;
    return static_cast<int>((top + line + kRounding) / document.pageSize().height());
}

/// What has to be on the page of the block before: the line itself, or the second row of a table.
QTextBlock firstOf(const QTextBlock& block) {
    const QTextTable* table = QTextCursor(block).currentTable();
    return table == nullptr
               ? block
               : table->cellAt(std::min(1, table->rows() - 1), 0).firstCursorPosition().block();
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

}  // namespace

void layOutPages(QTextDocument& document, const QSizeF& page) {
    document.setPageSize(page);
    layOutWhole(document);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (!keepsWithNext(block)) {
            continue;
        }
        const QTextBlock first = block;
        while (keepsWithNext(block) && block.next().isValid()) {
            block = block.next();
        }
        if (pageOf(document, first) != pageOf(document, firstOf(block))) {
            breakBefore(first);
            layOutWhole(document);
        }
    }
}

}  // namespace epsilens::ui
