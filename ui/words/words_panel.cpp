#include "ui/words/words_panel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <utility>

#include <qcustomplot.h>
#include <QtWidgets>

#include "core/base/error.h"
#include "core/io/output.h"
#include "ui/plot/plot_widget.h"
#include "ui/state/analysis_state.h"
#include "ui/state/mechanism_view.h"
#include "ui/state/output_mark.h"
#include "ui/state/query.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/words/word_rows.h"

namespace epsilens::ui {

namespace {

QString count(double value, bool isWhole) {
    return isWhole ? counted(std::llround(value)) : oneDecimal(value);
}

QVariant alignmentOf(WordColumn column) {
    return QVariant::fromValue(Qt::AlignVCenter |
                               (column == WordColumn::word ? Qt::AlignLeft : Qt::AlignRight));
}

constexpr double kAll = 100.0;  ///< outputs
constexpr double kBarWidth = kAll / static_cast<double>(std::tuple_size_v<KeptCounts>);
constexpr double kHeadRoom = 1.08;

constexpr int kWordWidth = 150;
constexpr int kWordNumberWidth = 72;

/// "312 of 500 words · ε 10, Mahalanobis λ 0.50 · R = 100 draws, seed 1"; empty without words.
QString statusText(const WordRows& shown, int count) {
    if (!shown.measurement()) {
        return {};
    }
    const calibration::MeasurementOptions& measured = shown.measurement()->options();
    const QString draws = measured.mechanism.isExact()
                              ? WordsPanel::tr("exact expectations for R\u00a0=\u00a0%1 draws")
                                    .arg(counted(measured.draws))
                              : WordsPanel::tr("R\u00a0=\u00a0%1 draws, seed %2")
                                    .arg(counted(measured.draws), QString::number(measured.seed));
    return WordsPanel::tr("%1 of %2 words · ε %3, %4 · %5")
        .arg(counted(count), counted(static_cast<qint64>(shown.size())),
             epsilonText(shown.cell().epsilon), shortTitle(measured.mechanism), draws);
}

struct WordsKey {
    calibration::MeasurementHandle measured{};
    embedding::EmbeddingHandle embedding{};
    double epsilon = 0.0;
    VocabularyDensityHandle density{};
    WordQuery query{};

    [[nodiscard]] bool operator==(const WordsKey&) const = default;
};

using Order = std::shared_ptr<const std::vector<std::uint32_t>>;

struct Arrangement {
    WordRows rows{};
    Order order{};
    KeptCounts kept{};
};

struct WrittenWords {
    QByteArray text{};  ///< for the clipboard, where there is no path
    int words = 0;
    QString path{};
};

Result<Arrangement> arrange(const WordsKey& key, const JobContext& job) {
    ASSIGN_OR_RETURN(auto rows,
                     WordRows::at(key.measured, key.epsilon, key.embedding, key.density, job));
    ASSIGN_OR_RETURN(auto order, arrangeWords(rows, key.query, job));
    const KeptCounts kept = countKept(rows);
    return Arrangement{std::move(rows),
                       std::make_shared<const std::vector<std::uint32_t>>(std::move(order)), kept};
}

class WordsTable final : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;

    void setRows(WordRows rows, Order order) {
        beginResetModel();
        m_rows = std::move(rows);
        m_order = std::move(order);
        endResetModel();
    }
    [[nodiscard]] const WordRows& rows() const { return m_rows; }
    [[nodiscard]] const Order& order() const { return m_order; }
    [[nodiscard]] Word wordAt(int tableRow) const {
        return m_rows.at((*m_order)[static_cast<std::size_t>(tableRow)]);
    }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_order->size());
    }
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(WordColumn::end);
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        const auto column = static_cast<WordColumn>(index.column());
        if (!index.isValid() || role == Qt::TextAlignmentRole) {
            return index.isValid() ? alignmentOf(column) : QVariant();
        }
        const std::size_t place = (*m_order)[static_cast<std::size_t>(index.row())];
        return role == Qt::DisplayRole ? shown(place, column)
               : role == Qt::AccessibleTextRole
                   ? tr("%1 %2").arg(QString::fromUtf8(namesOf(column).title), shown(place, column))
                   : QVariant();
    }

    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override {
        const auto column = static_cast<WordColumn>(section);
        return orientation != Qt::Horizontal   ? QVariant()
               : role == Qt::DisplayRole       ? QString::fromUtf8(namesOf(column).title)
               : role == Qt::ToolTipRole       ? QString::fromUtf8(namesOf(column).tip)
               : role == Qt::TextAlignmentRole ? alignmentOf(column)
                                               : QVariant();
    }

private:
    [[nodiscard]] QString shown(std::size_t place, WordColumn column) const {
        if (column == WordColumn::word) {
            return toQString(m_rows.word(place));
        }
        const double value = m_rows.value(place, column);
        if (std::isnan(value)) {
            return QStringLiteral("–");
        }
        if (std::isinf(value)) {
            return tr("never");
        }
        switch (column) {
            case WordColumn::nw:
            case WordColumn::sw:
                return count(value, m_rows.areCountsWhole());
            case WordColumn::kept:
            case WordColumn::near:
            case WordColumn::far:
                return count(100.0 * value, m_rows.areCountsWhole() && m_rows.draws() <= 100) +
                       QLatin1Char('%');
            case WordColumn::critical:
            case WordColumn::distance:
                return significant(value, 3);
            default:
                return counted(static_cast<qint64>(value));
        }
    }

    WordRows m_rows;
    Order m_order = std::make_shared<const std::vector<std::uint32_t>>();
};

class KeptHistogram final : public PlotWidget {
public:
    KeptHistogram(std::function<void(int low, int high)> choose, QWidget* parent)
        : PlotWidget(parent),
          m_choose(std::move(choose)),
          m_bars(new QCPBars(plot().xAxis, plot().yAxis)) {
        setObjectName(QStringLiteral("keptHistogram"));
        setAccessibleName(tr("Words by how often they are kept"));
        m_bars->setWidth(kBarWidth);
        setAxisTitles(tr("outputs of 100 that are the word itself"), tr("words"));
        plot().xAxis->grid()->setVisible(false);
        const auto whole = QSharedPointer<QCPAxisTickerFixed>::create();
        whole->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
        plot().yAxis->setTicker(whole);
        setToolTip(tr("A click on a bar shows its words in the table."));
        connect(&plot(), &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
            if (event->button() == Qt::LeftButton) {
                chooseAt(event->position());
            }
        });
        refreshTheme();
        setCounts({});
    }

    void setCounts(const KeptCounts& counts) {
        m_counts = counts;
        QVector<double> middles;
        QVector<double> heights;
        for (std::size_t bar = 0; bar < counts.size(); ++bar) {
            middles.append((static_cast<double>(bar) + 0.5) * kBarWidth);
            heights.append(static_cast<double>(counts[bar]));
        }
        m_bars->setData(middles, heights, true);
        const double highest = *std::ranges::max_element(heights);
        setHomeRange({0.0, kAll}, {0.0, std::max(1.0, kHeadRoom * highest)});
        const auto words = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
        setShownDescription(
            tr("Of %1 words %2 are kept in under 10 of 100 outputs, %3 in 90 or more.")
                .arg(counted(words), counted(counts.front()), counted(counts.back())));
        replotSoon();
    }
    [[nodiscard]] QString visibleCsv() const override {
        QString csv = QStringLiteral("kept_from_percent,words\n");
        for (std::size_t bar = 0; bar < m_counts.size(); ++bar) {
            csv += QStringLiteral("%1,%2\n")
                       .arg(kBarWidth * static_cast<double>(bar))
                       .arg(m_counts[bar]);
        }
        return csv;
    }

protected:
    void applyTheme(const Theme& theme) override {
        PlotWidget::applyTheme(theme);
        m_bars->setBrush(areaBrush(OutputMark::kept, theme));
        m_bars->setPen(QPen(theme.surface, 1.0));
    }

private:
    void chooseAt(const QPointF& position) {
        const double share = plot().xAxis->pixelToCoord(position.x());
        const double words = plot().yAxis->pixelToCoord(position.y());
        const auto bar = static_cast<std::ptrdiff_t>(std::floor(share / kBarWidth));
        if (bar >= 0 && bar < static_cast<std::ptrdiff_t>(m_counts.size()) && words >= 0.0 &&
            words <= static_cast<double>(m_counts[static_cast<std::size_t>(bar)])) {
            const auto low = static_cast<int>(kBarWidth) * static_cast<int>(bar);
            m_choose(low, low + static_cast<int>(kBarWidth));
        }
    }

    std::function<void(int low, int high)> m_choose;
    QCPBars* m_bars;
    KeptCounts m_counts{};
};

class Words final : public WordsPanel {
public:
    Words(AnalysisState& state, SessionResults& results, CurrentMeasurement& measurement)
        : m_state(state),
          m_results(results),
          m_measurement(measurement),
          m_table(new WordsTable(this)),
          m_notice(new NoticeLine(this)),
          m_pages(new QStackedWidget(this)),
          m_arranged(
              {.title = tr("Sorting words"), .key = [this] { return key(); }, .make = arrange}),
          m_writer(tr("Exporting words"),
                   [this](const Result<WrittenWords>& written) { takeWritten(written); }) {
        setObjectName(QStringLiteral("wordsPanel"));
        m_emptyText = wrapped(emptyStateLabel({}, m_pages), "wordsEmptyLabel");
        m_pages->addWidget(m_emptyText);
        m_pages->addWidget(buildContent());
        columnIn(this, 0, {m_notice, scrolledPage(m_pages, this)})->setStretch(1, 1);
        connectState();
        m_arranged.update();
        refresh();
    }

    [[nodiscard]] QString title() const override { return tr("Words"); }
    [[nodiscard]] QWidget* firstControl() const override { return hasWords() ? m_filter : nullptr; }
    void setOwnTexts(std::optional<MeasuredText> measured, bool exist) override {
        m_ownTexts = std::move(measured);
        constexpr auto kOwnTexts = static_cast<int>(WordPreset::ownTexts);
        const int offered = m_preset->findData(kOwnTexts);
        WordPreset preset = m_query.preset;
        if (exist && offered < 0) {
            m_preset->addItem(tr("in my texts"), kOwnTexts);
            preset = preset == WordPreset::all ? WordPreset::ownTexts : preset;
        } else if (!exist && offered >= 0) {
            m_preset->removeItem(offered);
            preset = preset == WordPreset::ownTexts ? WordPreset::all : preset;
        }
        m_preset->setCurrentIndex(m_preset->findData(static_cast<int>(preset)));
        choosePreset(preset);
    }
    [[nodiscard]] JobRunnerBase* exporter() override { return &m_writer; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched != m_view || event->type() != QEvent::KeyPress) {
            return WordsPanel::eventFilter(watched, event);
        }
        const auto& key = *static_cast<QKeyEvent*>(event);
        const bool isUp = key.key() == Qt::Key_Up;
        if (key.matches(QKeySequence::Copy)) {
            copy();  // the view itself copies a single cell
            return true;
        }
        if ((isUp || key.key() == Qt::Key_Down) && key.modifiers().testFlag(Qt::AltModifier)) {
            const QModelIndex current = m_view->currentIndex();
            m_view->sortByColumn(current.isValid() ? current.column() : 0,
                                 isUp ? Qt::AscendingOrder : Qt::DescendingOrder);
            return true;
        }
        return WordsPanel::eventFilter(watched, event);
    }
    void resizeEvent(QResizeEvent* event) override {
        WordsPanel::resizeEvent(event);
        placeHistogram();
    }

private:
    [[nodiscard]] QWidget* buildContent() {
        auto* page = new QWidget(m_pages);
        QVBoxLayout* column = columnIn(page, kRowSpacing, {}, kPanelMargin);
        column->addLayout(buildSearch(page));
        m_problem = wrapped(new QLabel(page), "filterProblemLabel");
        m_problem->hide();
        connect(m_problem, &QLabel::linkActivated, this, [this] {
            if (const auto word = filteredWord()) {
                Q_EMIT wordActivated(*word);
            }
        });
        column->addWidget(m_problem);
        buildTable(page);
        m_histogram = new KeptHistogram(
            [this](int low, int high) {
                const QString from = QStringLiteral("kept>=%1%").arg(low);
                m_filter->setText(high < 100 ? QStringLiteral("%1 kept<%2%").arg(from).arg(high)
                                             : from);
            },
            page);
        column->addLayout(rowOf({m_view, m_histogram}, kPanelMargin), 1);
        column->addLayout(buildFooter(page));
        return page;
    }
    [[nodiscard]] QHBoxLayout* buildSearch(QWidget* parent) {
        m_preset =
            described(new QComboBox(parent), "wordsPresetComboBox", tr("Words shown"),
                      tr("All words measured, or only the %1 at one extreme.").arg(kPresetWords));
        m_preset->addItem(tr("all words"), static_cast<int>(WordPreset::all));
        m_preset->addItem(tr("%1 most exposed").arg(kPresetWords),
                          static_cast<int>(WordPreset::worst));
        m_preset->addItem(tr("%1 sparsest").arg(kPresetWords),
                          static_cast<int>(WordPreset::sparsest));
        m_preset->setItemData(1, tr("Kept most often; among those, fewest different outputs first"),
                              Qt::ToolTipRole);
        guardWheel(m_preset);
        m_filter = described(
            new QLineEdit(parent), "wordFilterLineEdit", tr("Filter"),
            tr("Parts of words and conditions, all of which must hold: lon kept>=90% far<5%\n"
               "Names: nw, sw, kept, near, far, critical, distance, rank, row."));
        m_filter->setPlaceholderText(tr("such as: lon kept>=90% far<5%"));
        m_filter->setClearButtonEnabled(true);
        m_filter->setMaxLength(200);
        auto* row = rowOf({}, kRowSpacing);
        addLabelled(*row, tr("Sho&w"), m_preset);
        row->addSpacing(kRowSpacing);
        addLabelled(*row, tr("F&ilter"), m_filter, 1);
        return row;
    }
    [[nodiscard]] QHBoxLayout* buildFooter(QWidget* parent) {
        m_status = wrapped(hintLabel({}, parent), "wordsStatusLabel");
        m_copy = described(
            new QPushButton(tr("Copy CSV"), parent), "copyWordsPushButton", tr("Copy CSV"),
            tr("Copies the selected rows, or all rows shown, as comma-separated values (Ctrl+C)."));
        m_export = described(new QPushButton(tr("Export CSV…"), parent), "exportWordsPushButton",
                             tr("Export CSV"),
                             tr("Writes all rows shown, in the order shown, to a file."));
        return rowOf({m_status, m_copy, m_export}, kRowSpacing);
    }
    void buildTable(QWidget* parent) {
        m_view = new QTableView(parent);
        setUpRows(*m_view, "wordsTableView", tr("Words measured"));
        m_view->setModel(m_table);
        m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
        m_view->setAlternatingRowColors(true);
        QHeaderView& header = *m_view->horizontalHeader();
        header.setMinimumSectionSize(48);
        header.setSortIndicator(static_cast<int>(m_query.sortedBy), Qt::AscendingOrder);
        // The share says it; filters and files have the count, too.
        m_view->setColumnHidden(static_cast<int>(WordColumn::nw), true);
        followFont(m_view, [this](const QFontMetrics&) { fitColumns(); });
        header.setSectionsClickable(true);
        header.setSortIndicatorShown(true);
        m_view->installEventFilter(this);
    }
    void fitColumns() {
        const QFontMetrics metrics = m_view->fontMetrics();
        QHeaderView& header = *m_view->horizontalHeader();
        for (int column = 0; column < header.count(); ++column) {
            const int usual =
                column == static_cast<int>(WordColumn::word) ? kWordWidth : kWordNumberWidth;
            header.resizeSection(
                column, std::max(scaledToText(usual, metrics), header.sectionSizeHint(column)));
        }
        placeHistogram();
    }
    void placeHistogram() {
        if (m_histogram == nullptr) {
            return;
        }
        const int besides = width() - 2 * kPanelMargin - kPanelMargin -
                            m_view->horizontalHeader()->length() - 2 * m_view->frameWidth() -
                            m_view->verticalScrollBar()->sizeHint().width();
        m_histogram->setVisible(besides >= scaledToText(240, fontMetrics()));
        m_histogram->setFixedWidth(std::max(1, besides));
    }
    void connectState() {
        connect(&m_state, &AnalysisState::embeddingReset, this, [this] {
            m_table->setRows({}, std::make_shared<const std::vector<std::uint32_t>>());
            m_arranged.update();
        });
        connect(&m_state, &AnalysisState::embeddingChanged, this, &Words::refresh);
        connect(&m_state, &AnalysisState::selectedWordChanged, this, [this] {
            m_isToShow = true;
            showSelectedWord();
        });
        m_state.onChange(&AnalysisSettings::epsilon, &m_arranged, &QueryBase::update);
        const auto follow = [this] {
            m_arranged.update();
            refresh();
        };
        connect(&m_measurement, &CurrentMeasurement::changed, this, follow);
        connect(&m_results, &SessionResults::densityChanged, this, follow);
        connect(&m_arranged.job(), &JobRunnerBase::started, this, &Words::refresh);
        connect(&m_arranged.job(), &JobRunnerBase::finished, this, &Words::refresh);
        connect(&m_arranged, &QueryBase::changed, this, &Words::showArrangement);
        connect(m_view->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this,
                [this](int column, Qt::SortOrder order) {
                    m_query.sortedBy = static_cast<WordColumn>(column);
                    m_query.descending = order == Qt::DescendingOrder;
                    m_arranged.update();
                });
        connect(m_preset, &QComboBox::activated, this,
                [this] { choosePreset(static_cast<WordPreset>(m_preset->currentData().toInt())); });
        connect(m_filter, &QLineEdit::textChanged, this, &Words::takeFilter);
        connect(m_copy, &QPushButton::clicked, this, &Words::copy);
        connect(m_export, &QPushButton::clicked, this, &Words::chooseFileAndExport);
        connect(m_view, &QTableView::activated, this, [this](const QModelIndex& index) {
            Q_EMIT wordActivated(m_table->wordAt(index.row()));
        });
    }
    // What was measured of another mechanism need not be known at this epsilon.
    [[nodiscard]] std::optional<WordsKey> key() const {
        const auto words = measured();
        return words && m_state.epsilon() > words->origin()
                   ? std::optional(WordsKey{words, m_state.embedding(), m_state.epsilon(),
                                            m_results.density(), m_query})
                   : std::nullopt;
    }
    [[nodiscard]] calibration::MeasurementHandle measured() const {
        return m_query.preset != WordPreset::ownTexts ? m_measurement.result()
               : m_ownTexts                           ? m_ownTexts->measurement
                                                      : nullptr;
    }
    [[nodiscard]] bool hasWords() const { return measured() || m_table->rows().measurement(); }
    /// Whether the words are of the present setting; others stay until it is measured.
    [[nodiscard]] bool isCurrent() const {
        return m_query.preset == WordPreset::ownTexts ? m_ownTexts.has_value()
                                                      : m_measurement.isCurrent();
    }
    [[nodiscard]] std::optional<Word> filteredWord() const {
        const QStringList& parts = m_query.filter.parts();
        if (parts.size() != 1 || !m_state.embedding()) {
            return std::nullopt;
        }
        const auto row = m_state.embedding()->vocabulary().find(toStd(parts.front()));
        return row ? std::optional(Word{m_state.embedding(), *row}) : std::nullopt;
    }
    void showArrangement() {
        if (const Arrangement* arranged = m_arranged.current()) {
            m_table->setRows(arranged->rows, arranged->order);
            m_histogram->setCounts(arranged->kept);
            if (m_isToShow || !m_view->currentIndex().isValid()) {
                showSelectedWord();
            }
        }
        refresh();
    }
    void refresh() {
        m_pages->setCurrentIndex(hasWords() ? 1 : 0);
        m_emptyText->setText(!m_state.embedding() ? tr("Open an embedding to measure its words.")
                             : !m_measurement.problem().isEmpty() ? m_measurement.problem()
                             : m_measurement.wasCancelled()
                                 ? tr("Every word that is measured is shown here: how often it "
                                      "is kept, how many words it becomes, and how near they are. "
                                      "Measure beside the dial (F5) starts again.")
                                 : tr("Measuring %1…").arg(m_measurement.wordsText()));
        // Dashes alone would tell nothing.
        for (const WordColumn column : {WordColumn::distance, WordColumn::rank}) {
            m_view->setColumnHidden(static_cast<int>(column), !m_results.density());
        }
        placeHistogram();
        for (QWidget* part : std::initializer_list<QWidget*>{m_view, m_histogram}) {
            part->setEnabled(isCurrent());
        }
        for (QPushButton* button : {m_copy, m_export}) {
            button->setEnabled(isCurrent() && m_table->rowCount() > 0);
        }
        const QString status = statusText(m_table->rows(), m_table->rowCount());
        m_status->setText(m_arranged.job().isRunning() && m_table->rowCount() == 0 ? tr("Sorting…")
                          : isCurrent() || status.isEmpty()
                              ? status
                              : tr("These words belong to the previous settings: %1").arg(status));
        m_view->setAccessibleDescription(m_status->text().isEmpty()
                                             ? tr("Empty until words have been measured")
                                             : m_status->text());
        showFilterAnswer();
    }
    void choosePreset(WordPreset preset) {
        if (preset == WordPreset::sparsest && preset != m_query.preset) {
            m_results.computeDensity();
        }
        m_query.preset = preset;
        m_arranged.update();
        refresh();
    }
    void showFilterAnswer() {
        QString text;
        const auto measured = static_cast<qint64>(m_table->rows().size());
        if (!m_refusal.isEmpty()) {
            text = tr("⚠ %1").arg(m_refusal.toHtmlEscaped());
        } else if (measured > 0 && m_table->rowCount() == 0 && !m_arranged.job().isRunning() &&
                   !m_results.densityRunner().isRunning() &&
                   (m_query.preset != WordPreset::sparsest || m_results.density())) {
            text = tr("None of the %1 words measured meets the filter.").arg(counted(measured));
            if (const auto word = filteredWord()) {
                text += tr(" The embedding has “%1”: <a href=\"show\">look at it on Choose</a>")
                            .arg(word->text().toHtmlEscaped());
            }
        }
        m_problem->setVisible(!text.isEmpty());
        m_problem->setText(text);
    }
    void takeFilter() {
        auto filter = WordFilter::parse(m_filter->text());
        m_refusal = filter ? QString() : toQString(filter.error().message);
        if (filter) {
            m_query.filter = std::move(*filter);
            if (std::ranges::any_of(m_query.filter.conditions(), [](const auto& condition) {
                    return condition.column == WordColumn::distance ||
                           condition.column == WordColumn::rank;
                })) {
                m_results.computeDensity();
            }
            m_arranged.update();
        }
        showFilterAnswer();
    }
    void write(const Order& order, const QString& path) {
        m_writer.start([rows = m_table->rows(), order,
                        path](const JobContext& job) -> Result<WrittenWords> {
            ASSIGN_OR_RETURN(auto text, wordsCsv(rows, *order, job));
            if (!path.isEmpty()) {
                RETURN_IF_ERROR(io::replaceFile(
                    toStdPath(path), {text.constData(), static_cast<std::size_t>(text.size())}));
            }
            return WrittenWords{std::move(text), static_cast<int>(order->size()), path};
        });
    }
    void takeWritten(const Result<WrittenWords>& written) {
        if (!written) {
            m_notice->present(noticeFor(written.error()));
        } else if (!written->path.isEmpty()) {
            m_status->setText(
                tr("Words written to %2: %1").arg(counted(written->words), written->path));
        } else {
            QApplication::clipboard()->setText(QString::fromUtf8(written->text));
            m_status->setText(tr("Copied words: %1").arg(counted(written->words)));
        }
    }
    void showSelectedWord() {
        const auto& word = m_state.selectedWord();
        if (!word || m_table->rowCount() == 0 ||
            word->embedding() != m_table->wordAt(0).embedding()) {
            return;
        }
        const auto& order = *m_table->order();
        const auto found = std::ranges::find_if(
            order, [&](std::uint32_t place) { return m_table->rows().row(place) == word->row(); });
        if (found == order.end()) {
            return;
        }
        const QModelIndex current = m_view->currentIndex();
        const QModelIndex index = m_table->index(static_cast<int>(found - order.begin()),
                                                 current.isValid() ? current.column() : 0);
        const int scrolled = m_view->verticalScrollBar()->value();
        m_view->setCurrentIndex(index);
        if (std::exchange(m_isToShow, false)) {
            m_view->scrollTo(index, QAbstractItemView::PositionAtCenter);
        } else {
            m_view->verticalScrollBar()->setValue(scrolled);
        }
    }
    void copy() {
        QModelIndexList selected = m_view->selectionModel()->selectedRows();
        std::sort(selected.begin(), selected.end());
        std::vector<std::uint32_t> places(static_cast<std::size_t>(selected.size()));
        std::ranges::transform(selected, places.begin(), [this](const QModelIndex& index) {
            return (*m_table->order())[static_cast<std::size_t>(index.row())];
        });
        write(places.empty()
                  ? m_table->order()
                  : std::make_shared<const std::vector<std::uint32_t>>(std::move(places)),
              {});
    }
    void chooseFileAndExport() {
        const QString path =
            dialogs::saveFile(this, tr("Export words"), QStringLiteral("words.csv"),
                              {tr("Comma-separated values (*.csv)"), tr("All files (*)")});
        if (!path.isEmpty()) {
            write(m_table->order(), path);
        }
    }

    AnalysisState& m_state;
    SessionResults& m_results;
    CurrentMeasurement& m_measurement;
    std::optional<MeasuredText> m_ownTexts;
    WordQuery m_query;
    WordsTable* m_table;
    NoticeLine* m_notice;
    QStackedWidget* m_pages;
    QLabel* m_emptyText = nullptr;
    QComboBox* m_preset = nullptr;
    QLineEdit* m_filter = nullptr;
    QLabel* m_problem = nullptr;
    QString m_refusal;  ///< of the filter as typed; empty if it is in force
    QTableView* m_view = nullptr;
    bool m_isToShow = true;  ///< the selected word has not been brought into sight
    KeptHistogram* m_histogram = nullptr;
    QLabel* m_status = nullptr;
    QPushButton* m_copy = nullptr;
    QPushButton* m_export = nullptr;
    Query<WordsKey, Arrangement> m_arranged;
    JobRunner<WrittenWords> m_writer;
};

}  // namespace

WordsPanel* newWordsPanel(AnalysisState& state, SessionResults& results,
                          CurrentMeasurement& measurement) {
    return new Words(state, results, measurement);
}

}  // namespace epsilens::ui
