#include "ui/setup/limits_editor.h"

#include <algorithm>
#include <array>
#include <utility>

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/base/numbers.h"
#include "ui/state/analysis_state.h"
#include "ui/state/limit_state.h"
#include "ui/widgets/field_problem.h"
#include "ui/widgets/large_text.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/wheel_guard.h"

namespace epsilens::ui {

namespace {

using calibration::Limit;
using calibration::LimitAggregate;
using calibration::LimitRelation;
using calibration::LimitStatistic;

constexpr int kRowGap = 4;
constexpr int kStatisticWidth = 54;
constexpr int kAggregateWidth = 70;
constexpr int kRelationWidth = 44;
constexpr int kValueWidth = 50;
constexpr int kRemoveSize = 24;

/// An entry of a list: short in the row, whole in its tooltip.
struct Entry {
    int value = 0;
    QString text;
    QString meaning;
};

std::vector<Entry> statisticEntries() {
    return {{static_cast<int>(LimitStatistic::nw), LimitRow::tr("kept draws"),
             LimitRow::tr("Draws that keep the word")},
            {static_cast<int>(LimitStatistic::sw), LimitRow::tr("different outputs"),
             LimitRow::tr("Different outputs returned")},
            {static_cast<int>(LimitStatistic::kept), LimitRow::tr("kept share"),
             LimitRow::tr("Share of outputs that are the word itself")},
            {static_cast<int>(LimitStatistic::near), LimitRow::tr("near share"),
             LimitRow::tr("Share of outputs among the nearest words")},
            {static_cast<int>(LimitStatistic::far), LimitRow::tr("far share"),
             LimitRow::tr("Share of outputs that are neither")},
            {static_cast<int>(LimitStatistic::minEntropy), LimitRow::tr("min-entropy"),
             LimitRow::tr("Min-entropy of the outputs in bits")},
            {static_cast<int>(LimitStatistic::shannonEntropy), LimitRow::tr("entropy"),
             LimitRow::tr("Shannon entropy of the outputs in bits")}};
}

std::vector<Entry> aggregateEntries() {
    std::vector<Entry> entries{{static_cast<int>(LimitAggregate::mean), LimitRow::tr("mean"),
                                LimitRow::tr("Mean over the words")},
                               {static_cast<int>(LimitAggregate::max), LimitRow::tr("largest"),
                                LimitRow::tr("The word with the largest value")},
                               {static_cast<int>(LimitAggregate::min), LimitRow::tr("least"),
                                LimitRow::tr("The word with the smallest value")}};
    constexpr std::array kPercentiles{
        std::pair{LimitAggregate::p1, 1},   std::pair{LimitAggregate::p5, 5},
        std::pair{LimitAggregate::p25, 25}, std::pair{LimitAggregate::p50, 50},
        std::pair{LimitAggregate::p75, 75}, std::pair{LimitAggregate::p95, 95},
        std::pair{LimitAggregate::p99, 99}};
    for (const auto& [aggregate, percent] : kPercentiles) {
        entries.push_back({static_cast<int>(aggregate), LimitRow::tr("%1th pct.").arg(percent),
                           LimitRow::tr("Percentile %1 of the words").arg(percent)});
    }
    entries[3].text = LimitRow::tr("1st pct.");
    entries[6].text = LimitRow::tr("median");
    return entries;
}

void fill(QComboBox& list, const std::vector<Entry>& entries, int chosen) {
    for (const Entry& entry : entries) {
        list.addItem(entry.text, entry.value);
        list.setItemData(list.count() - 1, entry.meaning, Qt::ToolTipRole);
    }
    list.setCurrentIndex(list.findData(chosen));
    list.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    guardWheel(&list);
}

void describe(QWidget& widget, const QString& objectName, const QString& name,
              const QString& tooltip) {
    widget.setObjectName(objectName);
    widget.setAccessibleName(name);
    widget.setAccessibleDescription(tooltip);
    widget.setToolTip(tooltip);
}

/// A share of the outputs of a whole run has no value of single words.
bool isOfWholeRun(LimitStatistic statistic) {
    return statistic == LimitStatistic::near || statistic == LimitStatistic::far;
}

}  // namespace

LimitRow::LimitRow(const Limit& limit, int number, QWidget* parent)
    : QWidget(parent),
      m_limit(limit),
      m_statistic(new QComboBox(this)),
      m_aggregate(new QComboBox(this)),
      m_relation(new QComboBox(this)),
      m_value(new QLineEdit(this)),
      m_remove(new QToolButton(this)) {
    build(number);
    followStatistic();
    for (const QComboBox* list : {m_statistic, m_aggregate, m_relation}) {
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
    connect(m_remove, &QToolButton::clicked, this, &LimitRow::removeRequested);
}

std::array<QWidget*, 5> LimitRow::controls() const {
    return {m_statistic, m_aggregate, m_relation, m_value, m_remove};
}

void LimitRow::build(int number) {
    const auto id = [number](const char* name) {
        return QStringLiteral("limit%1%2").arg(number).arg(QLatin1String(name));
    };
    fill(*m_statistic, statisticEntries(), static_cast<int>(m_limit.statistic));
    describe(*m_statistic, id("StatisticComboBox"), tr("Statistic of limit %1").arg(number),
             tr("What the limit applies to."));
    fill(*m_aggregate, aggregateEntries(), static_cast<int>(m_limit.aggregate));
    describe(*m_aggregate, id("AggregateComboBox"), tr("Over words, limit %1").arg(number),
             tr("How the values of the words are summed up."));
    fill(*m_relation,
         {{static_cast<int>(LimitRelation::atMost), QStringLiteral("≤"), tr("at most")},
          {static_cast<int>(LimitRelation::atLeast), QStringLiteral("≥"), tr("at least")}},
         static_cast<int>(m_limit.relation));
    describe(*m_relation, id("RelationComboBox"), tr("At most or at least, limit %1").arg(number),
             tr("≤ at most, ≥ at least."));
    describe(*m_value, id("ValueField"), tr("Value of limit %1").arg(number),
             tr("A number, or with % a share of the draws: 50%."));
    m_value->setText(shortest(m_limit.value) + (m_limit.percent ? QStringLiteral("%") : QString()));
    m_value->setAlignment(Qt::AlignRight);
    describe(*m_remove, id("RemoveButton"), tr("Remove limit %1").arg(number),
             tr("Remove this limit."));
    m_remove->setText(QStringLiteral("×"));
    m_remove->setAutoRaise(true);
    setFocusProxy(m_statistic);
    // Narrow enough for the panel at its least width; the lists that open are as wide as they need.
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowGap);
    layout->setColumnStretch(0, 3);
    layout->setColumnStretch(1, 4);
    followFont(this, [this, layout](const QFontMetrics& metrics) {
        m_value->setFixedWidth(scaledToText(kValueWidth, metrics));
        const int removeSize = scaledToText(kRemoveSize, metrics);
        m_remove->setFixedSize(removeSize, removeSize);
        for (const auto& [box, width] :
             {std::pair{m_statistic, kStatisticWidth}, std::pair{m_aggregate, kAggregateWidth},
              std::pair{m_relation, kRelationWidth}}) {
            box->setMinimumWidth(scaledToText(width, metrics));
        }
        const int below = isLargeText(metrics) ? 1 : 0;
        const int column = isLargeText(metrics) ? 1 : 2;
        layout->addWidget(m_statistic, 0, 0);
        layout->addWidget(m_aggregate, 0, 1, 1, below == 1 ? 3 : 1);
        layout->addWidget(m_relation, below, column);
        layout->addWidget(m_value, below, column + 1);
        layout->addWidget(m_remove, below, column + 2);
    });
}

void LimitRow::followStatistic() {
    const bool whole =
        isOfWholeRun(static_cast<LimitStatistic>(m_statistic->currentData().toInt()));
    if (whole) {
        m_aggregate->setCurrentIndex(m_aggregate->findData(static_cast<int>(LimitAggregate::mean)));
    }
    m_aggregate->setEnabled(!whole);
}

void LimitRow::apply() {
    Limit limit;
    limit.statistic = static_cast<LimitStatistic>(m_statistic->currentData().toInt());
    limit.aggregate = static_cast<LimitAggregate>(m_aggregate->currentData().toInt());
    limit.relation = static_cast<LimitRelation>(m_relation->currentData().toInt());
    // The command line's reader checks the value: a row is a limit as it is typed there.
    const std::string subject = calibration::limitText(limit);
    const std::string typed =
        subject.substr(0, subject.find('=') + 1) + toStd(m_value->text().trimmed());
    const auto parsed = calibration::parseLimit(typed);
    const QString problem = parsed ? QString() : toQString(parsed.error().message);
    if (parsed && *parsed == m_limit && problem == m_problem) {
        return;
    }
    if (parsed) {
        m_limit = *parsed;
    }
    m_problem = problem;
    setFieldProblem(*m_value, problem);
    Q_EMIT edited();
}

LimitsSection::LimitsSection(AnalysisState& state, LimitState& limits, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_limits(limits),
      m_status(hintLabel({}, this)),
      m_rowsLayout(new QVBoxLayout),
      m_problem(hintLabel({}, this)),
      m_add(new QPushButton(tr("Add li&mit"), this)) {
    setObjectName(QStringLiteral("limitsEditor"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowSpacing);
    m_status->setWordWrap(true);
    layout->addWidget(m_status);
    m_rowsLayout->setSpacing(kRowGap);
    layout->addLayout(m_rowsLayout);
    layout->addWidget(m_problem);
    describe(*m_add, QStringLiteral("addLimitButton"), tr("Add limit"),
             tr("Adds another limit; all of them must be met."));
    connect(m_add, &QPushButton::clicked, this, &LimitsSection::addLimit);
    layout->addWidget(m_add, 0, Qt::AlignLeft);
    m_status->setObjectName(QStringLiteral("limitsStatusLabel"));
    m_problem->setObjectName(QStringLiteral("limitsProblemLabel"));
    m_problem->setWordWrap(true);
    m_state.onChange(&AnalysisSettings::limits, this, &LimitsSection::rebuildRows);
    connect(&m_limits, &LimitState::statusChanged, this, &LimitsSection::showStatus);
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
        auto* row = new LimitRow(limit, static_cast<int>(m_rows.size()) + 1, this);
        connect(row, &LimitRow::edited, this, &LimitsSection::applyRows);
        connect(row, &LimitRow::removeRequested, this, [this, row] { removeRow(row); });
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

void LimitsSection::removeRow(const LimitRow* row) {
    std::vector<Limit> limits = m_state.limits();
    limits.erase(limits.begin() + (std::find(m_rows.begin(), m_rows.end(), row) - m_rows.begin()));
    m_state.edit(&AnalysisSettings::limits, std::move(limits));
    m_add->setFocus();
}

void LimitsSection::showStatus() {
    m_status->setText(limitStatusSentence(m_limits.status()));
}

}  // namespace epsilens::ui
