#include "ui/live/live_panel.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <QAbstractTextDocumentLayout>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "core/embedding/examples.h"
#include "ui/live/first_limit.h"
#include "ui/live/output_view.h"
#include "ui/live/word_table.h"
#include "ui/state/analysis_state.h"
#include "ui/state/output_mark.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui::live {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("LivePanel", text);
}

constexpr int kPlayMs = 500;
constexpr int kChangedWidth = 150;
constexpr int kLongestWord = 24;

// Of the width: all columns but the last, and the icons of the chosen word beside its outputs.
constexpr int kTableShare = 545;
constexpr int kWordShare = 310;

enum Page { noEmbeddingPage, startPage, contentPage };

/// A label, also one without text, of the width that the labels of all rows have.
QLabel* rowLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    followFont(label, [label](const QFontMetrics& metrics) {
        label->setFixedWidth(scaledToText(kLabelWidth, metrics));
    });
    return label;
}

/// The text to look at, of any length. Shows as many lines as it has, up to a few; one where the
/// window is low. Tab leaves it, as Return does after a sentence; Shift+Return begins a line.
class SentenceEdit final : public QPlainTextEdit {
public:
    explicit SentenceEdit(QWidget* parent) : QPlainTextEdit(parent) {
        describe(*this, "sentenceEdit", tr("Text"),
                 tr("The text whose words pass through the mechanism. It is not stored. Return "
                    "goes on, Shift+Return begins a new line."));
        setPlaceholderText(tr("Type or paste a text"));
        setTabChangesFocus(true);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        // Input methods must not learn from confidential text.
        setInputMethodHints(Qt::ImhSensitiveData | Qt::ImhNoPredictiveText | Qt::ImhMultiLine);
        connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged,
                this, &SentenceEdit::fit);
    }

    [[nodiscard]] QSize sizeHint() const override {
        return {kPreferredWidth, heightOf(std::clamp(lines(), 1, kMostLines))};
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return {kLeastWidth, heightOf(1)}; }

protected:
    void keyPressEvent(QKeyEvent* event) override {
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
    void resizeEvent(QResizeEvent* event) override {
        QPlainTextEdit::resizeEvent(event);
        fit();
    }

private:
    static constexpr int kMostLines = 3;
    static constexpr int kLeastWidth = 160;
    static constexpr int kPreferredWidth = 320;

    [[nodiscard]] int lines() const {
        // The layout of plain text measures its height in lines.
        return static_cast<int>(document()->size().height());
    }
    /// A bar beside one line would have no room for its arrows.
    void fit() {
        const bool scrolls = lines() > kMostLines;
        setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
        updateGeometry();
    }
    [[nodiscard]] int heightOf(int lines) const {
        const auto around = static_cast<int>(std::ceil(2.0 * document()->documentMargin()));
        return lines * fontMetrics().lineSpacing() + around + 2 * frameWidth();
    }
};

class Swatch final : public QWidget {
public:
    Swatch(OutputMark mark, QWidget* parent) : QWidget(parent), m_mark(mark) {
        setFixedSize(kSwatchWidth, kSwatchHeight + 8);
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Theme theme = themeOf(this);
        painter.fillRect(0, 0, kSwatchWidth, kSwatchHeight, areaBrush(m_mark, theme));
        drawUnderline(painter, m_mark, theme, 0.0, kSwatchWidth, kSwatchHeight + 4.0);
    }

private:
    static constexpr int kSwatchWidth = 18;
    static constexpr int kSwatchHeight = 9;

    OutputMark m_mark;
};

QWidget* classLegend(QWidget* parent) {
    auto* legend = new QWidget(parent);
    legend->setAccessibleName(tr("Legend"));
    legend->setAccessibleDescription(tr("Kept: the word itself, solid line. Near: one of its %1 "
                                        "nearest words, dashed line and "
                                        "stripes. Far: any other word, wavy line and dots.")
                                         .arg(kNearNeighbours));
    legend->setToolTip(legend->accessibleDescription());
    auto* row = new QHBoxLayout(legend);
    row->setContentsMargins(0, 0, 0, 0);
    for (const auto& [mark, text] :
         {std::pair{OutputMark::kept, tr("kept")},
          std::pair{OutputMark::near, tr("near: one of the %1 nearest words").arg(kNearNeighbours)},
          std::pair{OutputMark::far, tr("far")}}) {
        row->addWidget(new Swatch(mark, legend));
        row->addWidget(hintLabel(text, legend));
        row->addSpacing(kRowSpacing);
    }
    return legend;
}

constexpr qsizetype kMostNamed = 8;

QString nearestText(const LiveWord& word) {
    const engine::Neighbourhood& near = *word.outputs->neighbours;
    QStringList parts;
    for (std::size_t i = 0; i < near.rows.size() && parts.size() < kMostNamed; ++i) {
        parts.append(
            tr("%1 at %2").arg(word.spelling(near.rows[i]), significant(near.distances[i], 3)));
    }
    return parts.isEmpty() ? QString() : tr("Nearest: %1").arg(parts.join(tr(" · ")));
}

QString outputsText(const LiveWord& word) {
    const ShownDistribution& shown = word.distribution;
    if (!shown.exact && shown.kept >= shown.draws) {
        return tr("No other word in %1 draws.").arg(counted(shown.draws));
    }
    return tr("Most often instead: %1; %2 different words in %3 draws.")
        .arg(topOutputsText(word, kMostNamed), countText(shown, shown.distinct),
             counted(shown.draws));
}

/// The chosen word in full: how often it survives, what it becomes, its nearest words and its
/// half-kept epsilon.
class WordDetails final : public QWidget {
public:
    explicit WordDetails(QWidget* parent) : QWidget(parent) {
        QVBoxLayout* column =
            columnIn(this, kRowSpacing / 2, {m_heading, m_outputs, m_nearest, m_facts});
        column->setContentsMargins(kRowSpacing, 0, kRowSpacing, 0);
        column->addStretch();
        for (const auto& [label, name] : {std::pair{m_heading, "detailHeadingLabel"},
                                          {m_outputs, "detailOutputsLabel"},
                                          {m_nearest, "nearestWordsLabel"},
                                          {m_facts, "detailFactsLabel"}}) {
            label->setObjectName(QLatin1String(name));
            label->setTextFormat(Qt::PlainText);
            label->setWordWrap(true);
        }
    }

    void showWord(const LiveWord* word) {
        const bool isKnown = word != nullptr && word->outputs;
        m_outputs->setText(isKnown ? outputsText(*word) : QString());
        m_nearest->setText(isKnown ? nearestText(*word) : QString());
        m_facts->setText(isKnown ? tr("Half-kept ε: %1").arg(halfKeptText(*word)) : QString());
        for (QLabel* part : {m_outputs, m_nearest, m_facts}) {
            part->setVisible(!part->text().isEmpty());
        }
        m_heading->setText(
            word == nullptr ? QString()
            : !isKnown      ? tr("“%1”: being computed…").arg(word->typed)
                            : tr("“%1” survives %2 of 100 draws")
                                 .arg(word->typed)
                                 .arg(hundredthsOf(word->distribution).kept) +
                             (word->occurrences > 0 ? QString() : tr(" (not in the sentence)")));
    }

private:
    QLabel* m_heading = headingLabel({}, this);
    QLabel* m_outputs = new QLabel(this);
    QLabel* m_nearest = hintLabel({}, this);
    QLabel* m_facts = hintLabel({}, this);
};

}  // namespace

LivePanel::LivePanel(AnalysisState& state, QWidget* parent)
    : Panel(parent), m_state(state), m_model(state) {
    setObjectName(QStringLiteral("livePanel"));
    m_model.setActive(false);
    m_player.setInterval(kPlayMs);
    m_notice = new NoticeLine(this);
    m_pages = new QStackedWidget(this);
    m_pages->setObjectName(QStringLiteral("livePages"));

    m_limit = newFirstLimit(
        m_model, [this] { Q_EMIT limitsRequested(); }, this);
    columnIn(this, kRowSpacing, {buildSentenceRow(), m_notice, m_pages, m_limit}, kPanelMargin)
        ->setStretch(2, 1);

    m_pages->addWidget(emptyStateLabel(
        tr("No embedding yet. Open one with Ctrl+O or drop a file on the window."), m_pages));
    m_examples = withLinks(emptyStateLabel({}, m_pages), "examplesLabel");
    connect(m_examples, &QLabel::linkActivated, this, [this](const QString& number) {
        m_state.lookAt(toQString(embedding::exampleSentences().at(number.toUInt())));
    });
    m_pages->addWidget(scrolledPage(m_examples, m_pages));
    m_pages->addWidget(scrolledPage(buildContent(), m_pages));
    connect(&m_state, &AnalysisState::sentenceChanged, this, &LivePanel::showText);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &LivePanel::showPage);
    connect(&m_model, &LiveModel::spellingsChanged, this, &LivePanel::showUnknown);
    connect(&m_model, &LiveModel::wordsReset, this, &LivePanel::showPage);
    connect(&m_model, &LiveModel::wordsReset, m_output, &OutputView::forgetHeight);
    connect(&m_model, &LiveModel::valuesChanged, this, &LivePanel::showValues);
    connect(&m_model, &LiveModel::outputChanged, this, &LivePanel::showOutput);
    showText();
    showExamples();
    showPage();
    showValues();
}

QWidget* LivePanel::buildSentenceRow() {
    auto* row = new QWidget(this);
    m_sentence = new SentenceEdit(row);
    m_sample = described(new QPushButton(tr("S&ample"), row), "sampleButton", {},
                         tr("Shows the next sampled sentence (Ctrl+Return)."));
    m_play =
        described(new QPushButton(row), "playButton", {},
                  tr("Shows another sampled sentence every half second until you press it again."));
    m_play->setCheckable(true);
    auto* label = rowLabel(tr("Te&xt"), row);
    label->setBuddy(m_sentence);
    // Level with the first line.
    followFont(label, [this, label](const QFontMetrics&) {
        label->setMinimumHeight(m_sentence->minimumSizeHint().height());
    });

    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowSpacing);
    layout->addWidget(label, 0, Qt::AlignTop);
    layout->addWidget(m_sentence, 1);
    layout->addWidget(m_sample, 0, Qt::AlignTop);
    layout->addWidget(m_play, 0, Qt::AlignTop);
    // Of keys that come faster than their answers only the last one is answered.
    const auto take = [this] {
        const QString typed = m_sentence->toPlainText();
        if (!m_typing.isActive() && typed != m_state.sentence()) {
            m_state.lookAt(typed);
            m_typing.start();
        }
    };
    m_typing.setSingleShot(true);
    connect(m_sentence, &QPlainTextEdit::textChanged, this, take);
    connect(&m_typing, &QTimer::timeout, this, take);
    connect(m_sample, &QPushButton::clicked, &m_model, &LiveModel::nextSample);
    connect(m_play, &QPushButton::toggled, this, &LivePanel::play);
    connect(&m_player, &QTimer::timeout, &m_model, &LiveModel::nextSample);
    play(false);
    return row;
}

QWidget* LivePanel::buildContent() {
    auto* content = new QWidget(m_pages);
    m_unknown = withLinks(new QLabel(content), "unknownWordsLabel");
    m_unknown->setAccessibleName(tr("Unknown words"));
    connect(m_unknown, &QLabel::linkActivated, this, [this](const QString& number) {
        const auto [unknown, spelling] = m_offers.at(number.toInt());
        m_model.replaceUnknown(unknown, spelling);
    });
    columnIn(content, kRowSpacing, {buildOutputRows(), m_unknown, buildSplitter()})
        ->setStretch(2, 1);
    return content;
}

QWidget* LivePanel::buildOutputRows() {
    auto* rows = new QWidget(m_pages);
    m_output = new OutputView(rows);
    m_output->setObjectName(QStringLiteral("outputView"));
    m_changed = new QLabel(rows);
    m_changed->setObjectName(QStringLiteral("changedLabel"));
    m_changed->setAlignment(Qt::AlignRight | Qt::AlignTop);
    followFont(m_changed, [this](const QFontMetrics& metrics) {
        m_changed->setMinimumWidth(scaledToText(kChangedWidth, metrics));
    });
    m_guess = new QPushButton(tr("&Guess"), rows);
    m_guess->setObjectName(QStringLiteral("guessButton"));
    m_guess->setAccessibleDescription(
        tr("Computes what an attacker guesses behind the words at this setting."));
    connect(m_guess, &QPushButton::clicked, &m_model, &LiveModel::requestGuesses);
    m_rest = hintLabel({}, rows);
    m_rest->setObjectName(QStringLiteral("restOfTextLabel"));
    m_status = hintLabel({}, rows);
    m_status->setObjectName(QStringLiteral("liveStatusLabel"));
    m_status->setAlignment(Qt::AlignRight | Qt::AlignVCenter);

    auto* output = new QHBoxLayout;
    output->setSpacing(kRowSpacing);
    output->addWidget(m_output, 1);
    auto* right = new QVBoxLayout;
    right->setSpacing(4);
    right->addWidget(m_changed);
    right->addWidget(m_guess, 0, Qt::AlignRight);
    right->addStretch();
    output->addLayout(right);
    auto* legend = new QHBoxLayout;
    legend->setSpacing(kRowSpacing);
    legend->addWidget(rowLabel({}, rows));
    legend->addWidget(classLegend(rows));
    legend->addWidget(m_status, 1);
    auto* layout = new QVBoxLayout(rows);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(output);
    layout->addWidget(m_rest);
    layout->addLayout(legend);
    connect(m_output, &OutputView::entryChosen, &m_model, &LiveModel::select);
    return rows;
}

QSplitter* LivePanel::buildSplitter() {
    auto* splitter = new QSplitter(Qt::Horizontal, m_pages);
    splitter->setObjectName(QStringLiteral("liveSplitter"));
    splitter->setChildrenCollapsible(false);
    auto* details = new WordDetails(splitter);
    connect(&m_model, &LiveModel::valuesChanged, details,
            [this, details] { details->showWord(m_model.detail()); });
    auto* word = new ColumnScrollArea(splitter);
    word->setObjectName(QStringLiteral("wordScrollArea"));
    word->setAccessibleName(tr("The chosen word"));
    word->setWidget(details);
    splitter->addWidget(newWordTable(m_model, splitter));
    splitter->addWidget(word);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({kTableShare, kWordShare});
    moveWithKeys(*splitter, tr("Divider between the table and the chosen word"));
    return splitter;
}

QWidget* LivePanel::firstControl() const {
    return m_sentence;
}

void LivePanel::showEvent(QShowEvent* event) {
    Panel::showEvent(event);
    m_model.setActive(true);
}

void LivePanel::hideEvent(QHideEvent* event) {
    Panel::hideEvent(event);
    m_play->setChecked(false);
    m_model.setActive(false);
}

/// Where somebody types, the cursor stays.
void LivePanel::showText() {
    if (m_sentence->toPlainText() != m_state.sentence()) {
        m_sentence->setPlainText(m_state.sentence());
    }
}

void LivePanel::showExamples() {
    QString text =
        tr("Type a sentence above and watch each word pass through the mechanism, or "
           "begin with one of these:");
    int number = 0;
    for (const std::string_view sentence : embedding::exampleSentences()) {
        text += QStringLiteral("<p><a href=\"%1\">%2</a></p>")
                    .arg(number++)
                    .arg(toQString(sentence).toHtmlEscaped());
    }
    m_examples->setText(text);
}

/// One line for each of the first unknown words, with the nearest spellings as links, and one that
/// counts the others; nothing until typing has paused and the spellings are known, so that
/// half-typed words make nothing jump.
void LivePanel::showUnknown() {
    const QStringList words = m_model.unknownWords();
    QStringList lines;
    m_offers.clear();
    for (const QString& word : words.mid(0, kUnknownLookedUp)) {
        const auto spellings = m_model.spellingsOf(word);
        if (!spellings) {
            break;
        }
        QStringList links;
        for (const QString& spelling : *spellings) {
            links.append(QStringLiteral("<a href=\"%1\">%2</a>")
                             .arg(m_offers.size())
                             .arg(spelling.toHtmlEscaped()));
            m_offers.append({word, spelling});
        }
        const QString unknown =
            tr("⚠ “%1” is unknown.").arg(word.left(kLongestWord).toHtmlEscaped());
        lines.append(links.empty() ? unknown
                                   : tr("%1 Did you mean %2?").arg(unknown, links.join(tr(", "))));
    }
    if (const auto others = words.size() - kUnknownLookedUp; !lines.empty() && others > 0) {
        lines.append(others == 1 ? tr("and 1 more unknown word")
                                 : tr("and %1 more unknown words").arg(counted(others)));
    }
    m_unknown->setText(lines.join(QStringLiteral("<br>")));
    m_unknown->setVisible(!lines.empty());
}

void LivePanel::play(bool isOn) {
    m_play->setText(isOn ? tr("Pause") : tr("Play"));
    if (isOn) {
        m_player.start();
    } else {
        m_player.stop();
    }
}

void LivePanel::showPage() {
    const bool hasEmbedding = m_state.searchSpace() != nullptr;
    const bool hasSentence = !m_state.sentence().trimmed().isEmpty();
    m_sentence->setEnabled(hasEmbedding);
    m_limit->setVisible(hasEmbedding);
    m_sample->setEnabled(hasEmbedding && m_model.distinctWords() > 0);
    m_play->setEnabled(m_sample->isEnabled());
    if (!m_play->isEnabled()) {
        m_play->setChecked(false);
    }
    m_pages->setCurrentIndex(!hasEmbedding ? noEmbeddingPage
                             : hasSentence ? contentPage
                                           : startPage);
}

void LivePanel::showValues() {
    showOutput();
    const Error* problem = m_model.problem();
    m_notice->follow(problem != nullptr ? std::optional(noticeFor(*problem)) : std::nullopt);
}

void LivePanel::showOutput() {
    const bool awaitsRequest = m_model.awaitsRequest();
    const QString assumption = m_model.assumption();
    m_guess->setVisible(awaitsRequest);
    m_guess->setToolTip(assumption);
    m_output->setSentence(
        m_model.output(), m_model.pinnedOutput(),
        m_state.searchSpace() && !awaitsRequest ? std::optional(assumption) : std::nullopt);
    m_output->setSelectedEntry(m_model.detailIndex());
    m_changed->setText(changedText());
    m_rest->setVisible(m_model.typedWords() > kMostWords);
    m_rest->setText(
        tr("The text has %1 words; the first %2 are shown.")
            .arg(counted(static_cast<qint64>(m_model.typedWords())), counted(kMostWords)));
    QStringList parts;
    if (m_model.distinctWords() > 0) {
        parts.append(tr("sample %1 of %2")
                         .arg(counted(m_model.sampleIndex() + 1), counted(m_model.drawsUsed())));
        if (m_state.mechanism().isExact()) {
            parts.append(tr("probabilities exact"));
        }
    }
    m_status->setText(parts.join(tr(" · ")));
}

QString LivePanel::changedText() const {
    const SampledSentence& output = m_model.output();
    const auto countIf = [&output](auto&& isCounted) {
        return static_cast<int>(std::ranges::count_if(output.words, isCounted));
    };
    if (output.words.empty() ||
        countIf([](const SampledWord& word) { return word.row && !word.output.row; }) > 0) {
        return {};
    }
    QString text = tr("changed %1 of %2").arg(output.changed).arg(output.known);
    if (output.unknown > 0) {
        text += (m_state.textPolicies().unknownWords == release::UnknownPolicy::keep
                     ? tr(", ⚠ %1 unknown, unprotected")
                     : tr(", %1 unknown"))
                    .arg(output.unknown);
    }
    if (m_model.awaitsRequest()) {
        return text + tr("\nattacker: on request");
    }
    const int guessed = countIf([](const SampledWord& word) { return !word.guess.text.isEmpty(); });
    const int right = countIf([](const SampledWord& word) { return word.guess.isRight; });
    return text + tr("\nguessed correctly: %1 of %2\n%: how often such a guess is right")
                      .arg(guessed == output.known ? QString::number(right) : QStringLiteral("…"))
                      .arg(output.known);
}

}  // namespace epsilens::ui::live
