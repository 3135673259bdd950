#include "ui/live/text_entry.h"

#include <algorithm>
#include <cmath>

#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QHBoxLayout>
#include <QIcon>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QStyleOptionButton>
#include <QStylePainter>
#include <QVBoxLayout>

#include "core/embedding/examples.h"
#include "ui/live/live_model.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui::live {

namespace {

constexpr int kMostLines = 3;
constexpr int kLeastWidth = 160;
constexpr int kPreferredWidth = 320;

constexpr int kMostOfTheRoom = 100;

constexpr int kIconSize = 16;
constexpr int kLongestWord = 24;
constexpr int kSpellingPadding = 24;

/// A button whose text goes on in another line where one is too short.
class SentenceButton final : public QPushButton {
public:
    using QPushButton::QPushButton;

    [[nodiscard]] QSize sizeHint() const override {
        const int width = std::max(kWidth, fontMetrics().horizontalAdvance(text()) + kBesideText);
        return {width, heightForWidth(width)};
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return {kWidth / 2, kHeight}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override {
        const QRect room(0, 0, std::max(1, width - kBesideText), QWIDGETSIZE_MAX);
        return std::max(kHeight,
                        fontMetrics().boundingRect(room, kFlow, text()).height() + kAboveText);
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QStylePainter painter(this);
        QStyleOptionButton option;
        initStyleOption(&option);
        option.text.clear();
        painter.drawControl(QStyle::CE_PushButton, option);
        const int margin = kBesideText / 2;
        painter.drawItemText(rect().adjusted(margin, 0, -margin, 0), kFlow, palette(), isEnabled(),
                             text(), QPalette::ButtonText);
    }

private:
    static constexpr int kFlow = Qt::AlignCenter | Qt::TextWordWrap;
    static constexpr int kWidth = 460;
    static constexpr int kHeight = 36;
    static constexpr int kBesideText = 32;
    static constexpr int kAboveText = 16;
};

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

StartPage::StartPage(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(kRowSpacing);
    layout->addStretch(2);
    layout->addWidget(emptyStateLabel(
        tr("Type a sentence above and watch each word pass through the mechanism, or begin with "
           "one of these:"),
        this));
    layout->addSpacing(kRowSpacing);
    int number = 0;
    for (const std::string_view sentence : embedding::exampleSentences()) {
        const QString example = toQString(sentence);
        auto* button = new SentenceButton(example, this);
        button->setObjectName(QStringLiteral("example%1Button").arg(++number));
        button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Minimum);
        button->setAccessibleName(tr("Example sentence %1: %2").arg(number).arg(example));
        button->setAccessibleDescription(tr("Uses this sentence as the text."));
        connect(button, &QPushButton::clicked, this,
                [this, example] { Q_EMIT exampleChosen(example); });
        auto* row = new QHBoxLayout;
        row->addStretch();
        row->addWidget(button, kMostOfTheRoom);
        row->addStretch();
        layout->addLayout(row);
    }
    layout->addStretch(3);
}

UnknownWordsBar::UnknownWordsBar(LiveModel& model, QWidget* parent)
    : QWidget(parent), m_model(model), m_lines(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("unknownWordsBar"));
    setAccessibleName(tr("Unknown words"));
    m_lines->setContentsMargins(0, 0, 0, 0);
    m_lines->setSpacing(2);
    connect(&m_model, &LiveModel::spellingsChanged, this, &UnknownWordsBar::refresh);
    m_model.state().onChange(&AnalysisSettings::textPolicies, this, &UnknownWordsBar::refresh);
    hide();
}

void UnknownWordsBar::refresh() {
    // Building buttons anew while one has the focus would throw the focus away.
    const QWidget* focused = focusWidget();
    const bool hadFocus = focused != nullptr && focused->hasFocus();
    clear();
    const QStringList words = m_model.unknownWords();
    for (const QString& word : words.mid(0, kUnknownLookedUp)) {
        const auto spellings = m_model.spellingsOf(word);
        if (!spellings) {
            break;
        }
        addLine(word, *spellings);
    }
    const auto others = words.size() - kUnknownLookedUp;
    if (m_lines->count() > 0 && others > 0) {
        auto* rest = hintLabel(others == 1 ? tr("and 1 more unknown word")
                                           : tr("and %1 more unknown words").arg(counted(others)),
                               this);
        rest->setObjectName(QStringLiteral("moreUnknownWordsLabel"));
        m_lines->addWidget(rest);
    }
    setVisible(m_lines->count() > 0);
    if (hadFocus) {
        if (auto* button = findChild<QPushButton*>()) {
            button->setFocus();
        }
    }
}

void UnknownWordsBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        refresh();
    }
}

void UnknownWordsBar::clear() {
    while (QLayoutItem* item = m_lines->takeAt(0)) {
        // A button of the line may be the sender of the click that brought us here.
        item->widget()->hide();
        item->widget()->setParent(nullptr);
        item->widget()->deleteLater();
        delete item;
    }
}

void UnknownWordsBar::addLine(const QString& unknown, const QStringList& spellings) {
    auto* line = new QWidget(this);
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    auto* icon = new QLabel(line);
    icon->setPixmap(QIcon(QStringLiteral(":/icons/warning.svg")).pixmap(kIconSize, kIconSize));
    layout->addWidget(icon);
    const QString shown = unknown.size() > kLongestWord
                              ? unknown.left(kLongestWord - 1) + QStringLiteral("…")
                              : unknown;
    QString sentence = tr("“%1” is unknown.").arg(shown);
    if (!spellings.empty()) {
        sentence += tr(" Did you mean");
    }
    auto* label = new QLabel(sentence, line);
    label->setObjectName(QStringLiteral("unknownWordLabel"));
    label->setTextFormat(Qt::PlainText);
    label->setToolTip(unknownWordNote(m_model.state().textPolicies().unknownWords));
    layout->addWidget(label);
    for (const QString& spelling : spellings) {
        // An ampersand in a word is no mnemonic.
        auto* button = new QPushButton(
            QString(spelling).replace(QLatin1Char('&'), QStringLiteral("&&")), line);
        button->setObjectName(QStringLiteral("spellingButton"));
        button->setFixedSize(button->fontMetrics().horizontalAdvance(spelling) + kSpellingPadding,
                             std::max(kLeastTarget, button->fontMetrics().height() + 6));
        button->setAccessibleName(tr("Replace %1 by %2").arg(unknown, spelling));
        button->setAccessibleDescription(tr("Puts this spelling into the sentence."));
        connect(button, &QPushButton::clicked, &m_model,
                [this, unknown, spelling] { m_model.replaceUnknown(unknown, spelling); });
        layout->addWidget(button);
    }
    layout->addStretch(1);
    m_lines->addWidget(line);
}

}  // namespace epsilens::ui::live
