#include "ui/widgets/symbol_subscripts.h"

#include <QRegularExpression>
#include <QTextCursor>

namespace epsilens::ui {

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

}  // namespace epsilens::ui
