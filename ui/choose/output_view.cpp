#include "ui/choose/output_view.h"

#include <algorithm>
#include <cmath>

#include <QtWidgets>

#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui::choose {

namespace {

constexpr int kMostBlocks = 3;
constexpr int kUnderlineSpace = 7;  // below the text of a row
constexpr int kTypedSpace = 2;      // below the typed words
constexpr double kColumnGap = 8.0;
constexpr float kTintOpacity = 0.18F;
constexpr double kPinnedLineAbove = 2.5;  ///< between the row of the pinned setting and its line

bool beginsLine(const SampledSentence& sentence, std::size_t place) {
    if (place == 0) {
        return false;
    }
    const SampledWord& before = sentence.words[place - 1];
    const int end = before.begin + before.length;
    return sentence.text.mid(end, sentence.words[place].begin - end).contains(QLatin1Char('\n'));
}

}  // namespace

OutputView::OutputView(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    viewport()->setAutoFillBackground(false);
    setAccessibleName(tr("Sampled sentence"));
    describe();
}

void OutputView::setSentence(const SampledSentence& sentence,
                             const std::optional<SampledSentence>& pinned,
                             const std::optional<QString>& guessNote) {
    m_sentence = sentence;
    m_pinned = pinned;
    m_guessNote = guessNote;
    setProperty(kShowsFocus, !sentence.words.empty());
    if (m_cursor && *m_cursor >= m_sentence.words.size()) {
        m_cursor.reset();
    }
    layOut();
    describe();
}

void OutputView::setSelectedEntry(std::optional<std::size_t> entry) {
    if (entry != m_selectedEntry) {
        m_selectedEntry = entry;
        viewport()->update();
    }
}

void OutputView::forgetHeight() {
    m_keptBlocks = 1;
}

std::vector<OutputView::Line> OutputView::lines() const {
    std::vector<Line> lines{Line::typed, Line::now};
    if (m_guessNote) {
        lines.push_back(Line::guess);
    }
    if (m_pinned) {
        lines.push_back(Line::pinned);
    }
    return lines;
}

int OutputView::heightOf(Line line) const {
    const bool isOutput = line == Line::now || line == Line::pinned;
    return fontMetrics().height() + (isOutput ? kUnderlineSpace : kTypedSpace) +
           (line == Line::pinned ? kPinnedGap : 0);
}

QString OutputView::textIn(Line line, std::size_t place) const {
    switch (line) {
        case Line::typed:
            return m_sentence.words[place].typed;
        case Line::now:
            return textOf(m_sentence, place);
        case Line::pinned:
            return textOf(*m_pinned, place);
        case Line::guess:
            break;
    }
    const QString& guess = m_sentence.words[place].guess.text;
    return guess.isEmpty() && m_sentence.words[place].row ? QStringLiteral("…") : guess;
}

int OutputView::blockHeight() const {
    int height = kBlockGap;
    for (const Line line : lines()) {
        height += heightOf(line);
    }
    return height;
}

void OutputView::layOut() {
    const QFontMetrics metrics = fontMetrics();
    const bool isMirrored = m_sentence.text.isRightToLeft();
    const double left = scaledToText(kLabelWidth, metrics) + kRowSpacing;
    const double right = viewport()->width();
    m_areas.clear();
    m_blocks = 1;
    double x = left;
    for (std::size_t place = 0; place < m_sentence.words.size(); ++place) {
        int text = 0;
        for (const Line line : lines()) {
            text = std::max(text, metrics.horizontalAdvance(textIn(line, place)));
        }
        // One more: what is as wide as its room would be cut by a fraction of a pixel.
        const double width = std::min(text + 1.0 + 2.0 * kPadding, std::max(1.0, right - left));
        if (x > left && (beginsLine(m_sentence, place) || x + width > right)) {
            x = left;
            ++m_blocks;
        }
        m_areas.emplace_back(isMirrored ? left + right - x - width : x,
                             (m_blocks - 1) * blockHeight(), width, blockHeight());
        x += width + kColumnGap;
    }
    m_keptBlocks = std::max(m_keptBlocks, m_blocks);
    updateScrollBar();
    updateGeometry();
    viewport()->update();
}

int OutputView::heightForWidth(int /*width*/) const {
    // The width only changes with the window; the layout of the present width is near enough.
    return std::min(m_keptBlocks, kMostBlocks) * blockHeight() + 2 * frameWidth();
}

QSize OutputView::sizeHint() const {
    return {320, heightForWidth(320)};
}

QSize OutputView::minimumSizeHint() const {
    return {160, heightForWidth(160)};
}

void OutputView::updateScrollBar() {
    const int height = m_blocks * blockHeight();
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(blockHeight());
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
}

OutputMark OutputView::mark(std::size_t place) const {
    return markOfWord(m_sentence.words[place]);
}

QRect OutputView::wordArea(std::size_t place) const {
    if (place >= m_areas.size()) {
        return {};
    }
    return m_areas[place]
        .adjusted(0.0, 0.0, 0.0, -kBlockGap)
        .translated(0.0, -verticalScrollBar()->value())
        .toAlignedRect();
}

void OutputView::scrollToCursor() {
    const QRect area = wordArea(*m_cursor);
    const int below = std::max(0, area.bottom() + 1 - viewport()->height());
    QScrollBar& bar = *verticalScrollBar();
    bar.setValue(bar.value() + std::min(area.top(), below));
}

std::optional<std::size_t> OutputView::placeAt(const QPoint& position) const {
    for (std::size_t place = 0; place < m_areas.size(); ++place) {
        if (wordArea(place).contains(position)) {
            return place;
        }
    }
    return std::nullopt;
}

void OutputView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        m_keptBlocks = 1;
        layOut();
    }
    updateScrollBar();
}

void OutputView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        layOut();
    }
}

void OutputView::keyPressEvent(QKeyEvent* event) {
    const auto count = static_cast<int>(m_sentence.words.size());
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (event->matches(QKeySequence::Copy)) {
        QGuiApplication::clipboard()->setText(m_sentence.text);
    } else if (step != 0 && count > 0) {
        const int from = m_cursor ? static_cast<int>(*m_cursor) : (step > 0 ? -1 : count);
        m_cursor = static_cast<std::size_t>(std::clamp(from + step, 0, count - 1));
        scrollToCursor();
        describe();
        viewport()->update();
    } else if (m_cursor && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter ||
                            event->key() == Qt::Key_Space)) {
        Q_EMIT entryChosen(m_sentence.words[*m_cursor].word);
    } else {
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void OutputView::focusInEvent(QFocusEvent* event) {
    if (!m_cursor && !m_sentence.words.empty()) {
        m_cursor = 0;
    }
    QAbstractScrollArea::focusInEvent(event);
}

void OutputView::mousePressEvent(QMouseEvent* event) {
    const std::optional<std::size_t> place = placeAt(event->pos());
    if (event->button() == Qt::LeftButton && place) {
        m_cursor = place;
        Q_EMIT entryChosen(m_sentence.words[*place].word);
    }
}

bool OutputView::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip) {
        return QAbstractScrollArea::viewportEvent(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::optional<std::size_t> place = placeAt(help->pos());
    const bool isOnNames = help->pos().x() < scaledToText(kLabelWidth, fontMetrics());
    QToolTip::showText(help->globalPos(),
                       place       ? spoken(*place)
                       : isOnNames ? m_guessNote.value_or(QString())
                                   : QString(),
                       viewport());
    return true;
}

QString OutputView::spoken(std::size_t place) const {
    const SampledWord& word = m_sentence.words[place];
    QString now =
        tr("%1 → %2, %3").arg(word.typed, textOf(m_sentence, place), markName(mark(place)));
    if (m_guessNote && !word.guess.spoken.isEmpty()) {
        now = tr("%1; %2").arg(now, word.guess.spoken);
    }
    return m_pinned ? tr("%1; pinned: %2, %3")
                          .arg(now, textOf(*m_pinned, place),
                               markName(markOfWord(m_pinned->words[place])))
                    : now;
}

void OutputView::describe() {
    QString description = m_sentence.words.empty() ? tr("No output yet.")
                                                   : tr("%1 — changed %2 of %3 words.")
                                                         .arg(m_sentence.text)
                                                         .arg(m_sentence.changed)
                                                         .arg(m_sentence.known);
    if (m_cursor && *m_cursor < m_sentence.words.size()) {
        description += tr(" Word %1: %2.").arg(*m_cursor + 1).arg(spoken(*m_cursor));
    }
    setAccessibleDescription(description);
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

void OutputView::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme theme = themeOf(this);
    const QRect shown = event->rect().translated(0, verticalScrollBar()->value());
    painter.translate(0, -verticalScrollBar()->value());
    paintNames(painter, theme);
    for (std::size_t place = 0; place < m_areas.size(); ++place) {
        if (m_areas[place].intersects(shown)) {
            paintWord(painter, place, theme);
        }
    }
}

void OutputView::paintNames(QPainter& painter, const Theme& theme) const {
    if (m_sentence.words.empty()) {
        return;
    }
    int top = 0;
    for (int block = 0; block < m_blocks; ++block) {
        for (const Line line : lines()) {
            int base = top + fontMetrics().ascent();
            if (line == Line::pinned) {
                base += kPinnedGap;
                painter.setPen(QPen(theme.pinned, 1.0, Qt::DashLine));
                const double y = top + kPinnedGap - kPinnedLineAbove;
                painter.drawLine(QPointF(0.0, y), QPointF(viewport()->width(), y));
            }
            painter.setPen(theme.mutedText);
            painter.drawText(0, base,
                             line == Line::typed   ? tr("in")
                             : line == Line::now   ? tr("now")
                             : line == Line::guess ? tr("attacker")
                                                   : tr("pinned A"));
            top += heightOf(line);
        }
        top += kBlockGap;
    }
}

void OutputView::paintWord(QPainter& painter, std::size_t place, const Theme& theme) const {
    const QRectF column = m_areas[place];
    QRectF row = column;
    for (const Line line : lines()) {
        row.setHeight(heightOf(line));
        paintLine(painter, row, line, place, theme);
        row.moveTop(row.bottom());
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

void OutputView::paintLine(QPainter& painter, QRectF row, Line line, std::size_t place,
                           const Theme& theme) const {
    const bool isOutput = line == Line::now || line == Line::pinned;
    const SampledSentence& sentence = line == Line::pinned ? *m_pinned : m_sentence;
    Theme colours = theme;
    if (line == Line::pinned) {
        row.setTop(row.top() + kPinnedGap);
        colours.kept = colours.near = colours.far = theme.pinned;
    }
    if (line == Line::pinned || (line == Line::guess && !sentence.words[place].guess.isRight)) {
        colours.text = theme.mutedText;
    }
    const QString text = fontMetrics().elidedText(
        textIn(line, place), line == Line::guess ? Qt::ElideMiddle : Qt::ElideRight,
        static_cast<int>(std::ceil(row.width() - 2.0 * kPadding)));
    const double left = row.left() + kPadding;
    const double width = fontMetrics().horizontalAdvance(text);
    const OutputMark shown = markOfWord(sentence.words[place]);
    painter.setOpacity(isOutput && sentence.isStale ? kDimmedOpacity : 1.0);
    if (isOutput && (shown == OutputMark::near || shown == OutputMark::far)) {
        QColor tint = fillColour(shown, colours);
        tint.setAlphaF(kTintOpacity);
        painter.setPen(Qt::NoPen);
        painter.setBrush(tint);
        painter.drawRoundedRect(
            QRectF(row.left(), row.top(), width + 2.0 * kPadding, row.height() - 1.0), 3.0, 3.0);
    }
    painter.setPen(colours.text);
    painter.drawText(QPointF(left, row.top() + fontMetrics().ascent()), text);
    if (isOutput) {
        drawUnderline(painter, shown, colours, left, left + width,
                      row.top() + fontMetrics().height() + 2.5);
    }
}

}  // namespace epsilens::ui::choose
