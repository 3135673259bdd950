#include "ui/live/sentence_edit.h"

#include <algorithm>
#include <cmath>

#include <QAbstractTextDocumentLayout>
#include <QKeyEvent>
#include <QResizeEvent>

#include "ui/widgets/describe.h"

namespace epsilens::ui::live {

namespace {

constexpr int kMostLines = 3;
constexpr int kLeastWidth = 160;
constexpr int kPreferredWidth = 320;

}  // namespace

SentenceEdit::SentenceEdit(QWidget* parent) : QPlainTextEdit(parent) {
    describe(*this, "sentenceEdit", tr("Text"),
             tr("The text whose words pass through the mechanism. It is not stored. Return goes "
                "on, Shift+Return begins a new line."));
    setPlaceholderText(tr("Type or paste a text"));
    setTabChangesFocus(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    // Input methods must not learn from confidential text.
    setInputMethodHints(Qt::ImhSensitiveData | Qt::ImhNoPredictiveText | Qt::ImhMultiLine);
    connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
            &SentenceEdit::fit);
}

void SentenceEdit::showText(const QString& text) {
    if (toPlainText() != text) {
        setPlainText(text);
    }
}

int SentenceEdit::heightOf(int lines) const {
    const auto around = static_cast<int>(std::ceil(2.0 * document()->documentMargin()));
    return lines * fontMetrics().lineSpacing() + around + 2 * frameWidth();
}

int SentenceEdit::lines() const {
    // The layout of plain text measures its height in lines.
    return static_cast<int>(document()->size().height());
}

/// A bar beside one line would have no room for its arrows.
void SentenceEdit::fit() {
    const bool scrolls = lines() > kMostLines;
    setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    updateGeometry();
}

QSize SentenceEdit::sizeHint() const {
    return {kPreferredWidth, heightOf(std::clamp(lines(), 1, kMostLines))};
}

QSize SentenceEdit::minimumSizeHint() const {
    return {kLeastWidth, heightOf(1)};
}

void SentenceEdit::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) {
        QPlainTextEdit::keyPressEvent(event);
    } else if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        textCursor().insertBlock();
        ensureCursorVisible();
    } else {
        // A second line would push the sentence out of a field that shows one.
        focusNextChild();
    }
}

void SentenceEdit::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    fit();
}

}  // namespace epsilens::ui::live
