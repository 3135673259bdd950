#include "ui/live/output_view.h"

#include <algorithm>
#include <cmath>

#include <QAccessible>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QTextLine>
#include <QToolTip>

#include "ui/widgets/large_text.h"

namespace epsilens::ui::live {

namespace {

constexpr int kMostLines = 3;
constexpr int kMostLinesInLowWindow = 2;
constexpr int kUnderlineSpace = 7;  // below the text of a line
constexpr int kLineGap = 4;
constexpr double kWordSpacing = 4.0;  // keeps the tints of neighbours apart
constexpr double kTintOpacity = 0.18;

}  // namespace

OutputView::OutputView(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    setAccessibleName(tr("Sampled sentence"));
    describe();
}

void OutputView::setSentence(const SampledSentence& sentence) {
    m_sentence = sentence;
    if (m_cursor && *m_cursor >= m_sentence.words.size()) {
        m_cursor.reset();
    }
    layOut(viewport()->width());
    keepHeight();
    updateScrollBar();
    describe();
    viewport()->update();
}

void OutputView::setSelectedEntry(std::optional<std::size_t> entry) {
    if (entry != m_selectedEntry) {
        m_selectedEntry = entry;
        viewport()->update();
    }
}

void OutputView::forgetHeight() {
    m_keptLines = 1;
}

int OutputView::lineHeight() const {
    return fontMetrics().height() + kUnderlineSpace + kLineGap;
}

void OutputView::layOut(int width) {
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    // Lines of the text begin lines here; positions stay.
    m_layout.setText(QString(m_sentence.text).replace(QLatin1Char('\n'), QChar::LineSeparator));
    QFont spaced = font();
    spaced.setWordSpacing(kWordSpacing);
    m_layout.setFont(spaced);
    m_layout.setTextOption(option);
    m_layout.beginLayout();
    int lines = 0;
    for (QTextLine line = m_layout.createLine(); line.isValid(); line = m_layout.createLine()) {
        line.setLineWidth(std::max(1, width));
        line.setPosition(QPointF(0.0, lines * lineHeight()));
        ++lines;
    }
    m_layout.endLayout();
    m_lines = std::max(1, lines);
}

void OutputView::keepHeight() {
    if (m_lines > m_keptLines) {
        m_keptLines = m_lines;
    }
    updateGeometry();
}

int OutputView::heightForWidth(int /*width*/) const {
    // The width only changes with the window; the layout of the present width is near enough.
    const int most = isInLowWindow(*this) ? kMostLinesInLowWindow : kMostLines;
    return std::min(m_keptLines, most) * lineHeight() + 2 * frameWidth();
}

QSize OutputView::sizeHint() const {
    return {320, heightForWidth(320)};
}

QSize OutputView::minimumSizeHint() const {
    return {160, lineHeight()};
}

void OutputView::updateScrollBar() {
    const int height = m_lines * lineHeight();
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(lineHeight());
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
}

OutputMark OutputView::mark(std::size_t place) const {
    const SampledWord& word = m_sentence.words[place];
    if (!word.isKnown) {
        return OutputMark::unknown;
    }
    return word.output.row ? markOf(word.output.outputClass) : OutputMark::pending;
}

std::vector<QRectF> OutputView::areasOf(const SampledWord& word) const {
    std::vector<QRectF> areas;
    const int end = word.begin + word.length;
    for (int i = 0; i < m_layout.lineCount(); ++i) {
        const QTextLine line = m_layout.lineAt(i);
        const int first = std::max(word.begin, line.textStart());
        const int last = std::min(end, line.textStart() + line.textLength());
        if (first < last) {
            const double a = line.cursorToX(first);
            const double b = line.cursorToX(last);
            areas.emplace_back(std::min(a, b), line.y(), std::abs(b - a), line.height());
        }
    }
    return areas;
}

QRect OutputView::wordArea(std::size_t place) const {
    if (place >= m_sentence.words.size()) {
        return {};
    }
    QRectF whole;
    for (const QRectF& area : areasOf(m_sentence.words[place])) {
        whole = whole.united(area);
    }
    return whole.translated(0.0, -verticalScrollBar()->value()).toAlignedRect();
}

void OutputView::scrollToCursor() {
    const QRect area = wordArea(*m_cursor);
    const int below = std::max(0, area.bottom() + 1 - viewport()->height());
    QScrollBar& bar = *verticalScrollBar();
    bar.setValue(bar.value() + std::min(area.top(), below));
}

std::optional<std::size_t> OutputView::placeAt(const QPoint& position) const {
    const QPointF point(position.x(), position.y() + verticalScrollBar()->value());
    for (std::size_t place = 0; place < m_sentence.words.size(); ++place) {
        for (const QRectF& area : areasOf(m_sentence.words[place])) {
            if (area.adjusted(-1.0, -1.0, 1.0, kUnderlineSpace).contains(point)) {
                return place;
            }
        }
    }
    return std::nullopt;
}

void OutputView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(0, -verticalScrollBar()->value());
    const Theme theme = themeOf(this);
    for (std::size_t place = 0; place < m_sentence.words.size(); ++place) {
        paintWord(painter, place, theme);
    }
    painter.setOpacity(1.0);
    painter.setPen(theme.text);
    m_layout.draw(&painter, QPointF());
}

void OutputView::paintWord(QPainter& painter, std::size_t place, const Theme& theme) const {
    const SampledWord& word = m_sentence.words[place];
    const OutputMark shown = mark(place);
    const bool isTinted = shown == OutputMark::near || shown == OutputMark::far;
    const double opacity = word.output.freshness == Freshness::stale ? kDimmedOpacity : 1.0;
    QColor tint = fillColour(shown, theme);
    tint.setAlphaF(static_cast<float>(kTintOpacity * opacity));
    for (const QRectF& area : areasOf(word)) {
        const QRectF chip = area.adjusted(-2.0, -1.0, 2.0, kUnderlineSpace - 1.0);
        painter.setOpacity(1.0);
        if (isTinted) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(tint);
            painter.drawRoundedRect(chip, 3.0, 3.0);
        }
        if (word.word == m_selectedEntry) {
            painter.setPen(QPen(theme.border.darker(theme.dark ? 60 : 130), 1.0));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(chip, 3.0, 3.0);
        }
        if (m_cursor == place && hasFocus()) {
            painter.setPen(QPen(theme.focus, 2.0));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(chip, 3.0, 3.0);
        }
        painter.setOpacity(opacity);
        drawUnderline(painter, shown, theme, area.left(), area.right(), area.bottom() + 2.5);
    }
}

void OutputView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        m_keptLines = 1;
        layOut(viewport()->width());
        keepHeight();
    }
    updateScrollBar();
}

void OutputView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        layOut(viewport()->width());
        keepHeight();
    }
}

void OutputView::keyPressEvent(QKeyEvent* event) {
    const auto count = static_cast<int>(m_sentence.words.size());
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (event->matches(QKeySequence::Copy)) {
        copyText();
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
    viewport()->update();
}

void OutputView::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void OutputView::mousePressEvent(QMouseEvent* event) {
    const std::optional<std::size_t> place = placeAt(event->pos());
    if (event->button() == Qt::LeftButton && place) {
        m_cursor = place;
        Q_EMIT entryChosen(m_sentence.words[*place].word);
    }
}

void OutputView::mouseMoveEvent(QMouseEvent* event) {
    viewport()->setCursor(placeAt(event->pos()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void OutputView::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("&Copy output"), this, [this] { copyText(); });
    menu.exec(event->globalPos());
}

bool OutputView::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip) {
        return QAbstractScrollArea::viewportEvent(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::optional<std::size_t> place = placeAt(help->pos());
    QToolTip::showText(help->globalPos(), place ? spoken(*place) : QString(), viewport());
    return true;
}

QString OutputView::spoken(std::size_t place) const {
    const SampledWord& word = m_sentence.words[place];
    return tr("%1 → %2, %3")
        .arg(word.typed, m_sentence.text.mid(word.begin, word.length), markName(mark(place)));
}

void OutputView::copyText() const {
    QGuiApplication::clipboard()->setText(m_sentence.text);
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

}  // namespace epsilens::ui::live
