#include "ui/live/live_panel.h"

#include <algorithm>

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "core/mechanism/elliptical_noise.h"
#include "ui/live/class_legend.h"
#include "ui/live/first_limit.h"
#include "ui/live/output_view.h"
#include "ui/live/stacked_bar_delegate.h"
#include "ui/live/start_page.h"
#include "ui/live/unknown_words_bar.h"
#include "ui/live/word_details.h"
#include "ui/widgets/column_scroll_area.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/fitted_columns.h"
#include "ui/widgets/focus_frame.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/splitter_keys.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui::live {

namespace {

constexpr int kSlowMs = 250;
constexpr int kMostCharacters = 1'000'000;  ///< of the sentence; Qt's own limit cuts sooner
constexpr int kLeastRowHeight = 28;
constexpr int kNumberColumnWidth = 50;
constexpr int kCriticalColumnWidth = 82;
constexpr int kLeastWordWidth = 80;
constexpr int kMostWordWidth = 180;
constexpr int kChangedWidth = 150;

// Of the width: all columns but the last, and the icons of the chosen word in rows of ten.
constexpr int kTableShare = 570;
constexpr int kWordShare = 270;

enum Page { noEmbeddingPage, startPage, contentPage };

QString headerStyle(const Theme& theme) {
    return QStringLiteral(
               "QHeaderView { background: %1; } QHeaderView::section { background: %1; color: %2; "
               "border: none; border-bottom: 1px solid %3; padding: 4px 6px; }")
        .arg(theme.surface.name(), theme.mutedText.name(), theme.border.name());
}

/// A label, also one without text, of the width that the labels of all rows have.
QLabel* rowLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    followFont(label, [label](const QFontMetrics& metrics) {
        label->setFixedWidth(scaledToText(kLabelWidth, metrics));
    });
    return label;
}

}  // namespace

LivePanel::LivePanel(AnalysisState& state, SessionResults& results, QWidget* parent)
    : Panel(parent), m_state(state), m_results(results), m_model(state), m_words(m_model) {
    setObjectName(QStringLiteral("livePanel"));
    m_model.setActive(false);
    m_slowTimer.setSingleShot(true);
    m_slowTimer.setInterval(kSlowMs);
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
    applyTheme();
    takeSentence();
    showReset();
    showPinned();
    showValues();
}

QWidget* LivePanel::buildSentenceRow() {
    auto* row = new QWidget(this);
    m_sentence = new QLineEdit(row);
    m_sentence->setObjectName(QStringLiteral("sentenceLineEdit"));
    m_sentence->setMaxLength(kMostCharacters);
    m_sentence->setPlaceholderText(tr("Type a sentence"));
    m_sentence->setAccessibleName(tr("Sentence"));
    m_sentence->setAccessibleDescription(
        tr("The text whose words pass through the mechanism. It is not stored."));
    m_sentence->setToolTip(m_sentence->accessibleDescription());
    m_sentence->setClearButtonEnabled(true);
    // Input methods must not learn from confidential text.
    m_sentence->setInputMethodHints(Qt::ImhSensitiveData | Qt::ImhNoPredictiveText);
    m_sample = new QPushButton(tr("S&ample"), row);
    m_sample->setObjectName(QStringLiteral("sampleButton"));
    m_sample->setAccessibleDescription(tr("Shows the next sampled sentence."));
    m_sample->setToolTip(tr("Show the next sampled sentence (Ctrl+Return)"));
    auto* label = rowLabel(tr("Sen&tence"), row);
    label->setBuddy(m_sentence);

    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowSpacing);
    layout->addWidget(label);
    layout->addWidget(m_sentence, 1);
    layout->addWidget(m_sample);
    connect(m_sentence, &QLineEdit::textChanged, &m_state,
            qOverload<const QString&>(&AnalysisState::lookAt));
    connect(m_sample, &QPushButton::clicked, &m_model, &LiveModel::nextSample);
    return row;
}

QWidget* LivePanel::buildContent() {
    auto* content = new QWidget(m_pages);
    m_unknown = new UnknownWordsBar(m_model, content);
    m_unknown->setObjectName(QStringLiteral("unknownWordsBar"));
    connect(m_unknown, &UnknownWordsBar::replacementChosen, &m_model, &LiveModel::replaceUnknown);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowSpacing);
    layout->addWidget(buildOutputRows());
    layout->addWidget(m_unknown);
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
    m_status = hintLabel({}, rows);
    m_status->setObjectName(QStringLiteral("liveStatusLabel"));
    m_status->setAlignment(Qt::AlignRight | Qt::AlignVCenter);

    auto* label = rowLabel(tr("Output"), rows);
    auto* output = new QHBoxLayout;
    output->setSpacing(kRowSpacing);
    output->addWidget(label, 0, Qt::AlignTop);
    output->addWidget(m_output, 1);
    output->addWidget(m_changed, 0, Qt::AlignTop);
    auto* legend = new QHBoxLayout;
    legend->setSpacing(kRowSpacing);
    legend->addWidget(rowLabel({}, rows));
    legend->addWidget(new ClassLegend(rows));
    legend->addWidget(m_status, 1);
    auto* layout = new QVBoxLayout(rows);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(output);
    layout->addLayout(legend);
    connect(m_output, &OutputView::entryChosen, this, &LivePanel::choose);
    return rows;
}

QSplitter* LivePanel::buildSplitter() {
    auto* splitter = new QSplitter(Qt::Horizontal, m_pages);
    splitter->setObjectName(QStringLiteral("liveSplitter"));
    splitter->setChildrenCollapsible(false);
    buildTable();
    m_details = new WordDetails(m_model, m_results, splitter);
    auto* word = new QScrollArea(splitter);
    word->setObjectName(QStringLiteral("wordScrollArea"));
    word->setAccessibleName(tr("The chosen word"));
    word->setFrameShape(QFrame::NoFrame);
    word->setWidgetResizable(true);
    word->setWidget(m_details);
    followFont(word, [this, word](const QFontMetrics&) {
        word->setMinimumWidth(m_details->minimumSizeHint().width() +
                              word->verticalScrollBar()->sizeHint().width());
    });
    splitter->addWidget(m_table);
    splitter->addWidget(word);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({kTableShare, kWordShare});
    moveWithKeys(*splitter, tr("Divider between the table and the chosen word"));
    return splitter;
}

void LivePanel::buildTable() {
    m_table = new QTableView(m_pages);
    m_table->setObjectName(QStringLiteral("wordTableView"));
    m_table->setModel(&m_words);
    describeRows(*m_table, [](int rows) {
        return tr("Words of the sentence: %1, with the outputs that the mechanism gives them")
            .arg(counted(rows));
    });
    m_table->setItemDelegate(new StackedBarDelegate(m_table));
    showFocusAround(m_table);
    m_table->setAccessibleName(tr("Words of the sentence"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionResizeMode(QHeaderView::Interactive);
    header->setStretchLastSection(true);
    m_columns = new FittedColumns(*header);
    m_refit.setSingleShot(true);
    m_refit.setInterval(0);
    connect(&m_refit, &QTimer::timeout, this, &LivePanel::fitTable);
    // Beside the current values, and only while there is something to compare with.
    header->moveSection(header->visualIndex(WordTableModel::pinnedKept),
                        header->visualIndex(WordTableModel::kept) + 1);
    header->moveSection(header->visualIndex(WordTableModel::pinnedDistinct),
                        header->visualIndex(WordTableModel::distinct) + 1);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid() && !m_isSelecting) {
                    choose(static_cast<std::size_t>(current.row()));
                }
            });
}

void LivePanel::connectModel() {
    connect(&m_state, &AnalysisState::sentenceChanged, this, &LivePanel::takeSentence);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &LivePanel::showPage);
    m_state.onChange(&AnalysisSettings::pin, this, &LivePanel::showPinned);
    connect(&m_model, &LiveModel::wordsReset, this, &LivePanel::showReset);
    connect(&m_model, &LiveModel::valuesChanged, this, &LivePanel::showValues);
    connect(&m_model, &LiveModel::outputChanged, this, &LivePanel::showOutput);
    connect(&m_model, &LiveModel::failed, this, &LivePanel::showFailure);
    connect(&m_model, &LiveModel::recovered, m_notice, &NoticeLine::clear);
    connect(&m_model.spellings(), &SpellingFinder::changed, m_unknown, &UnknownWordsBar::refresh);
    m_state.onChange(&AnalysisSettings::textPolicies, m_unknown, &UnknownWordsBar::refresh);
    connect(&m_model.outputJob(), &JobRunnerBase::started, &m_slowTimer,
            qOverload<>(&QTimer::start));
    connect(&m_model.outputJob(), &JobRunnerBase::finished, this, &LivePanel::showStatus);
    connect(&m_slowTimer, &QTimer::timeout, this, &LivePanel::showStatus);
}

QString LivePanel::title() const {
    return tr("Live");
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
}

void LivePanel::hideEvent(QHideEvent* event) {
    Panel::hideEvent(event);
    m_model.setActive(false);
}

void LivePanel::changeEvent(QEvent* event) {
    Panel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_isApplyingTheme && m_table != nullptr) {
        applyTheme();
    }
    if (event->type() == QEvent::FontChange && m_table != nullptr) {
        // The headers have the font only after this.
        m_refit.start();
    }
}

void LivePanel::applyTheme() {
    m_isApplyingTheme = true;
    const Theme theme = themeOf(this);
    // The strong selection colour would hide the colours of the bars.
    QPalette soft = palette();
    QColor tint = theme.accent;
    const double share = theme.dark ? 0.30 : 0.14;
    tint = QColor::fromRgbF(
        static_cast<float>(tint.redF() * share + theme.surface.redF() * (1.0 - share)),
        static_cast<float>(tint.greenF() * share + theme.surface.greenF() * (1.0 - share)),
        static_cast<float>(tint.blueF() * share + theme.surface.blueF() * (1.0 - share)));
    soft.setColor(QPalette::Highlight, tint);
    soft.setColor(QPalette::HighlightedText, theme.text);
    m_table->setPalette(soft);
    m_table->horizontalHeader()->setStyleSheet(headerStyle(theme));
    m_isApplyingTheme = false;
}

void LivePanel::takeSentence() {
    if (m_sentence->text() != m_state.sentence()) {
        m_sentence->setText(m_state.sentence());
        // Of a text that nobody is typing, the beginning shows.
        m_sentence->setCursorPosition(0);
    }
}

void LivePanel::showPage() {
    const bool hasEmbedding = m_state.searchSpace() != nullptr;
    const bool hasSentence = !m_state.sentence().trimmed().isEmpty();
    m_sentence->setEnabled(hasEmbedding);
    m_limit->setVisible(hasEmbedding);
    m_sample->setEnabled(hasEmbedding && !m_model.words().empty());
    m_pages->setCurrentIndex(!hasEmbedding ? noEmbeddingPage
                             : hasSentence ? contentPage
                                           : startPage);
}

void LivePanel::showPinned() {
    const bool isPinned = m_state.pin().has_value();
    m_columns->fit([this, isPinned] {
        for (const int column : {WordTableModel::pinnedKept, WordTableModel::pinnedDistinct}) {
            m_table->setColumnHidden(column, !isPinned);
            m_table->resizeColumnToContents(column);
        }
    });
}

void LivePanel::showReset() {
    showPage();
    m_output->forgetHeight();
    fitTable();
}

void LivePanel::showValues() {
    showOutput();
    selectDetailRow();
    m_details->refresh();
}

void LivePanel::showOutput() {
    m_output->setSentence(m_model.output());
    m_output->setSelectedEntry(m_model.detailIndex());
    m_changed->setText(changedText());
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

QString LivePanel::changedText() const {
    const SampledSentence& output = m_model.output();
    const bool isPending =
        std::any_of(output.words.begin(), output.words.end(),
                    [](const SampledWord& word) { return word.isKnown && !word.output.row; });
    if (output.words.empty() || isPending) {
        return {};
    }
    const QString changed = tr("changed %1 of %2").arg(output.changed).arg(output.known);
    return output.unknown == 0 ? changed : changed + unknownText(output.unknown);
}

void LivePanel::showStatus() {
    QStringList parts;
    if (m_model.typedWords() > kMostWords) {
        parts.append(
            tr("first %1 of %2 words")
                .arg(counted(kMostWords), counted(static_cast<qint64>(m_model.typedWords()))));
    }
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

void LivePanel::showFailure(const Error& error) {
    Notice notice = noticeFor(error);
    if (error.code == ErrorCode::unsupported && m_state.basis()) {
        const double usable = mechanism::largestUsableLambda(*m_state.basis());
        if (usable < m_state.mechanism().lambda()) {
            notice.actions.append({tr("Use λ = %1").arg(shortest(usable)), [this, usable] {
                                       m_state.edit(&AnalysisSettings::setParameters,
                                                    {.lambda = usable});
                                   }});
        }
    }
    notice.closable = false;
    m_notice->present(notice);
    showStatus();
}

void LivePanel::selectDetailRow() {
    const std::optional<std::size_t> row = m_model.detailIndex();
    QItemSelectionModel* selection = m_table->selectionModel();
    // What the program selects is not the analyst's choice of a word for all tabs.
    const QScopedValueRollback<bool> selecting(m_isSelecting, true);
    if (!row) {
        selection->clear();
        return;
    }
    const QModelIndex index = m_words.index(static_cast<int>(*row), 0);
    if (selection->currentIndex().row() != index.row() || !selection->hasSelection()) {
        selection->setCurrentIndex(index,
                                   QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    }
}

void LivePanel::choose(std::size_t entry) {
    m_model.select(entry);
}

void LivePanel::fitTable() {
    const QFontMetrics metrics = m_table->fontMetrics();
    const int rowHeight = std::max(kLeastRowHeight, metrics.height() + 10);
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight);
    m_table->setMinimumHeight(3 * rowHeight);
    m_columns->fit([this] { chooseWidths(); });
}

void LivePanel::chooseWidths() {
    const QFontMetrics metrics = m_table->fontMetrics();
    QHeaderView* header = m_table->horizontalHeader();
    for (const auto& [column, width] :
         {std::pair{WordTableModel::kept, kNumberColumnWidth},
          std::pair{WordTableModel::distinct, kNumberColumnWidth},
          std::pair{WordTableModel::critical, kCriticalColumnWidth}}) {
        header->resizeSection(
            column, std::max(scaledToText(width, metrics), header->sectionSizeHint(column)));
    }
    m_table->resizeColumnToContents(WordTableModel::shares);
    m_table->resizeColumnToContents(WordTableModel::word);
    header->resizeSection(
        WordTableModel::word,
        std::clamp(header->sectionSize(WordTableModel::word) + 16,
                   scaledToText(kLeastWordWidth, metrics), scaledToText(kMostWordWidth, metrics)));
}

}  // namespace epsilens::ui::live
