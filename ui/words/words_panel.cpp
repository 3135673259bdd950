#include "ui/words/words_panel.h"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/state/density_button.h"
#include "ui/state/quick_measurement.h"
#include "ui/widgets/column_scroll_area.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/wheel_guard.h"
#include "ui/words/kept_histogram.h"
#include "ui/words/selected_row.h"

namespace epsilens::ui {

namespace {

constexpr int kWordWidth = 150;
constexpr int kNumberWidth = 72;
constexpr int kLeastHistogramWidth = 240;
constexpr int kAllOutputs = 100;
constexpr int kLongestText = 200;
constexpr int kArrowButtonSize = 28;

}  // namespace

WordsPanel::WordsPanel(AnalysisState& state, SessionResults& results, QuickMeasurement& measurement,
                       QWidget* parent)
    : Panel(parent),
      m_state(state),
      m_model(*new WordsModel(state, results, measurement, this)),
      m_notice(new NoticeLine(this)),
      m_pages(new QStackedWidget(this)) {
    setObjectName(QStringLiteral("wordsPanel"));
    m_pages->addWidget(buildEmptyState());
    m_pages->addWidget(buildContent());
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(m_notice);
    all->addWidget(scrolledPage(m_pages, this), 1);
    connectModel();
    showMeasurement();
}

QString WordsPanel::title() const {
    return tr("Words");
}

bool WordsPanel::handles(PanelCommand command) const {
    return command == PanelCommand::findWord;
}

void WordsPanel::execute(PanelCommand command) {
    if (command == PanelCommand::findWord) {
        if (!m_model.hasWords()) {
            m_measure->setFocus(Qt::ShortcutFocusReason);
            return;
        }
        m_find->setFocus(Qt::ShortcutFocusReason);
        m_find->selectAll();
    }
}

QWidget* WordsPanel::firstControl() const {
    return m_model.hasWords() ? static_cast<QWidget*>(m_filter) : m_measure;
}

QWidget* WordsPanel::buildEmptyState() {
    m_emptyText = emptyStateLabel({}, m_pages);
    m_emptyText->setObjectName(QStringLiteral("wordsEmptyLabel"));
    m_measure = new QPushButton(m_pages);
    describe(*m_measure, "wordsMeasurePushButton", tr("Measure"),
             tr("Measures words at every ε of the current setting."));
    connect(m_measure, &QPushButton::clicked, &m_model.measurement(), &QuickMeasurement::measure);
    return emptyStatePage(m_emptyText, m_measure, m_pages);
}

QWidget* WordsPanel::buildContent() {
    auto* page = new QWidget(m_pages);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    column->setSpacing(kRowSpacing);
    column->addLayout(buildSearch(page));
    m_problem = new QLabel(page);
    m_problem->setObjectName(QStringLiteral("filterProblemLabel"));
    m_problem->setWordWrap(true);
    m_problem->hide();
    connect(m_problem, &QLabel::linkActivated, this, [this] {
        if (const auto word = m_model.filteredWord()) {
            Q_EMIT wordActivated(*word);
        }
    });
    column->addWidget(m_problem);
    buildTable(page);
    m_histogram = new KeptHistogram(page);
    auto* row = new QHBoxLayout;
    row->setSpacing(kPanelMargin);
    row->addWidget(m_view, 1);
    row->addWidget(m_histogram);
    column->addLayout(row, 1);
    column->addLayout(buildFooter(page));
    return page;
}

void WordsPanel::buildPreset(QWidget* parent) {
    m_preset = new QComboBox(parent);
    describe(*m_preset, "wordsPresetComboBox", tr("Words shown"),
             tr("All words measured, or only the %1 at one extreme.").arg(kPresetWords));
    m_preset->addItem(tr("all words"), static_cast<int>(WordPreset::all));
    m_preset->addItem(tr("%1 most exposed").arg(kPresetWords), static_cast<int>(WordPreset::worst));
    m_preset->addItem(tr("%1 sparsest").arg(kPresetWords), static_cast<int>(WordPreset::sparsest));
    m_preset->addItem(tr("%1 densest").arg(kPresetWords), static_cast<int>(WordPreset::densest));
    m_preset->setItemData(1, tr("Kept most often; among those, fewest different outputs first"),
                          Qt::ToolTipRole);
    guardWheel(m_preset);
}

QHBoxLayout* WordsPanel::buildSearch(QWidget* parent) {
    buildPreset(parent);
    m_filter = new QLineEdit(parent);
    describe(*m_filter, "wordFilterLineEdit", tr("Filter"),
             tr("Parts of words and conditions, all of which must hold: lon nw>=90 far<5%\n"
                "Names: nw, sw, kept, near, far, critical, distance, rank, row."));
    m_filter->setPlaceholderText(tr("such as: lon nw>=90 far<5%"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaxLength(kLongestText);
    m_find = new QLineEdit(parent);
    describe(*m_find, "findWordLineEdit", tr("Find a word"),
             tr("Goes to a word of the table (Ctrl+F). Enter: the next one, Shift+Enter: the "
                "previous one."));
    m_find->setClearButtonEnabled(true);
    m_find->setMaxLength(kLongestText);
    m_find->installEventFilter(this);
    m_previous = new QToolButton(parent);
    m_previous->setArrowType(Qt::UpArrow);
    describe(*m_previous, "findPreviousButton", tr("Find previous"),
             tr("Goes to the previous word that contains the text."));
    m_next = new QToolButton(parent);
    m_next->setArrowType(Qt::DownArrow);
    describe(*m_next, "findNextButton", tr("Find next"),
             tr("Goes to the next word that contains the text."));
    for (QToolButton* button : {m_previous, m_next}) {
        followFont(button, [button](const QFontMetrics& metrics) {
            const int size = scaledToText(kArrowButtonSize, metrics);
            button->setMinimumSize(size, size);
        });
        button->setFocusPolicy(Qt::TabFocus);
    }
    auto* row = new QHBoxLayout;
    row->setSpacing(kRowSpacing);
    addLabelled(*row, tr("Sho&w"), m_preset);
    row->addSpacing(kRowSpacing);
    addLabelled(*row, tr("F&ilter"), m_filter, 3);
    row->addSpacing(kRowSpacing);
    addLabelled(*row, tr("Find"), m_find, 2);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    return row;
}

void WordsPanel::buildTable(QWidget* parent) {
    m_view = new QTableView(parent);
    m_view->setObjectName(QStringLiteral("wordsTableView"));
    m_view->setAccessibleName(tr("Words measured"));
    m_view->setModel(&m_model.table());
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setAlternatingRowColors(true);
    m_view->setTabKeyNavigation(false);
    m_view->setWordWrap(false);
    m_view->setShowGrid(false);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    keepRowHeight(m_view, kLeastTarget);
    QHeaderView& header = *m_view->horizontalHeader();
    header.setMinimumSectionSize(48);
    header.setHighlightSections(false);
    header.setSortIndicator(static_cast<int>(m_model.sortedBy()), Qt::AscendingOrder);
    followFont(m_view, [this](const QFontMetrics&) { fitColumns(); });
    m_view->setSortingEnabled(true);
    m_view->installEventFilter(this);
    m_selected = new SelectedRow(m_state, m_model.table(), *m_view);
}

void WordsPanel::fitColumns() {
    const QFontMetrics metrics = m_view->fontMetrics();
    QHeaderView& header = *m_view->horizontalHeader();
    for (int column = 0; column < header.count(); ++column) {
        const int usual = column == static_cast<int>(WordColumn::word) ? kWordWidth : kNumberWidth;
        header.resizeSection(
            column, std::max(scaledToText(usual, metrics), header.sectionSizeHint(column)));
    }
    placeHistogram();
}

void WordsPanel::placeHistogram() {
    if (m_histogram == nullptr) {
        return;
    }
    const int besides = width() - 2 * kPanelMargin - kPanelMargin -
                        m_view->horizontalHeader()->length() - 2 * m_view->frameWidth() -
                        m_view->verticalScrollBar()->sizeHint().width();
    m_histogram->setVisible(besides >= scaledToText(kLeastHistogramWidth, fontMetrics()));
    m_histogram->setFixedWidth(std::max(1, besides));
}

void WordsPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    placeHistogram();
}

QHBoxLayout* WordsPanel::buildFooter(QWidget* parent) {
    m_status = hintLabel({}, parent);
    m_status->setObjectName(QStringLiteral("wordsStatusLabel"));
    m_status->setWordWrap(true);
    m_compute = new DensityButton(m_model.results(), tr("Compute distances"), parent);
    m_compute->setObjectName(QStringLiteral("computeDensityPushButton"));
    m_copy = new QPushButton(tr("Copy CSV"), parent);
    describe(
        *m_copy, "copyWordsPushButton", tr("Copy CSV"),
        tr("Copies the selected rows, or all rows shown, as comma-separated values (Ctrl+C)."));
    m_export = new QPushButton(tr("Export CSV…"), parent);
    describe(*m_export, "exportWordsPushButton", tr("Export CSV"),
             tr("Writes all rows shown, in the order shown, to a file."));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(kRowSpacing);
    buttons->addWidget(m_status, 1);
    buttons->addWidget(m_compute);
    buttons->addWidget(m_copy);
    buttons->addWidget(m_export);
    m_copy->setEnabled(false);
    m_export->setEnabled(false);
    return buttons;
}

void WordsPanel::connectModel() {
    connect(&m_model, &WordsModel::measurementChanged, this, &WordsPanel::showMeasurement);
    connect(&m_model, &WordsModel::arranged, this, [this] {
        m_histogram->setCounts(m_model.keptCounts());
        m_selected->followTable();
        showStatus();
        showFilterAnswer();
    });
    connect(&m_model, &WordsModel::ownTextsChanged, this, &WordsPanel::showPresets);
    connect(m_histogram, &KeptHistogram::barChosen, this, [this](int low, int high) {
        const QString from = QStringLiteral("kept>=%1%").arg(low);
        m_filter->setText(high < kAllOutputs ? QStringLiteral("%1 kept<%2%").arg(from).arg(high)
                                             : from);
    });
    connect(&m_model, &WordsModel::arrangingChanged, this, &WordsPanel::showStatus);
    connect(&m_model, &WordsModel::found, this, &WordsPanel::goTo);
    connect(&m_model, &WordsModel::notFound, this,
            [this](const QString& text, const QStringList& similar) {
                m_status->setText(notFoundText(text, similar));
            });
    connect(&m_model, &WordsModel::csvReady, this, [this](const QByteArray& csv, int words) {
        QApplication::clipboard()->setText(QString::fromUtf8(csv));
        m_status->setText(tr("Copied words: %1").arg(counted(words)));
    });
    connect(&m_model, &WordsModel::exported, this, [this](const QString& path, int words) {
        m_status->setText(tr("Words written to %2: %1").arg(counted(words), path));
    });
    connect(&m_model, &WordsModel::failed, this,
            [this](const Error& error) { m_notice->present(noticeFor(error)); });

    SessionResults& results = m_model.results();
    connect(&m_model, &WordsModel::densityNeedChanged, this, &WordsPanel::showDensity);
    connect(&results.densityRunner(), &JobRunnerBase::started, this, &WordsPanel::showDensity);
    connect(&results.densityRunner(), &JobRunnerBase::finished, this, &WordsPanel::showDensity);

    connect(m_preset, &QComboBox::activated, this, [this] {
        m_model.setPreset(static_cast<WordPreset>(m_preset->currentData().toInt()));
        showDensity();
    });
    connect(m_filter, &QLineEdit::textChanged, this, &WordsPanel::takeFilter);
    connect(m_find, &QLineEdit::textEdited, this, [this] { find(false, true); });
    connect(m_previous, &QToolButton::clicked, this, [this] { find(true, false); });
    connect(m_next, &QToolButton::clicked, this, [this] { find(false, false); });
    connect(m_copy, &QPushButton::clicked, this, &WordsPanel::copy);
    connect(m_export, &QPushButton::clicked, this, &WordsPanel::chooseFileAndExport);
    connect(m_view, &QTableView::activated, this, [this](const QModelIndex& index) {
        Q_EMIT wordActivated(m_model.table().wordAt(index.row()));
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, &WordsPanel::showMeasurement);
}

void WordsPanel::showMeasurement() {
    const QuickMeasurement& measurement = m_model.measurement();
    m_pages->setCurrentIndex(m_model.hasWords() ? 1 : 0);
    m_emptyText->setText(!m_state.embedding() ? tr("Open an embedding to measure its words.")
                         : !measurement.problem().isEmpty() ? measurement.problem()
                         : measurement.isToAskFor()
                             ? tr("Every word that is measured is shown here: how often it "
                                  "is kept, how many words it becomes, and how near they are.")
                             : tr("Measuring %1…").arg(measurement.wordsText()));
    m_measure->setVisible(measurement.isToAskFor());
    m_measure->setText(tr("Measure %1").arg(measurement.wordsText()));
    // Words of another setting are there to be looked at, grey, until this one is measured.
    m_view->setEnabled(m_model.isCurrent());
    m_histogram->setEnabled(m_model.isCurrent());
    showDensity();
    showStatus();
}

void WordsPanel::showStatus() {
    const QString status = m_model.statusText();
    m_status->setText(m_model.isArranging() && m_model.table().rowCount() == 0 ? tr("Sorting…")
                      : m_model.isCurrent() || status.isEmpty()
                          ? status
                          : tr("These words belong to the previous settings: %1").arg(status));
    m_view->setAccessibleDescription(
        m_status->text().isEmpty() ? tr("Empty until words have been measured") : m_status->text());
    const bool canExport = m_model.isCurrent() && m_model.table().rowCount() > 0;
    m_copy->setEnabled(canExport);
    m_export->setEnabled(canExport);
}

void WordsPanel::showDensity() {
    m_notice->follow(wantedNotice());
    // Dashes alone would tell nothing.
    const bool isKnown = m_model.results().density() != nullptr;
    for (const WordColumn column : {WordColumn::distance, WordColumn::rank}) {
        m_view->setColumnHidden(static_cast<int>(column), !isKnown);
    }
    m_view->horizontalHeader()->viewport()->update();
    placeHistogram();
}

std::optional<Notice> WordsPanel::wantedNotice() {
    SessionResults& results = m_model.results();
    if (m_model.needsDensity() && !results.densityRunner().isRunning()) {
        return Notice{Severity::info,
                      tr("Which words are sparsest and densest has not been computed yet."),
                      {{tr("Compute"), [this] { m_model.results().computeDensity(); }}},
                      true};
    }
    return std::nullopt;
}

void WordsPanel::takeFilter() {
    m_refusal = m_model.setFilterText(m_filter->text());
    showFilterAnswer();
}

void WordsPanel::showFilterAnswer() {
    QString text =
        m_refusal.isEmpty() ? m_model.emptyText() : tr("⚠ %1").arg(m_refusal.toHtmlEscaped());
    if (const auto word = m_model.filteredWord(); word && m_refusal.isEmpty() && !text.isEmpty()) {
        text += tr(" The embedding has “%1”: <a href=\"show\">look at it on Choose</a>")
                    .arg(word->text().toHtmlEscaped());
    }
    m_problem->setVisible(!text.isEmpty());
    m_problem->setText(text);
}

void WordsPanel::showPresets() {
    const int ownTexts = m_preset->findData(static_cast<int>(WordPreset::ownTexts));
    if (m_model.hasOwnTexts() && ownTexts < 0) {
        m_preset->addItem(tr("in my data"), static_cast<int>(WordPreset::ownTexts));
    } else if (!m_model.hasOwnTexts() && ownTexts >= 0) {
        m_preset->removeItem(ownTexts);
    }
    m_preset->setCurrentIndex(m_preset->findData(static_cast<int>(m_model.preset())));
}

void WordsPanel::find(bool backwards, bool exact) {
    const int current = m_view->currentIndex().isValid() ? m_view->currentIndex().row() : 0;
    const int step = exact ? 0 : backwards ? -1 : 1;
    if (const int rows = m_model.table().rowCount(); rows > 0) {
        m_model.find(m_find->text(), (current + step + rows) % rows, backwards, exact);
    }
}

void WordsPanel::goTo(int tableRow) {
    const QModelIndex index = m_model.table().index(tableRow, 0);
    m_view->setCurrentIndex(index);
    m_view->scrollTo(index, QAbstractItemView::PositionAtCenter);
    showStatus();
}

void WordsPanel::copy() {
    QList<int> rows;
    const QItemSelection selection = m_view->selectionModel()->selection();
    for (const QItemSelectionRange& range : selection) {
        for (int row = range.top(); row <= range.bottom(); ++row) {
            rows.append(row);
        }
    }
    std::sort(rows.begin(), rows.end());
    m_model.makeCsv(rows);
}

void WordsPanel::chooseFileAndExport() {
    const QString path =
        dialogs::saveFile(this, tr("Export words"), QStringLiteral("words.csv"),
                          {tr("Comma-separated values (*.csv)"), tr("All files (*)")});
    if (!path.isEmpty()) {
        m_model.exportCsv(path);
    }
}

// A header can only be clicked.
void WordsPanel::sortByCurrentColumn(Qt::SortOrder order) {
    const QModelIndex current = m_view->currentIndex();
    m_view->sortByColumn(current.isValid() ? current.column() : static_cast<int>(WordColumn::word),
                         order);
}

bool WordsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) {
        return Panel::eventFilter(watched, event);
    }
    auto* key = static_cast<QKeyEvent*>(event);
    // The view itself copies a single cell.
    if (watched == m_view && key->matches(QKeySequence::Copy)) {
        copy();
        return true;
    }
    const bool isArrow = key->key() == Qt::Key_Up || key->key() == Qt::Key_Down;
    if (watched == m_view && isArrow && key->modifiers().testFlag(Qt::AltModifier)) {
        sortByCurrentColumn(key->key() == Qt::Key_Up ? Qt::AscendingOrder : Qt::DescendingOrder);
        return true;
    }
    if (watched == m_find && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)) {
        find(key->modifiers().testFlag(Qt::ShiftModifier), false);
        return true;
    }
    return Panel::eventFilter(watched, event);
}

}  // namespace epsilens::ui
