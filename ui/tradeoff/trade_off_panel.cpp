#include "ui/tradeoff/trade_off_panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <QtWidgets>
#include <nlohmann/json.hpp>

#include "core/document/csv_rows.h"
#include "core/evaluation/evaluation.h"
#include "ui/plot/xy_plot.h"
#include "ui/state/controls.h"
#include "ui/tradeoff/trade_off_content.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using attack::Task;
using evaluation::ClassifierKind;
using evaluation::EvaluationSummary;
using evaluation::FigureLimit;
using Kind = evaluation::FigureName::Kind;

QString csvOf(const TradeOffResult& result) {
    return toQString(document::csvRows(document::evaluationDocument(*result.record), "cells"));
}

QLabel* plain(QLabel* label, const char* name) {
    label->setTextFormat(Qt::PlainText);  // names of classes stand in it
    return wrapped(label, name);
}

QHBoxLayout* rowIn(QWidget* part, int spacing, std::initializer_list<QWidget*> parts = {}) {
    QHBoxLayout* row = rowOf(parts, spacing);
    part->setLayout(row);
    return row;
}

class Texts final : public TradeOffPanel {
public:
    Texts(AnalysisState& state, TextsSearchFunction search)
        : m_model(*new TradeOffModel(state, this)),
          m_goals(*new TextsSearch(m_model, std::move(search), this)),
          m_notice(new NoticeLine(this)) {
        setObjectName(QStringLiteral("tradeOffPanel"));
        auto* column = new QWidget(this);
        m_ofTexts = {buildTexts(), buildColumns(), buildChoices()};
        QWidget* goals = buildGoals();
        m_pages = new QStackedWidget(this);
        m_pages->addWidget(buildEmptyState());
        m_pages->addWidget(buildResults());
        constexpr int kLowestResults = 280;
        followFont(m_pages, [pages = m_pages](const QFontMetrics& metrics) {
            pages->setMinimumHeight(scaledToText(kLowestResults, metrics));
        });
        columnIn(column, kRowSpacing, {m_ofTexts[0], m_ofTexts[1], m_ofTexts[2], goals, m_pages},
                 kPanelMargin)
            ->setStretch(4, 1);
        columnIn(this, 0, {m_notice, scrolledPage(column, this)})->setStretch(1, 1);
        connectModel();
        showTexts();
        refresh();
    }

    [[nodiscard]] QString title() const override { return tr("Texts"); }
    void measureOrOpen() override {
        if (m_model.source().texts()) {
            measure(&TradeOffModel::measure);
        } else {
            chooseFile();
        }
    }
    [[nodiscard]] QWidget* firstControl() const override {
        return m_model.source().texts() ? m_open : m_emptyButton;
    }
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
        auto* folder =
            described(new QPushButton(tr("Folder…"), part), "openFolderPushButton",
                      tr("Open a folder of texts"),
                      tr("A folder with a subfolder for each class or author, which holds a "
                         "text file for each document."));
        m_summary = plain(new QLabel(part), "labelledSummaryLabel");
        auto* row = rowIn(part, kRowSpacing, {m_open, folder, m_summary});
        row->setStretch(0, 0);
        row->setStretch(2, 1);
        connect(m_open, &QPushButton::clicked, this, &Texts::chooseFile);
        connect(folder, &QPushButton::clicked, this, &Texts::chooseFolder);
        return part;
    }
    [[nodiscard]] QWidget* buildColumns() {
        auto* part = new QWidget(this);
        auto* row = rowIn(part, kRowSpacing);
        const QString guesses = tr("the program guesses.");
        addColumn(*row, tr("Columns: text"), "textColumnLineEdit", tr("Column of the texts"),
                  guesses);
        addColumn(*row, tr("class"), "labelColumnLineEdit", tr("Column of the classes"), guesses);
        addColumn(*row, tr("author"), "authorColumnLineEdit", tr("Column of the authors"),
                  tr("found only by its name."));
        m_remark = plain(hintLabel({}, part), "labelledRemarkLabel");
        row->addWidget(m_remark, 1);
        return part;
    }
    [[nodiscard]] QWidget* buildChoices() {
        auto* part = new QWidget(this);
        auto* utility = rowOf({}, kRowSpacing);
        auto* risk = rowOf({}, kRowSpacing);
        QVBoxLayout* all = columnIn(part, 4);
        all->addLayout(utility);
        all->addLayout(risk);
        auto* heading = new QLabel(tr("Still useful for:"), part);
        utility->addWidget(heading);
        addChoice(*utility, {Task::classify, ClassifierKind::linear}, "linearCheckBox",
                  tr("classes, by words (linear)"),
                  tr("A linear classifier of the words learns the classes from released texts."));
        addChoice(*utility, {Task::classify, ClassifierKind::vectors}, "vectorsCheckBox",
                  tr("by mean vectors"), tr("A classifier of the mean word vector of a text."));
        addChoice(*utility, {Task::classify, ClassifierKind::fasttext}, "fasttextCheckBox",
                  tr("by fastText"), tr("The supervised classifier of fastText."));
        m_obstacle = plain(hintLabel({}, part), "tradeOffProgressLabel");
        utility->addWidget(m_obstacle, 1);
        const QString repeats =
            tr("How often the texts are split, perturbed and learned from afresh, 2 times or more. "
               "More repeats make the intervals narrower; each takes as long as the first.");
        static constexpr double kFewest = 2.0;
        static constexpr double kMost = evaluation::EvaluationOptions::kMostRepeats;
        m_repeats = described(new NumberField({kFewest, kMost, false, true, tr("repeats")}, part),
                              "repeatsField", tr("Repeats"), repeats);
        keepFieldWidth(m_repeats);
        m_repeats->setValue(m_model.choice().repeats);
        connect(m_repeats, &NumberField::valueEdited, this, &Texts::takeChoices);
        connect(m_repeats, &NumberField::stepRequested, this, [this](int steps) {
            m_repeats->setValue(std::clamp(m_repeats->value() + steps, kFewest, kMost));
            takeChoices();
        });
        connect(m_repeats, &NumberField::problemChanged, this,
                [this, repeats](const QString& problem) {
                    describeOffer(*m_repeats, repeats, problem);
                });
        addLabelled(*utility, tr("re&peats"), m_repeats);
        auto* attackers = new QLabel(tr("An attacker learns:"), part);
        risk->addWidget(attackers);
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
        m_measure = described(
            new QPushButton(part), "measureTradeOffPushButton", tr("Measure"),
            tr("Measures at your ε and over the ε of the grid on Curves, at other λ only where "
               "that grid was changed to name them (F5)."));
        risk->addWidget(m_measure);
        connect(m_measure, &QPushButton::clicked, this, [this] {
            if (m_model.isRunning()) {
                m_model.cancel();
            } else {
                measure(&TradeOffModel::measure);
            }
        });
        followFont(part, [heading, attackers](const QFontMetrics&) {
            const int width = std::max(heading->sizeHint().width(), attackers->sizeHint().width());
            heading->setMinimumWidth(width);
            attackers->setMinimumWidth(width);
        });
        return part;
    }
    [[nodiscard]] QWidget* buildGoals() {
        auto* part = new QWidget(this);
        auto* risk = rowOf({}, kRowSpacing / 2);
        auto* use = rowOf({}, kRowSpacing / 2);
        auto* sentence = new QBoxLayout(QBoxLayout::LeftToRight);
        sentence->setSpacing(kRowSpacing / 2);
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
        followFont(part, [sentence, afterRisk](const QFontMetrics& metrics) {
            const bool isLarge = isLargeText(metrics);
            sentence->setDirection(isLarge ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
            afterRisk->setWordWrap(isLarge);
        });
        return part;
    }
    [[nodiscard]] QWidget* buildEmptyState() {
        m_emptyText = emptyStateLabel({}, this);
        m_emptyText->setObjectName(QStringLiteral("tradeOffEmptyLabel"));
        m_emptyButton =
            described(new QPushButton(this), "tradeOffEmptyPushButton", {},
                      tr("Opens labelled texts, and then measures over the grid (F5)."));
        m_aloneButton = described(new QPushButton(tr("Measure this ε alone, sooner done"), this),
                                  "measureAlonePushButton", tr("Measure your setting alone"),
                                  tr("Measures at your ε and λ only, which takes a fraction of the "
                                     "time of the grid."));
        connect(m_emptyButton, &QPushButton::clicked, this, &Texts::measureOrOpen);
        connect(m_aloneButton, &QPushButton::clicked, this,
                [this] { measure(&TradeOffModel::measurePresent); });
        return emptyStatePage(m_emptyText, {m_emptyButton, m_aloneButton}, this);
    }
    [[nodiscard]] QWidget* buildResults() {
        m_utility = new XyPlot("utilityPlot", tr("Texts in the right class against epsilon"));
        m_risk = new XyPlot("riskPlot", tr("Words guessed against epsilon"));
        m_frontier = new XyPlot("frontierPlot", tr("Usefulness against risk"));
        m_numbers = new NumbersView("tradeOffTableView", tr("Figures of the trade-off"), this);
        m_sentence = selectable(plain(new QLabel(this), "tradeOffSentenceLabel"));
        keepRoomForTwoLines(m_sentence);
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
        auto* views = new QTabWidget(this);
        views->setObjectName(QStringLiteral("tradeOffViews"));
        views->setAccessibleName(tr("Views of the trade-off"));
        views->setDocumentMode(true);
        guardWheel(views->tabBar());
        views->addTab(plots, tr("Against ε"));
        views->addTab(m_frontier, tr("Usefulness against risk"));
        views->addTab(m_numbers, tr("Numbers"));
        auto* page = new QWidget(this);
        columnIn(page, 4, {views, m_sentence, m_origin})->setStretch(0, 1);
        return page;
    }
    void addColumn(QHBoxLayout& row, const QString& label, const char* name, const QString& title,
                   const QString& whenEmpty) {
        auto* field = described(
            new QLineEdit(row.parentWidget()), name, title,
            tr("Name of the column in the header, or its number from 1. Empty: %1").arg(whenEmpty));
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
    void addChoice(QHBoxLayout& row, const Choice& choice, const char* name, const QString& text,
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
        connect(&m_model, &TradeOffModel::failed, this, [this](const Error& error) {
            showStateNotice();
            if (error.code != ErrorCode::cancelled) {
                m_notice->present(noticeFor(error));
            }
        });
    }
    void measure(void (TradeOffModel::*start)()) {
        if (QLineEdit* refusing = fieldWithProblem(*this)) {
            showField(*refusing);
        } else {
            (m_model.*start)();
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
    }
    void showTexts() {
        Corpus& source = m_model.source();
        const LabelledTextsHandle& texts = source.texts();
        m_summary->setText(source.isReading() ? tr("Reading…") : source.summaryText());
        m_summary->setToolTip(source.unknownText());
        m_remark->setText(source.remarkText());
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
        for (QWidget* part : m_ofTexts) {
            part->setVisible(hasTexts);
        }
        for (const Choice& choice : m_choices) {
            const QString refusal = m_model.refusalOf(choice.task);
            choice.box->setEnabled(refusal.isEmpty() && !isRunning);
            choice.box->setToolTip(refusal.isEmpty() ? choice.box->accessibleDescription()
                                                     : refusal);
        }
        m_repeats->setEnabled(!isRunning);
        m_obstacle->setText(isRunning ? QString() : obstacle);
        m_measure->setText(isRunning ? tr("Cancel") : tr("Measure"));
        m_measure->setToolTip(isRunning ? tr("Stops (Esc). What is finished is kept.")
                                        : m_measure->accessibleDescription());
        m_measure->setEnabled(isRunning || obstacle.isEmpty());
        m_emptyText->setText(
            isRunning   ? tr("Measuring…")
            : isReading ? tr("Reading…")
            : hasTexts  ? tr("Measuring shows how well a classifier still learns from the "
                              "released texts, and how many of their words an attacker guesses.")
                        : tr("What is your text still good for, and what does an attacker still "
                              "learn? Texts with their classes or authors answer both, for each ε."));
        const bool isOffered = !isRunning && !isReading && (!hasTexts || obstacle.isEmpty());
        if (!isOffered && m_emptyButton->hasFocus()) {
            (isRunning ? m_measure : m_open)->setFocus();
        }
        m_emptyButton->setVisible(isOffered);
        m_emptyButton->setText(hasTexts ? tr("Measure") : tr("Open texts…"));
        const mechanism::Grid grid = m_model.options().grid;
        m_aloneButton->setVisible(isOffered && hasTexts &&
                                  (grid.epsilons.size() > 1 || grid.mechanisms().size() > 1));
    }
    void showResult() {
        const TradeOffResultHandle& result = m_model.result();
        const auto present = m_model.present();
        const QWidget* focused = QApplication::focusWidget();
        const bool hadFocus = focused != nullptr && m_pages->currentWidget()->isAncestorOf(focused);
        m_pages->setCurrentIndex(result ? 1 : 0);
        if (hadFocus && !m_pages->currentWidget()->isAncestorOf(focused)) {
            m_open->setFocus();
        }
        const bool isOther = m_shown != result;
        const auto known = present && present->result != result ? present->result : nullptr;
        if (isOther || (known && known != m_shownKnown)) {
            m_shownKnown = known;
            m_numbers->setTables(
                result ? figureTables(*result, present) : std::vector<report::Table>(),
                [result, known] {
                    QString csv = csvOf(*result);
                    if (known && known->isOfOneSetting()) {
                        csv += QLatin1Char('\n') + csvOf(*known);
                    }
                    return csv;
                });
        }
        m_shown = result;
        m_sentence->setText(m_model.sentence());
        if (!result) {
            return;
        }
        const bool isOutdated = !m_model.staleness().isEmpty();
        const auto& limits = m_model.state().settings().figureLimits;
        const auto beside = m_model.besideResult();
        const bool isBeside =
            std::ranges::equal(beside, m_shownBeside, [](const auto& a, const auto& b) {
                return a.epsilon == b.epsilon && a.checks.size() == b.checks.size();
            });
        if (isOther || !isBeside || (!isOutdated && m_shownFamily != m_model.family()) ||
            m_shownLimits != limits) {
            m_shownFamily = m_model.family();
            m_shownLimits = limits;
            m_shownBeside = beside;
            m_utility->setContent(utilityContent(*result, *m_shownFamily, limits, beside));
            m_risk->setContent(riskContent(*result, *m_shownFamily, limits, beside));
            m_frontier->setContent(frontierContent(*result, beside));
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
        showOrigin();
    }
    void showOrigin() {
        const evaluation::EvaluationSummary& summary = m_shown->summary();
        QStringList sentences;
        for (const std::string& sentence : report::dataSentences(summary)) {
            sentences.append(toQString(sentence));
        }
        m_origin->setToolTip(sentences.join(QLatin1Char('\n')));
        const QString state =
            summary.partial && m_model.isRunning() ? tr("Partial: the measurement goes on. ")
            : summary.partial                      ? tr("Partial: cancelled before the end. ")
            : m_shown->isOfOneSetting() ? tr("One setting alone; Measure adds the grid. ")
                                        : QString();
        m_origin->setText(
            state + tr("A click on a point takes its setting. %1 documents, %2 repeats, seed %3. "
                       "Bars: 95% intervals. That no better attacker was found is no guarantee.")
                        .arg(counted(summary.data.documents), counted(summary.options.repeats),
                             QString::number(summary.options.seed)));
    }
    void showStateNotice() {
        std::optional<Notice> notice;
        if (!m_model.isRunning() && !m_model.staleness().isEmpty()) {
            notice = Notice{Severity::info, m_model.staleness()};
            if (m_model.obstacle().isEmpty()) {
                notice->actions.append(
                    {tr("Measure again"), [this] { measure(&TradeOffModel::measure); }});
            }
        }
        m_notice->follow(notice);
    }

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
    QPushButton* m_emptyButton;
    QPushButton* m_aloneButton;
    QLabel* m_sentence;
    QLabel* m_origin;
    XyPlot* m_utility;
    XyPlot* m_risk;
    XyPlot* m_frontier;
    NumbersView* m_numbers;
    std::array<QWidget*, 3> m_ofTexts{};  ///< shown where there are texts
    QStackedWidget* m_pages;
    TradeOffResultHandle m_shown;
    TradeOffResultHandle m_shownKnown;  ///< of the present setting, among its numbers; or null
    std::optional<std::size_t> m_shownFamily;
    std::vector<evaluation::FigureLimit> m_shownLimits;
    std::vector<evaluation::TriedEpsilon> m_shownBeside;
};

}  // namespace

TradeOffPanel* newTradeOffPanel(AnalysisState& state, TextsSearchFunction search) {
    return new Texts(state, std::move(search));
}

}  // namespace epsilens::ui
