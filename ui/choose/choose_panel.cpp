#include "ui/choose/choose_panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <QtWidgets>

#include "core/base/error.h"
#include "core/calibration/limits.h"
#include "core/embedding/load.h"
#include "core/report/memo_words.h"
#include "ui/choose/output_view.h"
#include "ui/choose/word_table.h"
#include "ui/state/analysis_state.h"
#include "ui/state/output_mark.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui::choose {

namespace {

using calibration::Limit;
using calibration::LimitAggregate;
using calibration::LimitRelation;
using calibration::LimitStatistic;

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
    auto* row = rowOf({}, kRowSpacing);
    legend->setLayout(row);
    for (const auto& [mark, text] :
         {std::pair{OutputMark::kept, tr("kept")},
          std::pair{OutputMark::near, tr("near: one of the %1 nearest words").arg(kNearNeighbours)},
          std::pair{OutputMark::far, tr("far")}}) {
        row->addWidget(new Swatch(mark, legend));
        row->addWidget(hintLabel(text, legend));
    }
    row->addStretch();
    return legend;
}

struct Share {
    LimitAggregate aggregate;
    int words;
};
constexpr std::array kShares{Share{LimitAggregate::p50, 50}, Share{LimitAggregate::p75, 75},
                             Share{LimitAggregate::p95, 95}, Share{LimitAggregate::p99, 99},
                             Share{LimitAggregate::max, 100}};
constexpr const Share& kUsualShare = kShares[2];

const Share* shareOf(LimitAggregate aggregate) {
    const auto* share = std::ranges::find(kShares, aggregate, &Share::aggregate);
    return share == kShares.end() ? nullptr : share;
}

bool isSentence(const Limit& limit) {
    return limit.statistic == LimitStatistic::nw && limit.percent &&
           limit.relation == LimitRelation::atMost && shareOf(limit.aggregate) != nullptr;
}

Result<std::vector<Limit>> limitsOf(const QString& typed) {
    std::vector<Limit> limits;
    for (const QString& text : typed.split(QLatin1Char(';'))) {
        if (!text.trimmed().isEmpty()) {
            ASSIGN_OR_RETURN(limits.emplace_back(), calibration::parseLimit(toStd(text.trimmed())));
        }
    }
    return limits;
}

/// Others than that of the sentence, each with its usual value.
constexpr std::array kOtherLimits{
    Limit{LimitStatistic::sw, LimitAggregate::p5, LimitRelation::atLeast, 20.0, false},
    Limit{LimitStatistic::kept, LimitAggregate::mean, LimitRelation::atMost, 50.0, true},
    Limit{LimitStatistic::near, LimitAggregate::mean, LimitRelation::atLeast, 25.0, true},
    Limit{LimitStatistic::far, LimitAggregate::mean, LimitRelation::atMost, 50.0, true},
    Limit{LimitStatistic::minEntropy, LimitAggregate::p5, LimitRelation::atLeast, 2.0, false},
    Limit{LimitStatistic::shannonEntropy, LimitAggregate::p5, LimitRelation::atLeast, 3.0, false}};

/// The usual first limit as a sentence to fill in: how often a word may be kept, for how many of
/// the words. A number makes the limit, and an emptied field takes it away; others are chosen as
/// sentences of a menu. Below it stands which words of the text are kept more often.
class KeptLimitEditor final : public QWidget {
public:
    KeptLimitEditor(ChooseModel& model, QWidget* parent)
        : QWidget(parent),
          m_model(model),
          m_state(model.state()),
          m_kept(described(
              new NumberField({0.0, 100.0, false, true, tr("draws"), true}, this), "keptLimitField",
              tr("How many of 100 draws may keep a word, at most"),
              tr("A number from 0 to 100 sets this limit; an empty field sets none. Usual: 50."))),
          m_words(described(new QComboBox(this), "keptLimitWordsComboBox",
                            tr("How many of 100 words this must hold for"),
                            tr("The other words may be kept more often. 100: none may."))),
          m_others(described(new QPushButton(this), "otherLimitsButton", tr("Other limits"),
                             tr("Offers limits on other figures, and takes them away again."))) {
        setObjectName(QStringLiteral("keptLimit"));
        m_kept->setPlaceholderText(tr("no limit"));
        for (const Share& share : kShares) {
            m_words->addItem(QString::number(share.words));
        }
        m_words->setPlaceholderText(QString::number(kUsualShare.words));
        guardWheel(m_words);
        m_exceptions->setTextFormat(Qt::PlainText);  // typed words stand in it
        arrange();
        auto* menu = new QMenu(m_others);
        menu->setObjectName(QStringLiteral("limitsMenu"));
        openFrom(*m_others, *menu);
        connect(menu, &QMenu::aboutToShow, this, [this, menu] {
            menu->clear();
            fillMenu(*menu);
            menu->addSeparator();
            menu->addAction(tr("&Type limits as formulas…"), this,
                            &KeptLimitEditor::askForFormulas);
        });
        connect(m_kept, &NumberField::valueEdited, this, &KeptLimitEditor::setLimit);
        connect(m_kept, &NumberField::problemChanged, m_problem,
                [this](const QString& problem) { showProblem(*m_problem, problem); });
        connect(m_words, &QComboBox::activated, this, [this] {
            if (const Limit* limit = own()) {
                setLimit(limit->value);
            }
        });
        connect(&m_model, &ChooseModel::valuesChanged, this, &KeptLimitEditor::showExceptions);
        m_state.onChange(&AnalysisSettings::limits, this, &KeptLimitEditor::showLimit);
        showLimit();
    }

protected:
    void resizeEvent(QResizeEvent* /*event*/) override {
        constexpr int kOneLine = 760;
        m_sentence->setDirection(width() < scaledToText(kOneLine, fontMetrics())
                                     ? QBoxLayout::TopToBottom
                                     : QBoxLayout::LeftToRight);
    }

private:
    [[nodiscard]] QString wordsOf(const Limit& limit) const {
        return toQString(report::limitWords(limit, m_state.draws()));
    }
    /// What can occur at most.
    [[nodiscard]] double mostOf(const Limit& limit) const {
        const double draws = m_state.draws();
        return limit.percent ? 100.0
               : limit.statistic == LimitStatistic::sw || m_state.mechanism().isExact()
                   ? draws
                   : std::floor(std::log2(draws));
    }
    void fillMenu(QMenu& menu) {
        for (Limit limit : kOtherLimits) {
            limit.value = std::min(limit.value, mostOf(limit));
            menu.addAction(tr("%1…").arg(wordsOf(limit)), this, [this, limit] { askFor(limit); });
        }
        menu.addSeparator();
        for (const Limit& limit : m_state.limits()) {
            menu.addAction(tr("Remove: %1").arg(wordsOf(limit)), this, [this, limit] {
                m_state.edit(
                    [&](AnalysisSettings& settings) { std::erase(settings.limits, limit); });
            });
        }
    }
    void askFor(const Limit& offered) {
        auto* dialog = new QInputDialog(this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setObjectName(QStringLiteral("limitDialog"));
        dialog->setWindowTitle(tr("Limit"));
        dialog->setInputMode(QInputDialog::IntInput);
        dialog->setIntRange(0, static_cast<int>(mostOf(offered)));
        const auto with = [offered](int value) {
            Limit limit = offered;
            limit.value = value;
            return limit;
        };
        const auto say = [this, dialog, with](int value) {
            dialog->setLabelText(wordsOf(with(value)));
        };
        connect(dialog, &QInputDialog::intValueChanged, dialog, say);
        connect(dialog, &QInputDialog::intValueSelected, this, [this, with](int value) {
            m_state.edit([&](AnalysisSettings& settings) {
                std::erase_if(settings.limits, [&](Limit limit) {
                    limit.value = value;
                    return limit == with(value);
                });
                settings.limits.push_back(with(value));
            });
        });
        dialog->setIntValue(static_cast<int>(offered.value));
        say(dialog->intValue());
        dialog->open();
    }
    /// All limits as the command line has them; below stand their sentences, or what is wrong.
    void askForFormulas() {
        auto* dialog = new QInputDialog(this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setObjectName(QStringLiteral("limitsDialog"));
        dialog->setWindowTitle(tr("Limits"));
        QStringList typed;
        for (const Limit& limit : m_state.limits()) {
            typed.append(toQString(calibration::limitText(limit)));
        }
        dialog->setTextValue(typed.join(QStringLiteral("; ")));
        const auto say = [this, dialog](const QString& text) {
            const auto limits = limitsOf(text);
            QStringList said{
                tr("Separated by semicolons: nw.p95<=50%; sw.p5>=20. Of: nw (how often a word is "
                   "kept), sw (different outputs), kept, near, far (shares of the outputs), "
                   "minEntropy, shannonEntropy (bits), meanDistance, meanCosine. Over words: mean, "
                   "min, max, p1, p5, p25, p50, p75, p95, p99. A percentage is one of the draws.")};
            if (limits) {
                std::ranges::transform(*limits, std::back_inserter(said),
                                       [this](const Limit& limit) { return wordsOf(limit); });
            } else {
                said.append(tr("⚠ %1").arg(toQString(limits.error().message)));
            }
            dialog->setLabelText(said.join(QLatin1Char('\n')));
            dialog->findChild<QDialogButtonBox*>()
                ->button(QDialogButtonBox::Ok)
                ->setEnabled(limits.has_value());
        };
        connect(dialog, &QInputDialog::textValueChanged, dialog, say);
        connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& text) {
            m_state.edit(&AnalysisSettings::limits, limitsOf(text).value_or(m_state.limits()));
        });
        dialog->open();
        dialog->findChild<QLabel*>()->setWordWrap(true);
        say(dialog->textValue());
    }
    void arrange() {
        constexpr int kKeptWidth = 68;  // of "no limit"
        constexpr int kWordsWidth = 60;
        keepFieldWidth(m_kept, kKeptWidth);
        keepFieldWidth(m_words, kWordsWidth);
        auto* kept = rowOf({}, kRowSpacing / 2);
        addLabelled(*kept, tr("At mos&t"), m_kept);
        kept->addWidget(new QLabel(tr("of 100 draws may keep a word,"), this), 1);
        auto* words = rowOf({}, kRowSpacing / 2);
        addLabelled(*words, tr("for"), m_words);
        auto* rest = new QLabel(tr("of 100 words of the vocabulary."), this);
        rest->setWordWrap(true);
        words->addWidget(rest, 1);
        words->addWidget(m_others);
        m_sentence->setSpacing(kRowSpacing / 2);
        m_sentence->addLayout(kept);
        m_sentence->addLayout(words, 1);
        columnIn(this, 0, {m_problem, m_exceptions})->insertLayout(0, m_sentence);
    }
    [[nodiscard]] const Limit* own() const {
        const auto found = std::ranges::find_if(m_state.limits(), isSentence);
        return found == m_state.limits().end() ? nullptr : &*found;
    }
    void showLimit() {
        const Limit* limit = own();
        m_kept->setValue(limit != nullptr ? limit->value : std::nan(""));
        m_words->setCurrentIndex(
            limit != nullptr ? static_cast<int>(shareOf(limit->aggregate) - kShares.begin()) : -1);
        const auto others = std::ssize(m_state.limits()) - (limit != nullptr ? 1 : 0);
        m_others->setText(others > 0 ? tr("%1 more…").arg(counted(others)) : tr("Add…"));
        showExceptions();
    }
    void showExceptions() {
        constexpr int kAll = 100;
        constexpr qsizetype kMostNamed = 6;
        const Limit* limit = own();
        std::vector<std::pair<double, QString>> text;  // share of the draws that keep a word
        for (const TextWord& word : m_model.words()) {
            if (word.occurrences > 0 && word.outputs && !m_model.isStale()) {
                text.emplace_back(word.distribution.kept / word.distribution.draws, word.typed);
            }
        }
        std::ranges::stable_sort(text, std::greater{}, [](const auto& word) { return word.first; });
        QStringList above;
        for (const auto& [share, typed] : text) {
            if (limit != nullptr && share * kAll > limit->value) {
                above.append(tr("“%1” (%2 of 100)").arg(typed).arg(std::lround(share * kAll)));
            }
        }
        const auto count = above.size();
        m_exceptions->setVisible(count > 0);
        if (count == 0) {
            return;
        }
        const bool areTooMany =
            count * kAll > std::ssize(text) * (kAll - shareOf(limit->aggregate)->words);
        const QString named = above.mid(0, kMostNamed).join(QStringLiteral(", "));
        m_exceptions->setText(
            (areTooMany
                 ? tr("⚠ Your text is kept more than the limit says of the vocabulary: %1 of %2 "
                      "words exceed it, %3.")
                 : tr("Kept more often in your text: %1 of %2 words, %3."))
                .arg(count)
                .arg(text.size())
                .arg(count > kMostNamed
                         ? tr("%1, and %2 more words").arg(named).arg(count - kMostNamed)
                         : named));
    }
    void setLimit(double kept) {
        std::vector<Limit> limits = m_state.limits();
        auto place = std::ranges::find_if(limits, isSentence);
        if (!std::isnan(kept)) {
            if (place == limits.end()) {
                place = limits.insert(place, Limit{});
            }
            const int chosen = m_words->currentIndex();
            const Share& share =
                chosen < 0 ? kUsualShare : kShares.at(static_cast<std::size_t>(chosen));
            *place = {LimitStatistic::nw, share.aggregate, LimitRelation::atMost, kept, true};
        } else if (place != limits.end()) {
            limits.erase(place);
        }
        m_state.edit(&AnalysisSettings::limits, std::move(limits));
    }

    ChooseModel& m_model;
    AnalysisState& m_state;
    NumberField* m_kept;
    QComboBox* m_words;
    QPushButton* m_others;
    QBoxLayout* m_sentence = new QBoxLayout(QBoxLayout::LeftToRight);
    QLabel* m_problem = wrapped(hintLabel({}, this), "keptLimitProblemLabel");
    QLabel* m_exceptions = wrapped(new QLabel(this), "keptLimitExceptionsLabel");
};

class Choose final : public ChoosePanel {
public:
    explicit Choose(AnalysisState& state) : m_state(state), m_model(state) {
        setObjectName(QStringLiteral("choosePanel"));
        m_model.setActive(false);
        m_player.setInterval(500);
        m_notice = new NoticeLine(this);
        // Tab goes as they stand below each other.
        QWidget* sentence = buildSentenceRow();
        m_examples = withLinks(emptyStateLabel({}, this), "examplesLabel");
        connect(m_examples, &QLabel::linkActivated, this, [this](const QString& number) {
            m_state.setSentence(toQString(embedding::exampleSentences().at(number.toUInt())));
        });
        m_rows = buildOutputRows();
        buildUnknown();
        m_words = buildWords();
        m_limit = new KeptLimitEditor(m_model, this);
        auto* page = new QWidget(this);
        QVBoxLayout* column = columnIn(
            page, kRowSpacing,
            {sentence, m_notice, m_examples, m_rows, m_unknown, m_words, m_limit}, kPanelMargin);
        column->setStretchFactor(m_examples, 1);
        column->setStretchFactor(m_words, 1);
        columnIn(this, 0, {scrolledPage(page, this)});
        connect(&m_state, &AnalysisState::sentenceChanged, this, &Choose::showText);
        connect(&m_state, &AnalysisState::embeddingChanged, this, &Choose::showPage);
        connect(&m_model, &ChooseModel::spellingsChanged, this, &Choose::showUnknown);
        connect(&m_model, &ChooseModel::wordsReset, this, &Choose::showPage);
        connect(&m_model, &ChooseModel::wordsReset, m_output, &OutputView::forgetHeight);
        connect(&m_model, &ChooseModel::valuesChanged, this, &Choose::showValues);
        connect(&m_model, &ChooseModel::outputChanged, this, &Choose::showOutput);
        showText();
        showExamples();
        showPage();
        showValues();
    }

    [[nodiscard]] QString title() const override { return tr("Choose"); }
    [[nodiscard]] QWidget* firstControl() const override { return m_sentence; }
    void commitText() override {
        if (m_sentence->toPlainText() != m_state.sentence()) {
            m_state.setSentence(m_sentence->toPlainText());
        }
    }

    [[nodiscard]] ChooseModel& model() override { return m_model; }

protected:
    void showEvent(QShowEvent* event) override {
        ChoosePanel::showEvent(event);
        m_model.setActive(true);
    }
    void hideEvent(QHideEvent* event) override {
        ChoosePanel::hideEvent(event);
        m_play->setChecked(false);
        m_model.setActive(false);
    }

private:
    [[nodiscard]] QWidget* buildSentenceRow() {
        auto* row = new QWidget(this);
        m_sentence = new SentenceEdit(row);
        m_sample = described(new QPushButton(tr("S&ample"), row), "sampleButton", {},
                             tr("Shows the next sampled sentence (Ctrl+Return)."));
        m_play = described(
            new QPushButton(row), "playButton", {},
            tr("Shows another sampled sentence every half second until you press it again."));
        m_play->setCheckable(true);
        auto* label = new QLabel(tr("Te&xt"), row);
        keepFieldWidth(label, kLabelWidth);
        label->setBuddy(m_sentence);
        followFont(label, [this, label](const QFontMetrics&) {
            label->setMinimumHeight(m_sentence->minimumSizeHint().height());
        });

        auto* layout = rowOf({m_sentence, m_sample, m_play}, kRowSpacing);
        layout->insertWidget(0, label);
        for (QWidget* part : std::initializer_list<QWidget*>{label, m_sample, m_play}) {
            layout->setAlignment(part, Qt::AlignTop);
        }
        row->setLayout(layout);
        // Of keys that come faster than their answers only the last one is answered.
        const auto take = [this] {
            if (!m_typing.isActive() && m_sentence->toPlainText() != m_state.sentence()) {
                commitText();
                m_typing.start();
            }
        };
        m_typing.setSingleShot(true);
        connect(m_sentence, &QPlainTextEdit::textChanged, this, take);
        connect(&m_typing, &QTimer::timeout, this, take);
        connect(m_sample, &QPushButton::clicked, &m_model, &ChooseModel::nextSample);
        connect(m_play, &QPushButton::toggled, this, &Choose::play);
        connect(&m_player, &QTimer::timeout, &m_model, &ChooseModel::nextSample);
        play(false);
        return row;
    }
    void buildUnknown() {
        m_unknown = withLinks(new QLabel(this), "unknownWordsLabel");
        m_unknown->setAccessibleName(tr("Unknown words"));
        connect(m_unknown, &QLabel::linkActivated, this, [this](const QString& number) {
            const auto [unknown, spelling] = m_offers.at(number.toInt());
            m_model.replaceUnknown(unknown, spelling);
        });
    }
    [[nodiscard]] QWidget* buildWords() {
        auto* splitter = new QSplitter(Qt::Horizontal, this);
        splitter->setObjectName(QStringLiteral("chooseSplitter"));
        splitter->setChildrenCollapsible(false);
        auto* word = new ColumnScrollArea(splitter);
        word->setObjectName(QStringLiteral("wordScrollArea"));
        word->setAccessibleName(tr("The chosen word"));
        word->setWidget(newWordDetails(m_model, word));
        splitter->addWidget(newWordTable(m_model, splitter));
        splitter->addWidget(word);
        splitter->setStretchFactor(0, 3);
        splitter->setStretchFactor(1, 2);
        splitter->setSizes({545, 310});  // all columns but the last, and what is said of a word
        moveWithKeys(*splitter, tr("Divider between the table and the chosen word"));
        return splitter;
    }
    [[nodiscard]] QWidget* buildOutputRows() {
        auto* rows = new QWidget(this);
        m_output = new OutputView(rows);
        m_output->setObjectName(QStringLiteral("outputView"));
        m_guess =
            described(new QPushButton(tr("&Guess"), rows), "guessButton", {},
                      tr("Computes what an attacker guesses behind the words at this setting."));
        connect(m_guess, &QPushButton::clicked, &m_model, &ChooseModel::requestGuesses);
        m_rest = wrapped(hintLabel({}, rows), "restOfTextLabel");
        m_status = wrapped(new QLabel(rows), "chooseStatusLabel");
        columnIn(rows, 4, {m_output, m_rest, classLegend(rows)})
            ->insertLayout(2, rowOf({m_status, m_guess}, kRowSpacing));
        connect(m_output, &OutputView::entryChosen, &m_model, &ChooseModel::select);
        return rows;
    }
    void play(bool isOn) {
        m_play->setText(isOn ? tr("Pause") : tr("Play"));
        isOn ? m_player.start() : m_player.stop();
    }
    void showText() {
        if (m_sentence->toPlainText() != m_state.sentence()) {
            m_sentence->setPlainText(m_state.sentence());
        }
    }
    void showExamples() {
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
    /// One line for each of the first unknown words, with the nearest spellings as links, and one
    /// that counts the others; nothing until typing has paused and the spellings are known.
    void showUnknown() {
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
            const QString unknown = tr("⚠ “%1” is unknown.").arg(word.left(24).toHtmlEscaped());
            lines.append(links.empty()
                             ? unknown
                             : tr("%1 Did you mean %2?").arg(unknown, links.join(tr(", "))));
        }
        if (const auto others = words.size() - kUnknownLookedUp; !lines.empty() && others > 0) {
            lines.append(others == 1 ? tr("and 1 more unknown word")
                                     : tr("and %1 more unknown words").arg(counted(others)));
        }
        m_unknown->setText(lines.join(QStringLiteral("<br>")));
        m_unknown->setVisible(!lines.empty());
    }
    void showPage() {
        const bool hasEmbedding = m_state.searchSpace() != nullptr;
        const bool hasSentence = !m_state.sentence().trimmed().isEmpty();
        m_sentence->setEnabled(hasEmbedding);
        m_limit->setVisible(hasEmbedding);
        m_sample->setEnabled(hasEmbedding && m_model.distinctWords() > 0);
        m_play->setEnabled(m_sample->isEnabled());
        if (!m_play->isEnabled()) {
            m_play->setChecked(false);
        }
        m_examples->setVisible(!hasSentence);
        m_rows->setVisible(hasSentence);
        m_words->setVisible(hasSentence);
    }
    void showValues() {
        showOutput();
        const Error* problem = m_model.problem();
        m_notice->follow(problem != nullptr ? std::optional(noticeFor(*problem)) : std::nullopt);
    }
    void showOutput() {
        const bool awaitsRequest = m_model.awaitsRequest();
        const QString assumption = m_model.assumption();
        m_guess->setVisible(awaitsRequest);
        m_guess->setToolTip(assumption);
        m_output->setSentence(
            m_model.output(), m_model.pinnedOutput(),
            m_state.searchSpace() && !awaitsRequest ? std::optional(assumption) : std::nullopt);
        m_output->setSelectedEntry(m_model.detailIndex());
        m_rest->setVisible(m_model.typedWords() > kMostWords);
        m_rest->setText(
            tr("The text has %1 words; the first %2 are shown.")
                .arg(counted(static_cast<qint64>(m_model.typedWords())), counted(kMostWords)));
        QStringList parts = changedParts();
        if (m_model.distinctWords() > 0) {
            parts.append(
                tr("sample %1 of %2")
                    .arg(counted(m_model.sampleIndex() + 1), counted(m_model.drawsUsed())));
            if (m_state.mechanism().isExact()) {
                parts.append(tr("probabilities exact"));
            }
        }
        m_status->setText(parts.join(tr(" · ")));
    }
    [[nodiscard]] QStringList changedParts() const {
        const SampledSentence& output = m_model.output();
        const auto countIf = [&output](auto&& isCounted) {
            return static_cast<int>(std::ranges::count_if(output.words, isCounted));
        };
        if (output.words.empty() ||
            countIf([](const SampledWord& word) { return word.row && !word.output.row; }) > 0) {
            return {};
        }
        QString changed = tr("changed %1 of %2").arg(output.changed).arg(output.known);
        if (output.unknown > 0) {
            changed += (m_state.textPolicies().unknownWords == release::UnknownPolicy::keep
                            ? tr(", ⚠ %1 unknown, unprotected")
                            : tr(", %1 unknown"))
                           .arg(output.unknown);
        }
        if (m_model.awaitsRequest()) {
            return {changed, tr("attacker: on request")};
        }
        const int guessed =
            countIf([](const SampledWord& word) { return !word.guess.text.isEmpty(); });
        const int right = countIf([](const SampledWord& word) { return word.guess.isRight; });
        return {changed,
                tr("guessed right: %1 of %2 (%: how often that is right)")
                    .arg(guessed == output.known ? QString::number(right) : QStringLiteral("…"))
                    .arg(output.known)};
    }

    AnalysisState& m_state;
    ChooseModel m_model;
    QPlainTextEdit* m_sentence = nullptr;
    QPushButton* m_sample = nullptr;
    QPushButton* m_play = nullptr;
    QTimer m_player;
    QTimer m_typing;  ///< runs until the keys at hand are handled
    NoticeLine* m_notice = nullptr;
    QLabel* m_examples = nullptr;  ///< in place of the next two where there is no text
    QWidget* m_rows = nullptr;
    QWidget* m_words = nullptr;
    QWidget* m_limit = nullptr;
    QLabel* m_unknown = nullptr;
    QList<std::pair<QString, QString>> m_offers;  ///< unknown words and spellings in their place
    OutputView* m_output = nullptr;
    QPushButton* m_guess = nullptr;  ///< where guesses are made on request
    QLabel* m_rest = nullptr;        ///< how much of the text is not shown
    QLabel* m_status = nullptr;
};

}  // namespace

ChoosePanel* newChoosePanel(AnalysisState& state) {
    return new Choose(state);
}

}  // namespace epsilens::ui::choose
