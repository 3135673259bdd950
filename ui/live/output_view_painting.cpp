#include <cmath>

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include "ui/live/output_view.h"

namespace epsilens::ui::live {

namespace {

constexpr double kTintOpacity = 0.18;
constexpr double kPinnedLineAbove = 2.5;  ///< between the row of the pinned setting and its line

}  // namespace

void OutputView::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme theme = themeOf(this);
    const QRect shown = event->rect().translated(0, verticalScrollBar()->value());
    painter.translate(0, -verticalScrollBar()->value());
    paintNames(painter, theme);
    for (std::size_t place = 0; place < m_columns.size(); ++place) {
        if (m_columns.area(place).intersects(shown)) {
            paintWord(painter, place, theme);
        }
    }
}

/// What the rows are, beside each block.
void OutputView::paintNames(QPainter& painter, const Theme& theme) const {
    if (m_sentence.words.empty()) {
        return;
    }
    painter.setPen(theme.mutedText);
    for (int block = 0; block < m_columns.blocks(); ++block) {
        int base = block * blockHeight() + fontMetrics().ascent();
        painter.drawText(0, base, tr("in"));
        base += typedHeight();
        painter.drawText(0, base, tr("now"));
        base += outputHeight();
        if (m_guesses) {
            painter.drawText(0, base, tr("attacker"));
            base += typedHeight();
        }
        if (m_pinned) {
            base += kPinnedGap;
            painter.drawText(0, base, tr("pinned A"));
            painter.setPen(QPen(theme.pinned, 1.0, Qt::DashLine));
            const double line = base - fontMetrics().ascent() - kPinnedLineAbove;
            painter.drawLine(QPointF(0.0, line), QPointF(viewport()->width(), line));
            painter.setPen(theme.mutedText);
        }
    }
}

void OutputView::paintWord(QPainter& painter, std::size_t place, const Theme& theme) const {
    const QRectF column = m_columns.area(place);
    painter.setOpacity(1.0);
    painter.setPen(theme.text);
    const double width = column.width() - 2.0 * kPadding;
    painter.drawText(QPointF(column.left() + kPadding, column.top() + fontMetrics().ascent()),
                     fontMetrics().elidedText(m_sentence.words[place].typed, Qt::ElideRight,
                                              static_cast<int>(std::ceil(width))));
    QRectF row(column.left(), column.top() + typedHeight(), column.width(), outputHeight());
    paintOutput(painter, row, m_sentence, place, theme);
    row.translate(0.0, outputHeight());
    if (m_guesses) {
        paintGuess(painter, row, place, theme);
        row.translate(0.0, typedHeight());
    }
    if (m_pinned) {
        paintPinned(painter, row.translated(0.0, kPinnedGap), place, theme);
    }
    const auto frame = [&](const QPen& pen) {
        painter.setOpacity(1.0);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(column.adjusted(0.5, 0.5, -0.5, -kBlockGap + 0.5), 3.0, 3.0);
    };
    if (m_sentence.words[place].word == m_selectedEntry) {
        frame(QPen(theme.border.darker(theme.dark ? 60 : 130), 1.0));
    }
    if (m_cursor == place && hasFocus()) {
        frame(QPen(theme.focus, 2.0));
    }
}

void OutputView::paintOutput(QPainter& painter, const QRectF& row, const SampledSentence& sentence,
                             std::size_t place, const Theme& theme) const {
    const SampledWord& word = sentence.words[place];
    const OutputMark shown = markOfWord(word);
    const bool fades = &sentence == &m_sentence && m_fade.state() == QVariantAnimation::Running &&
                       place < m_fades.size() && m_fades[place];
    const double opacity = word.output.freshness == Freshness::stale ? kDimmedOpacity
                           : fades ? m_fade.currentValue().toDouble()
                                   : 1.0;
    const QString text =
        fontMetrics().elidedText(textOf(sentence, place), Qt::ElideRight,
                                 static_cast<int>(std::ceil(row.width() - 2.0 * kPadding)));
    const double width = fontMetrics().horizontalAdvance(text);
    if (shown == OutputMark::near || shown == OutputMark::far) {
        QColor tint = fillColour(shown, theme);
        tint.setAlphaF(static_cast<float>(kTintOpacity * opacity));
        painter.setOpacity(1.0);
        painter.setPen(Qt::NoPen);
        painter.setBrush(tint);
        painter.drawRoundedRect(
            QRectF(row.left(), row.top(), width + 2.0 * kPadding, row.height() - 1.0), 3.0, 3.0);
    }
    painter.setOpacity(opacity);
    painter.setPen(theme.text);
    const double left = row.left() + kPadding;
    painter.drawText(QPointF(left, row.top() + fontMetrics().ascent()), text);
    drawUnderline(painter, shown, theme, left, left + width,
                  row.top() + fontMetrics().height() + 2.5);
}

void OutputView::paintPinned(QPainter& painter, const QRectF& row, std::size_t place,
                             const Theme& theme) const {
    Theme grey = theme;
    grey.kept = grey.near = grey.far = theme.pinned;
    grey.text = theme.mutedText;
    paintOutput(painter, row, *m_pinned, place, grey);
}

void OutputView::paintGuess(QPainter& painter, const QRectF& row, std::size_t place,
                            const Theme& theme) const {
    const ShownGuess& guess = (*m_guesses)[place];
    const bool isComing = guess.text.isEmpty() && m_sentence.words[place].row;
    painter.setOpacity(1.0);
    painter.setPen(guess.isRight ? theme.text : theme.mutedText);
    painter.drawText(
        QPointF(row.left() + kPadding, row.top() + fontMetrics().ascent()),
        fontMetrics().elidedText(isComing ? QStringLiteral("…") : guess.text, Qt::ElideMiddle,
                                 static_cast<int>(std::ceil(row.width() - 2.0 * kPadding))));
}

}  // namespace epsilens::ui::live
