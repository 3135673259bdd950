#include "ui/live/live_panel.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "core/mechanism/elliptical_noise.h"
#include "ui/live/attacker_guesses.h"
#include "ui/live/first_limit.h"
#include "ui/live/output_view.h"
#include "ui/live/text_entry.h"
#include "ui/live/word_table.h"
#include "ui/state/output_mark.h"
#include "ui/widgets/column_scroll_area.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/splitter_keys.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui::live {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("LivePanel", text);
}

constexpr int kSlowMs = 250;
constexpr int kPlayMs = 500;
constexpr int kChangedWidth = 150;

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

/// What the colours, patterns and underlines of the outputs mean.
class ClassLegend final : public QWidget {
public:
    explicit ClassLegend(QWidget* parent) : QWidget(parent) {
        QFont small = font();
        small.setPointSizeF(small.pointSizeF() * 0.92);
        setFont(small);
        setAccessibleName(tr("Legend"));
        setAccessibleDescription(tr("Kept: the word itself, solid line. Near: one of its %1 "
                                    "nearest words, dashed line and "
                                    "stripes. Far: any other word, wavy line and dots.")
                                     .arg(kNearNeighbours));
        setToolTip(accessibleDescription());
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }

    [[nodiscard]] QSize sizeHint() const override {
        int width = 0;
        for (const Item& item : items()) {
            width +=
                kSwatchWidth + kTextGap + fontMetrics().horizontalAdvance(item.text) + kItemGap;
        }
        return {width, fontMetrics().height() + 4};
    }

    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Theme theme = themeOf(this);
        int left = 0;
        for (const Item& item : items()) {
            const int top = height() / 2 - kSwatchHeight + 1;
            painter.fillRect(left, top, kSwatchWidth, kSwatchHeight, areaBrush(item.mark, theme));
            drawUnderline(painter, item.mark, theme, left, left + kSwatchWidth,
                          top + kSwatchHeight + 4.0);
            left += kSwatchWidth + kTextGap;
            painter.setPen(theme.mutedText);
            const int width = fontMetrics().horizontalAdvance(item.text);
            painter.drawText(QRect(left, 0, width + 2, height()), Qt::AlignVCenter, item.text);
            left += width + kItemGap;
        }
    }

private:
    static constexpr int kSwatchWidth = 18;
    static constexpr int kSwatchHeight = 9;
    static constexpr int kTextGap = 6;
    static constexpr int kItemGap = 16;

    struct Item {
        OutputMark mark;
        QString text;
    };
    [[nodiscard]] static std::array<Item, 3> items() {
        return {{{OutputMark::kept, tr("kept")},
                 {OutputMark::near, tr("near: one of the %1 nearest words").arg(kNearNeighbours)},
                 {OutputMark::far, tr("far")}}};
    }
};

constexpr qsizetype kMostNamed = 8;

QString nearestText(const LiveWord& word) {
    QStringList parts;
    for (std::size_t i = 0; i < word.neighbours->rows.size() && parts.size() < kMostNamed; ++i) {
        parts.append(
            tr("%1 at %2")
                .arg(toQString(word.word->embedding()->vocabulary().word(word.neighbours->rows[i])),
                     significant(word.neighbours->distances[i], 3)));
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

QString criticalFacts(const LiveWord& word) {
    const CriticalEpsilon& critical = word.critical;
    if (word.distribution.exact) {
        return std::isfinite(critical.median) ? tr("Half-kept ε = %1: from there on the word is "
                                                   "kept with probability ½ or more.")
                                                    .arg(significant(critical.median, 3))
                                              : tr("Kept with probability below ½ at every ε.");
    }
    if (!std::isfinite(critical.median)) {
        return tr("Never kept: another word has the same vector and is returned instead.");
    }
    if (word.distribution.kept >= word.distribution.draws) {
        return critical.high > 0.0 ? tr("Kept in all draws; 95% of them keep it from ε = %1 on.")
                                         .arg(significant(critical.high, 3))
                                   : tr("Kept in all draws, and by 95% of them at every ε.");
    }
    if (critical.median == 0.0) {
        return tr("Half of the draws keep the word at every ε.");
    }
    return tr("Half-kept ε = %1: from there on half of the draws keep the word; 90% of them start "
              "to keep it "
              "between %2 and %3.")
        .arg(significant(critical.median, 3), significant(critical.low, 3),
             std::isfinite(critical.high) ? significant(critical.high, 3) : QStringLiteral("∞"));
}

/// The chosen word in full: how often it survives, what it becomes, its nearest words and its
/// half-kept epsilon.
class WordDetails final : public QWidget {
public:
    explicit WordDetails(QWidget* parent) : QWidget(parent) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(kRowSpacing, 0, kRowSpacing, 0);
        column->setSpacing(kRowSpacing / 2);
        m_heading = addText(headingLabel({}, this), "detailHeadingLabel");
        m_outputs = addText(new QLabel(this), "detailOutputsLabel");
        m_nearest = addText(hintLabel({}, this), "nearestWordsLabel");
        m_facts = addText(hintLabel({}, this), "detailFactsLabel");
        column->addStretch();
    }

    /// word  null: none is chosen
    void showWord(const LiveWord* word) {
        const bool isKnown = word != nullptr && word->freshness != Freshness::waiting;
        m_outputs->setText(isKnown ? outputsText(*word) : QString());
        m_nearest->setText(isKnown ? nearestText(*word) : QString());
        m_facts->setText(isKnown ? criticalFacts(*word) : QString());
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
    [[nodiscard]] QLabel* addText(QLabel* label, const char* objectName) {
        label->setObjectName(QLatin1String(objectName));
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        layout()->addWidget(label);
        return label;
    }

    QLabel* m_heading;
    QLabel* m_outputs;
    QLabel* m_nearest;
    QLabel* m_facts;
};

}  // namespace

LivePanel::LivePanel(AnalysisState& state, QWidget* parent)
    : Panel(parent), m_state(state), m_model(state), m_guesses(new AttackerGuesses(state, this)) {
    setObjectName(QStringLiteral("livePanel"));
    m_model.setActive(false);
    m_guesses->setActive(false);
    m_slowTimer.setSingleShot(true);
    m_slowTimer.setInterval(kSlowMs);
    m_player.setInterval(kPlayMs);
    m_notice = new NoticeLine(this);
    m_pages = new QStackedWidget(this);
    m_pages->setObjectName(QStringLiteral("livePages"));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kRowSpacing);
    layout->addWidget(buildSentenceRow());
    layout->addWidget(m_notice);
    layout->addWidget(m_pages, 1);
    m_limit = new FirstLimit(m_state, this);
    layout->addWidget(m_limit);
    connect(m_limit, &FirstLimit::othersRequested, this, &LivePanel::limitsRequested);

    m_pages->addWidget(emptyStateLabel(
        tr("No embedding yet. Open one with Ctrl+O or drop a file on the window."), m_pages));
    auto* start = new StartPage(m_pages);
    connect(start, &StartPage::exampleChosen, &m_state,
            qOverload<const QString&>(&AnalysisState::lookAt));
    m_pages->addWidget(scrolledPage(start, m_pages));
    m_pages->addWidget(scrolledPage(buildContent(), m_pages));
    connectModel();
    m_sentence->showText(m_state.sentence());
    showReset();
    showValues();
}

QWidget* LivePanel::buildSentenceRow() {
    auto* row = new QWidget(this);
    m_sentence = new SentenceEdit(row);
    m_sample = new QPushButton(tr("S&ample"), row);
    m_sample->setObjectName(QStringLiteral("sampleButton"));
    m_sample->setAccessibleDescription(tr("Shows the next sampled sentence."));
    m_sample->setToolTip(tr("Show the next sampled sentence (Ctrl+Return)"));
    m_play = new QPushButton(row);
    m_play->setObjectName(QStringLiteral("playButton"));
    m_play->setCheckable(true);
    m_play->setAccessibleDescription(
        tr("Shows another sampled sentence every half second until you press it again."));
    m_play->setToolTip(m_play->accessibleDescription());
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
    connect(m_sentence, &QPlainTextEdit::textChanged, this,
            [this] { m_state.lookAt(m_sentence->toPlainText()); });
    connect(m_sample, &QPushButton::clicked, &m_model, &LiveModel::nextSample);
    connect(m_play, &QPushButton::toggled, this, &LivePanel::play);
    connect(&m_player, &QTimer::timeout, &m_model, &LiveModel::nextSample);
    play(false);
    return row;
}

QWidget* LivePanel::buildContent() {
    auto* content = new QWidget(m_pages);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowSpacing);
    layout->addWidget(buildOutputRows());
    layout->addWidget(new UnknownWordsBar(m_model, content));
    layout->addWidget(buildSplitter(), 1);
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
    connect(m_guess, &QPushButton::clicked, m_guesses, &AttackerGuesses::request);
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
    legend->addWidget(new ClassLegend(rows));
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
    m_table = new WordTable(m_model, splitter);
    connect(m_table, &WordTable::entryChosen, &m_model, &LiveModel::select);
    auto* details = new WordDetails(splitter);
    connect(&m_model, &LiveModel::valuesChanged, details,
            [this, details] { details->showWord(m_model.detail()); });
    auto* word = new ColumnScrollArea(splitter);
    word->setObjectName(QStringLiteral("wordScrollArea"));
    word->setAccessibleName(tr("The chosen word"));
    word->setWidget(details);
    splitter->addWidget(m_table);
    splitter->addWidget(word);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({kTableShare, kWordShare});
    moveWithKeys(*splitter, tr("Divider between the table and the chosen word"));
    return splitter;
}

void LivePanel::connectModel() {
    connect(&m_state, &AnalysisState::sentenceChanged, m_sentence,
            [this] { m_sentence->showText(m_state.sentence()); });
    connect(&m_state, &AnalysisState::embeddingChanged, this, &LivePanel::showPage);
    m_state.onChange(&AnalysisSettings::pin, m_table, &WordTable::fit);
    connect(&m_model, &LiveModel::wordsReset, this, &LivePanel::showReset);
    connect(&m_model, &LiveModel::valuesChanged, this, &LivePanel::showValues);
    connect(&m_model, &LiveModel::outputChanged, this, &LivePanel::showOutput);
    connect(&m_model.outputJob(), &JobRunnerBase::started, &m_slowTimer,
            qOverload<>(&QTimer::start));
    connect(&m_model.outputJob(), &JobRunnerBase::finished, this, &LivePanel::showStatus);
    connect(&m_slowTimer, &QTimer::timeout, this, &LivePanel::showStatus);
    connect(m_guesses, &AttackerGuesses::changed, this, &LivePanel::showOutput);
    const auto showProgress = [this] {
        m_changed->setText(changedText(m_guesses->shownFor(m_model.output())));
    };
    connect(&m_guesses->job(), &JobRunnerBase::started, this, showProgress);
    connect(&m_guesses->job(), &JobRunnerBase::progressChanged, this, showProgress);
}

QString LivePanel::title() const {
    return tr("Choose");
}

bool LivePanel::handles(PanelCommand command) const {
    return command == PanelCommand::sample || command == PanelCommand::focusSentence;
}

void LivePanel::execute(PanelCommand command) {
    if (command == PanelCommand::sample) {
        m_model.nextSample();
    } else if (command == PanelCommand::focusSentence) {
        m_sentence->setFocus(Qt::ShortcutFocusReason);
        m_sentence->selectAll();
    }
}

QWidget* LivePanel::firstControl() const {
    return m_sentence;
}

void LivePanel::showEvent(QShowEvent* event) {
    Panel::showEvent(event);
    m_model.setActive(true);
    m_guesses->setActive(true);
}

void LivePanel::hideEvent(QHideEvent* event) {
    Panel::hideEvent(event);
    m_play->setChecked(false);
    m_model.setActive(false);
    m_guesses->setActive(false);
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
    m_sample->setEnabled(hasEmbedding && !m_model.words().empty());
    m_play->setEnabled(m_sample->isEnabled());
    if (!m_play->isEnabled()) {
        m_play->setChecked(false);
    }
    m_pages->setCurrentIndex(!hasEmbedding ? noEmbeddingPage
                             : hasSentence ? contentPage
                                           : startPage);
}

void LivePanel::showReset() {
    showPage();
    m_output->forgetHeight();
    m_table->fit();
}

void LivePanel::showValues() {
    showOutput();
    m_table->showEntry(m_model.detailIndex());
    std::vector<KeptWord> kept;
    for (const LiveWord& word : m_model.words()) {
        if (word.word && word.freshness == Freshness::current && word.distribution.draws > 0) {
            kept.push_back({word.typed, word.distribution.kept / word.distribution.draws});
        }
    }
    m_limit->judge(std::move(kept));
    m_notice->follow(problem());
}

void LivePanel::showOutput() {
    m_guesses->setSentence(m_model.output());
    const auto guesses = m_guesses->shownFor(m_model.output());
    m_guess->setVisible(m_guesses->awaitsRequest());
    m_guess->setToolTip(m_guesses->assumption());
    m_output->setSentence(m_model.output(), m_model.pinnedOutput(), guesses);
    m_output->setGuessNote(m_guesses->assumption());
    m_output->setSelectedEntry(m_model.detailIndex());
    m_changed->setText(changedText(guesses));
    showStatus();
}

QString LivePanel::unknownText(int unknown) const {
    switch (m_model.state().textPolicies().unknownWords) {
        case release::UnknownPolicy::mask:
            return tr(", %1 unknown").arg(unknown);
        case release::UnknownPolicy::random:
            return tr(", %1 unknown (any word)").arg(unknown);
        case release::UnknownPolicy::drop:
            return tr(", %1 unknown (dropped)").arg(unknown);
        case release::UnknownPolicy::keep:
            return tr(", ⚠ %1 unknown, unprotected").arg(unknown);
    }
    return {};
}

QString LivePanel::changedText(const std::optional<std::vector<ShownGuess>>& guesses) const {
    const SampledSentence& output = m_model.output();
    const bool isPending =
        std::any_of(output.words.begin(), output.words.end(),
                    [](const SampledWord& word) { return word.row && !word.output.row; });
    if (output.words.empty() || isPending) {
        return {};
    }
    QString text = tr("changed %1 of %2").arg(output.changed).arg(output.known);
    if (output.unknown > 0) {
        text += unknownText(output.unknown);
    }
    if (!guesses) {
        return text + tr("\nattacker: on request");
    }
    const auto countIf = [&guesses](auto&& isCounted) {
        return static_cast<int>(std::count_if(guesses->begin(), guesses->end(), isCounted));
    };
    const int known = countIf([](const ShownGuess& guess) { return !guess.text.isEmpty(); });
    if (known < output.known && m_guesses->job().isRunning()) {
        return text + tr("\ncomputing guesses:\n%1").arg(m_guesses->progressText());
    }
    const int right = countIf([](const ShownGuess& guess) { return guess.isRight; });
    return text + tr("\nguessed correctly: %1\n%: such guesses that are right")
                      .arg(known == output.known ? QString::number(right) : QStringLiteral("…"));
}

void LivePanel::showStatus() {
    QStringList parts;
    m_rest->setVisible(m_model.typedWords() > kMostWords);
    m_rest->setText(
        tr("The text has %1 words; the first %2 are shown.")
            .arg(counted(static_cast<qint64>(m_model.typedWords())), counted(kMostWords)));
    if (!m_model.words().empty()) {
        parts.append(tr("sample %1 of %2")
                         .arg(counted(m_model.sampleIndex() + 1), counted(m_model.drawsUsed())));
    }
    if (m_state.mechanism().isExact() && !m_model.words().empty()) {
        parts.append(tr("probabilities exact"));
    }
    if (m_model.outputJob().isRunning() && !m_slowTimer.isActive()) {
        parts.append(tr("computing…"));
    }
    m_status->setText(parts.join(tr(" · ")));
}

std::optional<Notice> LivePanel::problem() {
    const Error* error = m_model.problem();
    if (error == nullptr) {
        return std::nullopt;
    }
    Notice notice = noticeFor(*error);
    if (error->code == ErrorCode::unsupported && m_state.basis()) {
        const double usable = mechanism::largestUsableLambda(*m_state.basis());
        if (usable < m_state.mechanism().lambda()) {
            notice.actions.append({tr("Use λ = %1").arg(shortest(usable)), [this, usable] {
                                       m_state.edit(&AnalysisSettings::setParameters,
                                                    {.lambda = usable});
                                   }});
        }
    }
    notice.closable = false;
    return notice;
}

}  // namespace epsilens::ui::live
