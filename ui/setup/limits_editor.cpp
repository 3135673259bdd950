#include "ui/setup/limits_editor.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include "ui/state/analysis_state.h"
#include "ui/state/limit_state.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/choice_list.h"
#include "ui/widgets/field_problem.h"
#include "ui/widgets/large_text.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

using calibration::Limit;
using calibration::LimitAggregate;
using calibration::LimitRelation;
using calibration::LimitStatistic;

namespace {

constexpr int kRowGap = 4;
constexpr int kStatisticWidth = 54;
constexpr int kAggregateWidth = 70;
constexpr int kRelationWidth = 44;
constexpr int kValueWidth = 50;

QString tr(const char* text) {
    return LimitsSection::tr(text);
}

/// A value of a list, short in the row, whole in its tooltip.
template <typename Value>
struct Entry {
    Value value{};
    const char* text = nullptr;
    const char* meaning = nullptr;
};

template <typename Value>
Entry(Value, const char*, const char*) -> Entry<Value>;

constexpr std::array kStatistics{
    Entry{LimitStatistic::nw, "kept draws", "Draws that keep the word"},
    Entry{LimitStatistic::sw, "different outputs", "Different outputs returned"},
    Entry{LimitStatistic::kept, "kept share", "Share of outputs that are the word itself"},
    Entry{LimitStatistic::near, "near share", "Share of outputs among the nearest words"},
    Entry{LimitStatistic::far, "far share", "Share of outputs that are neither"},
    Entry{LimitStatistic::minEntropy, "min-entropy", "Min-entropy of the outputs in bits"},
    Entry{LimitStatistic::shannonEntropy, "entropy", "Shannon entropy of the outputs in bits"}};
constexpr std::array kAggregates{
    Entry{LimitAggregate::mean, "mean", "Mean over the words"},
    Entry{LimitAggregate::max, "largest", "The word with the largest value"},
    Entry{LimitAggregate::min, "least", "The word with the smallest value"},
    Entry{LimitAggregate::p1, "1st pct.", "Percentile 1 of the words"},
    Entry{LimitAggregate::p5, "5th pct.", "Percentile 5 of the words"},
    Entry{LimitAggregate::p25, "25th pct.", "Percentile 25 of the words"},
    Entry{LimitAggregate::p50, "median", "Percentile 50 of the words"},
    Entry{LimitAggregate::p75, "75th pct.", "Percentile 75 of the words"},
    Entry{LimitAggregate::p95, "95th pct.", "Percentile 95 of the words"},
    Entry{LimitAggregate::p99, "99th pct.", "Percentile 99 of the words"}};
constexpr std::array kRelations{Entry{LimitRelation::atMost, "≤", "at most"},
                                Entry{LimitRelation::atLeast, "≥", "at least"}};

template <typename Value, std::size_t count>
ChoiceList<Value>* listOf(const std::array<Entry<Value>, count>& entries, Value chosen,
                          const QByteArray& objectName, const QString& name, const QString& tooltip,
                          QWidget* parent) {
    typename ChoiceList<Value>::Entries texts;
    for (const auto& entry : entries) {
        texts.emplace_back(entry.value, tr(entry.text));
    }
    auto* list = new ChoiceList<Value>(objectName.constData(), name, tooltip, texts, parent);
    for (std::size_t i = 0; i < count; ++i) {
        list->setItemData(static_cast<int>(i), tr(entries[i].meaning), Qt::ToolTipRole);
    }
    list->show(chosen);
    return list;
}

}  // namespace

/// One limit as a row of controls: statistic, over words, relation, value.
class LimitRow : public QWidget {
public:
    /// number   of the row from 1, for names of controls
    /// edited   hears of another limit, or another problem
    /// removed  hears of the click on the button that removes
    LimitRow(const Limit& limit, int number, QWidget* parent, std::function<void()> edited,
             const std::function<void()>& removed);

    [[nodiscard]] const Limit& limit() const { return m_limit; }
    /// Why the row is not taken as it stands; empty if it is.
    [[nodiscard]] const QString& problem() const { return m_problem; }
    /// From left to right.
    [[nodiscard]] std::array<QWidget*, 5> controls() const {
        return {m_statistic, m_aggregate, m_relation, m_value, m_remove};
    }

private:
    void arrange();
    void followStatistic();
    void apply();

    Limit m_limit;
    QString m_problem;
    std::function<void()> m_edited;
    ChoiceList<LimitStatistic>* m_statistic;
    ChoiceList<LimitAggregate>* m_aggregate;
    ChoiceList<LimitRelation>* m_relation;
    QLineEdit* m_value;
    QToolButton* m_remove;
};

LimitRow::LimitRow(const Limit& limit, int number, QWidget* parent, std::function<void()> edited,
                   const std::function<void()>& removed)
    : QWidget(parent), m_limit(limit), m_edited(std::move(edited)) {
    const auto id = [number](const char* name) {
        return "limit" + QByteArray::number(number) + name;
    };
    m_statistic =
        listOf(kStatistics, limit.statistic, id("StatisticComboBox"),
               tr("Statistic of limit %1").arg(number), tr("What the limit applies to."), this);
    m_aggregate = listOf(kAggregates, limit.aggregate, id("AggregateComboBox"),
                         tr("Over words, limit %1").arg(number),
                         tr("How the values of the words are summed up."), this);
    m_relation =
        listOf(kRelations, limit.relation, id("RelationComboBox"),
               tr("At most or at least, limit %1").arg(number), tr("≤ at most, ≥ at least."), this);
    m_value = described(new QLineEdit(this), id("ValueField").constData(),
                        tr("Value of limit %1").arg(number),
                        tr("A number, or with % a share of the draws: 50%."));
    m_value->setText(shortest(limit.value) + (limit.percent ? QStringLiteral("%") : QString()));
    m_value->setAlignment(Qt::AlignRight);
    m_remove = described(new QToolButton(this), id("RemoveButton").constData(),
                         tr("Remove limit %1").arg(number), tr("Remove this limit."));
    m_remove->setText(QStringLiteral("×"));
    m_remove->setAutoRaise(true);
    setFocusProxy(m_statistic);
    arrange();
    followStatistic();
    for (const QComboBox* list :
         {static_cast<QComboBox*>(m_statistic), static_cast<QComboBox*>(m_aggregate),
          static_cast<QComboBox*>(m_relation)}) {
        connect(list, &QComboBox::currentIndexChanged, this, [this] {
            followStatistic();
            apply();
        });
    }
    connect(m_value, &QLineEdit::editingFinished, this, [this] {
        apply();
        if (m_problem.isEmpty() && m_value->isModified()) {
            // What was taken over is undone as a setting, no longer as typing.
            m_value->setText(m_value->text());
        }
    });
    connect(m_remove, &QToolButton::clicked, this, removed);
}

/// Narrow enough for the panel at its least width; the lists that open are as wide as they need.
void LimitRow::arrange() {
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowGap);
    layout->setColumnStretch(0, 3);
    layout->setColumnStretch(1, 4);
    followFont(this, [this, layout](const QFontMetrics& metrics) {
        m_value->setFixedWidth(scaledToText(kValueWidth, metrics));
        const int removeSize = scaledToText(kLeastTarget, metrics);
        m_remove->setFixedSize(removeSize, removeSize);
        m_statistic->setMinimumWidth(scaledToText(kStatisticWidth, metrics));
        m_aggregate->setMinimumWidth(scaledToText(kAggregateWidth, metrics));
        m_relation->setMinimumWidth(scaledToText(kRelationWidth, metrics));
        const int below = isLargeText(metrics) ? 1 : 0;
        const int column = isLargeText(metrics) ? 1 : 2;
        layout->addWidget(m_statistic, 0, 0);
        layout->addWidget(m_aggregate, 0, 1, 1, below == 1 ? 3 : 1);
        layout->addWidget(m_relation, below, column);
        layout->addWidget(m_value, below, column + 1);
        layout->addWidget(m_remove, below, column + 2);
    });
}

/// A share of the outputs of a whole run has no value of single words.
void LimitRow::followStatistic() {
    const LimitStatistic statistic = m_statistic->value();
    const bool isOfWholeRun = statistic == LimitStatistic::near || statistic == LimitStatistic::far;
    if (isOfWholeRun) {
        m_aggregate->show(LimitAggregate::mean);
    }
    m_aggregate->setEnabled(!isOfWholeRun);
}

void LimitRow::apply() {
    // The command line's reader checks the value: a row is a limit as it is typed there.
    const std::string subject = calibration::limitText(
        {m_statistic->value(), m_aggregate->value(), m_relation->value(), 0.0, false});
    const auto parsed = calibration::parseLimit(subject.substr(0, subject.find('=') + 1) +
                                                toStd(m_value->text().trimmed()));
    const QString problem = parsed ? QString() : toQString(parsed.error().message);
    if (parsed && *parsed == m_limit && problem == m_problem) {
        return;
    }
    m_limit = parsed.value_or(m_limit);
    m_problem = problem;
    setFieldProblem(*m_value, problem);
    m_edited();
}

LimitsSection::LimitsSection(AnalysisState& state, LimitState& limits, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_status(hintLabel({}, this)),
      m_rowsLayout(new QVBoxLayout),
      m_problem(hintLabel({}, this)),
      m_add(described(new QPushButton(tr("Add li&mit"), this), "addLimitButton", tr("Add limit"),
                      tr("Adds another limit; all of them must be met."))) {
    setObjectName(QStringLiteral("limitsEditor"));
    m_status->setObjectName(QStringLiteral("limitsStatusLabel"));
    m_status->setWordWrap(true);
    m_problem->setObjectName(QStringLiteral("limitsProblemLabel"));
    m_problem->setWordWrap(true);
    m_rowsLayout->setSpacing(kRowGap);
    auto* column = columnIn(this, kRowSpacing, {m_status, m_problem, m_add});
    column->setAlignment(m_add, Qt::AlignLeft);
    column->insertLayout(1, m_rowsLayout);
    connect(m_add, &QPushButton::clicked, this, &LimitsSection::addLimit);
    m_state.onChange(&AnalysisSettings::limits, this, &LimitsSection::rebuildRows);
    const auto showStatus = [this, &limits] {
        m_status->setText(limitStatusSentence(limits.status()));
    };
    connect(&limits, &LimitState::statusChanged, this, showStatus);
    rebuildRows();
    showStatus();
}

// Rows that were edited here stand as they are: focus and half-typed values stay.
void LimitsSection::rebuildRows() {
    if (m_isApplying) {
        return;
    }
    for (LimitRow* row : m_rows) {
        // Out of the way at once, gone when the click that may have come from it is over.
        row->hide();
        row->setParent(nullptr);
        row->deleteLater();
    }
    m_rows.clear();
    for (const Limit& limit : m_state.limits()) {
        const std::size_t place = m_rows.size();
        auto* row = new LimitRow(
            limit, static_cast<int>(place) + 1, this, [this] { applyRows(); },
            [this, place] { removeLimit(place); });
        m_rowsLayout->addWidget(row);
        m_rows.push_back(row);
    }
    orderTabs();
    applyRows();
}

// Controls made later come last in the window's order of Tab; those of rows belong before the
// buttons.
void LimitsSection::orderTabs() {
    QWidget* previous = m_add->previousInFocusChain();
    while (previous->focusPolicy() == Qt::NoFocus && previous != m_add) {
        previous = previous->previousInFocusChain();
    }
    for (const LimitRow* row : m_rows) {
        for (QWidget* control : row->controls()) {
            setTabOrder(previous, control);
            previous = control;
        }
    }
    setTabOrder(previous, m_add);
}

void LimitsSection::applyRows() {
    std::vector<Limit> limits;
    QString problem;
    for (const LimitRow* row : m_rows) {
        limits.push_back(row->limit());
        problem = problem.isEmpty() ? row->problem() : problem;
    }
    m_problem->setText(problem.isEmpty() ? QString() : tr("⚠ %1").arg(problem));
    m_problem->setVisible(!problem.isEmpty());
    m_isApplying = true;
    m_state.edit(&AnalysisSettings::limits, std::move(limits));
    m_isApplying = false;
}

void LimitsSection::addLimit() {
    std::vector<Limit> limits = m_state.limits();
    limits.push_back(
        {LimitStatistic::kept, LimitAggregate::mean, LimitRelation::atMost, 50.0, true});
    m_state.edit(&AnalysisSettings::limits, std::move(limits));
    m_rows.back()->setFocus();
}

void LimitsSection::removeLimit(std::size_t place) {
    std::vector<Limit> limits = m_state.limits();
    limits.erase(limits.begin() + static_cast<std::ptrdiff_t>(place));
    m_state.edit(&AnalysisSettings::limits, std::move(limits));
    m_add->setFocus();
}

}  // namespace epsilens::ui
