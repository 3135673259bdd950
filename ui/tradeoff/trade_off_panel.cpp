#include "ui/tradeoff/trade_off_panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <QtWidgets>
#include <nlohmann/json.hpp>

#include "core/corpus/perturber.h"
#include "core/document/csv_rows.h"
#include "core/evaluation/evaluation.h"
#include "core/report/memo_words.h"
#include "ui/plot/xy_plot.h"
#include "ui/state/controls.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/query.h"
#include "ui/tradeoff/trade_off_content.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

// Of the setting, while it is dragged.
constexpr int kReleasedRestMs = 150;

using attack::Task;
using evaluation::ClassifierKind;
using evaluation::FigureLimit;
using Kind = evaluation::FigureName::Kind;

QLabel* plain(QLabel* label, const char* name) {
    label->setTextFormat(Qt::PlainText);  // names of classes stand in it
    return wrapped(label, name);
}

QHBoxLayout* rowIn(QWidget* part, int spacing, std::initializer_list<QWidget*> parts = {}) {
    QHBoxLayout* row = rowOf(parts, spacing);
    part->setLayout(row);
    return row;
}

/// A row of a part, or a column where text is large.
QBoxLayout* foldingRow(QWidget* part, int spacing) {
    auto* row = new QBoxLayout(QBoxLayout::LeftToRight);
    row->setSpacing(spacing);
    followFont(part, [row](const QFontMetrics& metrics) {
        row->setDirection(isLargeText(metrics) ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    });
    return row;
}

/// Texts and a setting, all that their released words depend on.
struct ReleasedKey {
    engine::SearchSpaceHandle space{};
    LabelledTextsHandle texts{};
    mechanism::Setting setting{};
    TextPolicies policies{};
    std::uint64_t seed = 0;

    [[nodiscard]] bool operator==(const ReleasedKey&) const = default;
};

/// Texts, each with one that a release may make of it.
using BeforeAfter = std::vector<std::pair<QString, QString>>;

/// Of ten texts, evenly spaced. For study from a seed. Fails as tokeniseDocuments and Perturber do.
Result<BeforeAfter> releasedTexts(const ReleasedKey& key, const JobContext& job) {
    constexpr std::size_t kTexts = 10;
    const std::vector<corpus::Document>& all = key.texts->data.documents;
    const embedding::Vocabulary& vocabulary = key.space->embedding().vocabulary();
    corpus::DataSet few;
    corpus::DrawPool pool;
    for (std::size_t i = 0; i < std::min(kTexts, all.size()); ++i) {
        few.documents.push_back(all[i * all.size() / std::min(kTexts, all.size())]);
        pool.documents.push_back(i);
    }
    const corpus::ReplacementPolicies policies = replacementPolicies(key.policies);
    mechanism::Grid grid = mechanism::Grid::of(key.setting.mechanism);
    grid.epsilons = {key.setting.epsilon};
    ASSIGN_OR_RETURN(const auto words,
                     corpus::tokeniseDocuments(few.documents, vocabulary, policies, 0, job));
    ASSIGN_OR_RETURN(const auto perturber,
                     corpus::Perturber::create(*key.space, words, policies, grid, key.seed));
    ASSIGN_OR_RETURN(const auto copies,
                     perturber->perturb(std::span(&pool, 1), grid.epsilons, job));
    const std::vector<std::string> released =
        corpus::writeDocuments(few, vocabulary, policies, pool.documents, copies.front(), 0);
    BeforeAfter texts;
    for (std::size_t i = 0; i < released.size(); ++i) {
        texts.emplace_back(toQString(few.documents[i].text), toQString(released[i]));
    }
    return texts;
}

class Texts final : public TradeOffPanel {
public:
    Texts(AnalysisState& state, const GuaranteeModel& guarantee, TextsSearchFunction search)
        : m_guarantee(guarantee),
          m_model(*new TradeOffModel(state, this)),
          m_goals(*new TextsSearch(m_model, std::move(search), this)),
          m_notice(new NoticeLine(this)),
          m_released({.title = tr("Releasing ten texts for a look"),
                      .key = [this] { return releasedKey(); },
                      .make = releasedTexts,
                      .restMs = kReleasedRestMs}) {
        setObjectName(QStringLiteral("tradeOffPanel"));
        auto* column = new QWidget(this);
        QWidget* texts = buildTexts();
        m_remark = plain(hintLabel({}, this), "labelledRemarkLabel");
        m_options =
            new CollapsibleSection(QStringLiteral("textsOptions"), {}, buildOptions(), this);
        QWidget* goals = buildGoals();
        m_emptyText = emptyStateLabel({}, this);
        m_results = buildResults();
        auto* all =
            columnIn(column, kRowSpacing,
                     {texts, m_remark, m_options, goals, m_emptyText, m_results}, kPanelMargin);
        all->setStretch(4, 1);
        all->setStretch(5, 1);
        columnIn(this, 0, {m_notice, scrolledPage(column, this)})->setStretch(1, 1);
        connectModel();
        showTexts();
        refresh();
    }

    [[nodiscard]] QString title() const override { return tr("Texts"); }
    void measureOrOpen() override {
        if (m_model.source().texts()) {
            measure();
        } else {
            chooseFile();
        }
    }
    [[nodiscard]] QWidget* firstControl() const override { return m_open; }
    [[nodiscard]] TradeOffModel& model() const override { return m_model; }
    [[nodiscard]] TextsSearch& goals() const override { return m_goals; }

    void chooseFile() override {
        const QString path = dialogs::openFile(
            this, tr("Open texts"),
            {tr("All files (*)"),
             tr("Labelled texts (*.csv *.tsv *.txt *.jsonl *.gz *.xz *.bz2 *.zst *.zip)")});
        if (!path.isEmpty()) {
            m_model.source().open(path);
        }
    }
    void chooseFolder() override {
        const QString path = dialogs::openFolder(this, tr("Open a folder of texts"));
        if (!path.isEmpty()) {
            m_model.source().open(path);
        }
    }

protected:
    void showEvent(QShowEvent* event) override {
        TradeOffPanel::showEvent(event);
        m_released.update();
    }

private:
    struct Choice {
        attack::Task task = attack::Task::classify;
        evaluation::ClassifierKind classifier = evaluation::ClassifierKind::linear;
        QCheckBox* box = nullptr;
    };

    [[nodiscard]] QWidget* buildTexts() {
        auto* part = new QWidget(this);
        m_open = described(
            new QPushButton(tr("Open te&xts…"), part), "openLabelledPushButton", tr("Open texts"),
            tr("Texts with their classes or authors: CSV, TSV, JSON Lines, or a label, "
               "a tab and the text on each line; plain or compressed."));
        m_summary = plain(new QLabel(part), "labelledSummaryLabel");
        m_obstacle = plain(hintLabel({}, part), "tradeOffProgressLabel");
        m_measure = described(
            new QPushButton(part), "measureTradeOffPushButton", tr("Measure"),
            tr("Measures at your ε, then where the curves are steep between the ends of the grid "
               "on Curves; at other λ only where that grid was changed to name them (F5)."));
        connect(m_measure, &QPushButton::clicked, this, [this] {
            if (m_model.isRunning()) {
                m_model.cancel();
            } else {
                measureOrOpen();
            }
        });
        auto* row = rowIn(part, kRowSpacing, {m_open, m_summary, m_obstacle, m_measure});
        row->setStretch(0, 0);
        row->setStretch(1, 1);
        connect(m_open, &QPushButton::clicked, this, &Texts::chooseFile);
        return part;
    }
    [[nodiscard]] QWidget* buildOptions() {
        auto* part = new QWidget(this);
        auto* form = new QFormLayout(part);
        form->setContentsMargins(0, 0, 0, 0);
        form->setRowWrapPolicy(QFormLayout::WrapLongRows);
        auto* columns = rowOf({}, kRowSpacing);
        QBoxLayout* utility = foldingRow(part, kRowSpacing);
        QBoxLayout* risk = foldingRow(part, kRowSpacing);
        form->addRow(tr("Columns:"), columns);
        form->addRow(tr("Still useful for:"), utility);
        form->addRow(tr("An attacker learns:"), risk);
        addColumn(*columns, tr("text"), "textColumnLineEdit", tr("Column of the texts"));
        addColumn(*columns, tr("class"), "labelColumnLineEdit", tr("Column of the classes"));
        addColumn(*columns, tr("author"), "authorColumnLineEdit", tr("Column of the authors"));
        columns->addStretch(1);
        addChoice(*utility, {Task::classify, ClassifierKind::linear}, "linearCheckBox",
                  tr("classes, by words (linear)"),
                  tr("A linear classifier of the words learns the classes from released texts."));
        addChoice(*utility, {Task::classify, ClassifierKind::vectors}, "vectorsCheckBox",
                  tr("by mean vectors"), tr("A classifier of the mean word vector of a text."));
        addChoice(*utility, {Task::classify, ClassifierKind::fasttext}, "fasttextCheckBox",
                  tr("by fastText"), tr("The supervised classifier of fastText."));
        static constexpr double kFewest = 2.0;
        static constexpr double kMost = evaluation::EvaluationOptions::kMostRepeats;
        m_repeats = described(new NumberField({kFewest, kMost, false, true, tr("repeats")}, part),
                              "repeatsField", tr("Repeats"),
                              tr("How often the texts are split, perturbed and learned from "
                                 "afresh, 2 times or more. More repeats make the intervals "
                                 "narrower; each takes as long as the first."));
        keepFieldWidth(m_repeats);
        m_repeats->setValue(m_model.choice().repeats);
        connect(m_repeats, &NumberField::valueEdited, this, &Texts::takeChoices);
        connect(m_repeats, &NumberField::stepRequested, this, [this](int steps) {
            m_repeats->setValue(std::clamp(m_repeats->value() + steps, kFewest, kMost));
            takeChoices();
        });
        auto* repeated = rowOf({}, kRowSpacing);
        addLabelled(*repeated, tr("re&peats"), m_repeats);
        repeated->addStretch(1);
        utility->addLayout(repeated, 1);
        addChoice(
            *risk, {Task::reconstruct}, "reconstructCheckBox", tr("the words"),
            tr("Attackers who know mechanism and setting guess the words behind the outputs."));
        addChoice(*risk, {Task::membership}, "membershipCheckBox",
                  tr("which texts trained a classifier"),
                  tr("An attacker tells from the answers of a classifier which texts it learned "
                     "from."));
        addChoice(*risk, {Task::authorship}, "authorshipCheckBox", tr("the author"),
                  tr("An attacker who knows other texts by the same authors names the author."));
        addChoice(*risk, {Task::audit}, "auditCheckBox", tr("whose texts trained a model"),
                  tr("An attacker tells whose texts a language model was trained on."));
        risk->addStretch(1);
        return part;
    }
    [[nodiscard]] QWidget* buildGoals() {
        auto* part = new QWidget(this);
        auto* risk = rowOf({}, kRowSpacing / 2);
        auto* use = rowOf({}, kRowSpacing / 2);
        QBoxLayout* sentence = foldingRow(part, kRowSpacing / 2);
        sentence->addLayout(risk);
        sentence->addLayout(use, 1);
        m_goalMessage = plain(new QLabel(part), "goalMessageLabel");
        m_goalMessage->setTextInteractionFlags(Qt::TextSelectableByMouse);
        columnIn(part, 4, {m_goalMessage})->insertLayout(0, sentence);
        addBlank(
            *risk, tr("At most"), "mostGainField",
            tr("How many more of 100 words an attacker may guess, at most"),
            tr("More than an attacker guesses who does not see the released text. A number from 0 "
               "to 100; an empty field sets no limit."),
            Kind::gain);
        auto* afterRisk = new QLabel(tr("of 100 more words guessed than without a release,"), part);
        risk->addWidget(afterRisk, 1);
        addBlank(*use, tr("at least"), "leastRetainedField",
                 tr("Usefulness kept, percent, at least"),
                 tr("0 is what a classifier reaches on random words, 100 what it reaches without "
                    "noise. A number from 0 to 100; an empty field sets no limit."),
                 Kind::retained);
        use->addWidget(new QLabel(tr("% of usefulness kept."), part));
        use->addStretch(1);
        followFont(afterRisk, [afterRisk](const QFontMetrics& metrics) {
            afterRisk->setWordWrap(isLargeText(metrics));
        });
        return part;
    }
    [[nodiscard]] QWidget* buildBeforeAfter() {
        m_texts = new QTableWidget(0, 2, this);
        setUpRows(*m_texts, "beforeAfterTableView", tr("Ten of your texts before and after"));
        m_texts->setAccessibleDescription(
            tr("Each row has a text and one that a release at this setting may make of it."));
        m_texts->setHorizontalHeaderLabels({tr("before"), tr("after, one possible release")});
        m_texts->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
        m_texts->horizontalHeader()->setSectionsClickable(false);
        m_texts->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        connect(&m_released, &QueryBase::changed, this, &Texts::showBeforeAfter);
        return m_texts;
    }
    [[nodiscard]] QWidget* buildResults() {
        m_utility = new XyPlot("utilityPlot", tr("Texts in the right class against epsilon"));
        m_risk = new XyPlot("riskPlot", tr("Words guessed against epsilon"));
        m_frontier = new XyPlot("frontierPlot", tr("Usefulness against risk"));
        m_numbers = new NumbersView("tradeOffTableView", tr("Figures of the trade-off"), this);
        m_sentence = selectable(plain(new QLabel(this), "tradeOffSentenceLabel"));
        m_origin = plain(hintLabel({}, this), "tradeOffOriginLabel");
        auto* plots = new QWidget(this);
        rowIn(plots, kPanelMargin, {m_utility, m_risk})->setStretch(1, 1);
        AnalysisState& state = m_model.state();
        for (XyPlot* plot : {m_utility, m_risk, m_frontier}) {
            connect(plot, &XyPlot::pointChosen, &m_model, &TradeOffModel::choose);
            connect(plot, &XyPlot::cursorMoved, &state, [&state](double epsilon) {
                state.edit(&AnalysisSettings::chooseEpsilon, epsilon);
            });
        }
        for (const auto& [plot, other] :
             {std::pair{m_utility, m_risk}, std::pair{m_risk, m_utility}}) {
            connect(plot, &PlotWidget::viewChanged, other,
                    [plot = plot, other = other] { other->showXs(plot->shownX()); });
        }
        m_views = new QTabWidget(this);
        m_views->setObjectName(QStringLiteral("tradeOffViews"));
        m_views->setAccessibleName(tr("Views of the trade-off"));
        m_views->setDocumentMode(true);
        guardWheel(m_views->tabBar());
        m_views->addTab(buildBeforeAfter(), tr("Before and after"));
        m_views->addTab(plots, tr("Against ε"));
        m_views->addTab(m_frontier, tr("Usefulness against risk"));
        m_views->addTab(m_numbers, tr("Numbers"));
        constexpr int kLowestView = 280;
        followFont(m_views, [views = m_views](const QFontMetrics& metrics) {
            views->setMinimumHeight(scaledToText(kLowestView, metrics));
        });
        m_promise = selectable(plain(new QLabel(this), "textsPromiseLabel"));
        auto* page = new QWidget(this);
        columnIn(page, 4, {m_promise, m_views, m_sentence, m_origin})->setStretch(1, 1);
        return page;
    }
    void addColumn(QHBoxLayout& row, const QString& label, const char* name, const QString& title) {
        auto* field =
            described(new QLineEdit(this), name, title,
                      tr("Name of the column in the header, or its number from 1. Empty: the "
                         "program guesses, an author by the name of the column only."));
        constexpr int kWidth = 150;
        followFont(field, [field](const QFontMetrics& metrics) {
            field->setMinimumWidth(scaledToText(kWidth / 2, metrics));
            field->setMaximumWidth(scaledToText(kWidth, metrics));
        });
        connect(field, &QLineEdit::editingFinished, this, [this] {
            m_model.source().setColumns(
                {m_columns[0]->text(), m_columns[1]->text(), m_columns[2]->text()});
        });
        addLabelled(row, label, field);
        *std::ranges::find(m_columns, nullptr) = field;
    }
    void addChoice(QBoxLayout& row, const Choice& choice, const char* name, const QString& text,
                   const QString& description) {
        auto* box = described(new QCheckBox(text, this), name, text, description);
        const auto& [classifiers, attacks, repeats] = m_model.choice();
        box->setChecked(choice.task == Task::classify
                            ? std::ranges::count(classifiers, choice.classifier) > 0
                            : std::ranges::count(attacks, choice.task) > 0);
        connect(box, &QCheckBox::toggled, this, &Texts::takeChoices);
        m_choices.push_back({choice.task, choice.classifier, box});
        row.addWidget(box);
    }
    void addBlank(QHBoxLayout& row, const QString& label, const char* name, const QString& title,
                  const QString& description, Kind kind) {
        constexpr int kWidth = 68;  // of "no limit"
        auto* blank = described(new NumberField({0.0, 100.0, false, false, tr("the limit"), true},
                                                m_goalMessage->parentWidget()),
                                name, title, description);
        blank->setPlaceholderText(tr("no limit"));
        keepFieldWidth(blank, kWidth);
        addLabelled(row, label, blank);
        connect(blank, &NumberField::valueEdited, this, [this, kind](double value) {
            m_goals.setLimit(kind, std::isnan(value) ? std::nullopt : std::optional(value));
        });
        connect(blank, &NumberField::problemChanged, this, [this](const QString& problem) {
            m_goalProblem = problem;
            showGoals();
        });
        const auto show = [this, blank, kind] {
            if (!blank->isModified()) {
                blank->setValue(m_goals.limit(kind).value_or(std::nan("")));
            }
        };
        connect(&m_goals, &TextsSearch::changed, blank, show);
        show();
    }
    void connectModel() {
        // Changes of the model are among those of the search.
        connect(&m_goals, &TextsSearch::changed, this, &Texts::refresh);
        connect(&m_model.source(), &Corpus::changed, this, &Texts::showTexts);
        connect(&m_model.source(), &Corpus::coverageChanged, this, &Texts::showTexts);
        connect(&m_guarantee, &GuaranteeModel::changed, this, &Texts::showPromise);
        connect(&m_guarantee, &GuaranteeModel::promiseChanged, this, &Texts::showPromise);
        connect(&m_model, &TradeOffModel::failed, this, [this](const Error& error) {
            showStateNotice();
            if (error.code != ErrorCode::cancelled) {
                m_notice->present(noticeFor(error));
            }
        });
    }
    void measure() {
        if (QLineEdit* refusing = fieldWithProblem(*this)) {
            m_options->setOpen(m_options->isOpen() || m_options->isAncestorOf(refusing));
            showField(*refusing);
        } else {
            m_model.measure();
        }
    }
    void takeChoices() {
        TradeOffChoice chosen{{}, {}, static_cast<int>(m_repeats->value())};
        for (const Choice& choice : m_choices) {
            if (choice.box->isChecked() && choice.task == Task::classify) {
                chosen.classifiers.push_back(choice.classifier);
            } else if (choice.box->isChecked()) {
                chosen.attacks.push_back(choice.task);
            }
        }
        m_model.setChoice(std::move(chosen));
    }
    void refresh() {
        showGoals();
        showPlan();
        showResult();
        showStateNotice();
        m_released.update();
        showBeforeAfter();
    }
    [[nodiscard]] std::optional<ReleasedKey> releasedKey() const {
        const AnalysisState& state = m_model.state();
        const LabelledTextsHandle& texts = m_model.source().texts();
        return isVisible() && texts && state.searchSpace()
                   ? std::optional(ReleasedKey{state.searchSpace(), texts, state.setting(),
                                               state.textPolicies(), state.seed()})
                   : std::nullopt;
    }
    void showBeforeAfter() {
        const BeforeAfter* texts = m_released.last();
        const Error* error = m_released.currentError();
        m_texts->setEnabled(m_released.current() != nullptr);
        m_texts->setToolTip(error != nullptr ? toQString(error->message) : QString());
        m_texts->setRowCount(texts != nullptr ? static_cast<int>(texts->size()) : 0);
        for (int row = 0; row < m_texts->rowCount(); ++row) {
            const auto& [before, after] = (*texts)[static_cast<std::size_t>(row)];
            for (const auto& [column, text] : {std::pair(0, before), std::pair(1, after)}) {
                auto* item = new QTableWidgetItem(text.simplified());
                item->setToolTip(QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped()));
                m_texts->setItem(row, column, item);
            }
        }
    }
    void showPromise() {
        const auto lengths = m_model.source().lengths();
        const auto loss = m_guarantee.lossAt(m_model.state().epsilon());
        const auto odds = [&](std::int64_t words) {
            return toQString(report::oddsWords(static_cast<double>(words) * *loss));
        };
        m_promise->setText(
            !lengths || !loss
                ? QString()
                : tr("Odds of a whole text against one whose words are all as different as %1 and "
                     "%2 change by at most %3 (median text, %4 words) · %5 (longest, %6 words).")
                      .arg(m_guarantee.firstWord(), m_guarantee.secondWord(), odds(lengths->median),
                           counted(lengths->median), odds(lengths->longest),
                           counted(lengths->longest)));
    }
    void showTexts() {
        Corpus& source = m_model.source();
        const LabelledTextsHandle& texts = source.texts();
        m_summary->setText(source.isReading() ? tr("Reading…") : source.summaryText());
        m_summary->setToolTip(source.unknownText());
        m_remark->setText(source.remarkText());
        m_remark->setVisible(!m_remark->text().isEmpty());
        showPromise();
        const bool hasColumns = texts && texts->data.textColumn;
        const auto show = [](QLineEdit& field, const std::string& typed,
                             const std::optional<corpus::Column>& column) {
            field.setText(toQString(typed));
            field.setPlaceholderText(column ? tr("%1 (guessed)").arg(toQString(column->name))
                                            : tr("none"));
        };
        for (QLineEdit* field : m_columns) {
            field->setEnabled(hasColumns && !source.isReading());
        }
        if (hasColumns) {
            const corpus::DataSetOptions& options = texts->source.options;
            show(*m_columns[0], options.textColumn, texts->data.textColumn);
            show(*m_columns[1], options.labelColumn, texts->data.labelColumn);
            show(*m_columns[2], options.authorColumn, texts->data.authorColumn);
        }
    }
    void showGoals() {
        m_goalMessage->setText(m_goalProblem.isEmpty() ? m_goals.message()
                                                       : tr("⚠ %1").arg(m_goalProblem));
        m_goalMessage->setVisible(!m_goalMessage->text().isEmpty());
    }
    void showPlan() {
        const bool isRunning = m_model.isRunning();
        const bool isReading = m_model.source().isReading();
        const bool hasTexts = m_model.source().texts() != nullptr;
        const QString obstacle = m_model.obstacle();
        m_options->setVisible(hasTexts);
        QStringList chosen;
        for (const Choice& choice : m_choices) {
            const QString refusal = m_model.refusalOf(choice.task);
            choice.box->setEnabled(refusal.isEmpty() && !isRunning);
            choice.box->setToolTip(refusal.isEmpty() ? choice.box->accessibleDescription()
                                                     : refusal);
            if (choice.box->isChecked() && refusal.isEmpty()) {
                chosen.append(choice.box->text());
            }
        }
        m_options->setTitle(tr("Options: %1").arg(chosen.join(QStringLiteral(" · "))));
        m_repeats->setEnabled(!isRunning);
        m_obstacle->setText(isRunning || !hasTexts ? QString() : obstacle);
        m_measure->setVisible(hasTexts);
        m_measure->setText(isRunning ? tr("Cancel") : tr("Measure"));
        m_measure->setToolTip(isRunning ? tr("Stops (Esc). What is finished is kept.")
                                        : m_measure->accessibleDescription());
        m_measure->setEnabled(isRunning || obstacle.isEmpty());
        m_emptyText->setText(
            isReading ? tr("Reading…")
                      : tr("What is your text still good for, and what does an attacker still "
                           "learn? Texts with their classes or authors answer both, for each ε."));
    }
    void showResult() {
        const TradeOffResultHandle& result = m_model.result();
        m_results->setVisible(result || m_model.source().texts());
        m_emptyText->setVisible(m_results->isHidden());
        const bool isOther = m_shown != result;
        if (isOther) {
            m_numbers->setTables(
                result ? figureTables(*result) : std::vector<report::Table>(), [result] {
                    return toQString(
                        document::csvRows(document::evaluationDocument(*result->record), "cells"));
                });
            for (int view = 1; view < m_views->count(); ++view) {
                m_views->setTabEnabled(view, result != nullptr);
            }
            if (!m_shown || !result) {
                m_views->setCurrentIndex(result ? 1 : 0);
            }
        }
        m_shown = result;
        m_sentence->setText(
            result ? m_model.sentence()
                   : tr("Measuring shows how well a classifier still learns from the released "
                        "texts, and how many of their words an attacker guesses."));
        m_origin->setVisible(result != nullptr);
        if (!result) {
            return;
        }
        const bool isOutdated = !m_model.staleness().isEmpty();
        const std::size_t family = isOutdated && !isOther ? m_shownFamily : m_model.family();
        const auto& limits = m_model.state().settings().figureLimits;
        if (isOther || m_shownFamily != family || m_shownLimits != limits ||
            m_shownSearch != m_model.search()) {
            const auto beside = m_model.besideResult();
            m_shownFamily = family;
            m_shownLimits = limits;
            m_shownSearch = m_model.search();
            m_utility->setContent(utilityContent(*result, family, limits, beside));
            m_risk->setContent(riskContent(*result, family, limits, beside));
            m_frontier->setContent(frontierContent(*result));
            m_utility->setVisible(!m_utility->content().series.empty());
            m_risk->setVisible(!m_risk->content().series.empty());
        }
        const auto point = m_model.presentPoint();
        for (XyPlot* plot : {m_utility, m_risk, m_frontier}) {
            plot->mark(point);
            plot->setOutdated(isOutdated);
            plot->setCursor(m_model.state().epsilon());
        }
        m_numbers->setOutdated(isOutdated);
        const evaluation::EvaluationSummary& summary = result->summary();
        const QString state = summary.partial && !m_model.isRunning()
                                  ? tr("Partial: cancelled before the end. ")
                                  : QString();
        m_origin->setText(
            state + tr("A click on a point takes its setting. %1 documents, %2 repeats, seed %3. "
                       "Bars: 95% intervals. That no better attacker was found is no guarantee.")
                        .arg(counted(summary.data.documents), counted(summary.options.repeats),
                             QString::number(summary.options.seed)));
    }
    void showStateNotice() {
        Notice stale{Severity::info, m_model.staleness()};
        if (m_model.obstacle().isEmpty()) {
            stale.actions.append({tr("Measure again"), [this] { measure(); }});
        }
        m_notice->follow(m_model.isRunning() || stale.text.isEmpty() ? std::nullopt
                                                                     : std::optional(stale));
    }

    const GuaranteeModel& m_guarantee;
    TradeOffModel& m_model;  ///< a child: controls that lose the focus while closing still reach it
    TextsSearch& m_goals;    ///< likewise
    NoticeLine* m_notice;
    QPushButton* m_open;
    QLabel* m_summary;
    QLabel* m_remark;
    std::array<QLineEdit*, 3> m_columns{};  ///< of texts, classes, authors
    std::vector<Choice> m_choices;
    NumberField* m_repeats;
    QLabel* m_obstacle;
    QPushButton* m_measure;
    QLabel* m_goalMessage;
    QString m_goalProblem;  ///< with the limit typed last; empty if it is taken
    QLabel* m_emptyText;
    QTabWidget* m_views;
    QTableWidget* m_texts;
    QLabel* m_promise;
    QLabel* m_sentence;
    QLabel* m_origin;
    XyPlot* m_utility;
    XyPlot* m_risk;
    XyPlot* m_frontier;
    NumbersView* m_numbers;
    CollapsibleSection* m_options;
    QWidget* m_results;
    TradeOffResultHandle m_shown;
    std::size_t m_shownFamily = 0;
    std::vector<FigureLimit> m_shownLimits;
    const document::KeptSearch* m_shownSearch = nullptr;
    Query<ReleasedKey, BeforeAfter> m_released;
};

}  // namespace

TradeOffPanel* newTradeOffPanel(AnalysisState& state, const GuaranteeModel& guarantee,
                                TextsSearchFunction search) {
    return new Texts(state, guarantee, std::move(search));
}

}  // namespace epsilens::ui
