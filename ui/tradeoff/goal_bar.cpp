#include "ui/tradeoff/goal_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/base/numbers.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/field_problem.h"
#include "ui/widgets/large_text.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr int kBlankWidth = 68;  ///< of "no limit"
constexpr double kAll = 100.0;

/// Nothing for an empty blank.
Result<std::optional<double>> limitOf(const QString& typed) {
    if (typed.isEmpty()) {
        return std::nullopt;
    }
    return parseNumber(toStd(typed), "the limit")
        .and_then([](double number) -> Result<std::optional<double>> {
            if (number < 0.0 || number > kAll) {
                return fail(ErrorCode::invalidArgument, "the limit must be from 0 to 100");
            }
            return number;
        });
}

QString findDescription() {
    return GoalBar::tr(
        "Measures the texts at some 20 values of ε within the grid, first far apart, then closer "
        "around the answer, and sets the largest that meets both of these limits and all others.");
}

}  // namespace

GoalBar::GoalBar(GoalSearch& search, QWidget* parent)
    : QWidget(parent),
      m_search(search),
      m_find(described(new QPushButton(this), "findGoalButton", tr("Find ε for these texts"),
                       findDescription())),
      m_nearest(described(new QPushButton(this), "takeNearestButton", tr("Take the nearest ε"),
                          tr("Sets the ε that comes closest to the limits, and measures there."))),
      m_message(new QLabel(this)) {
    m_message->setObjectName(QStringLiteral("goalMessageLabel"));
    m_message->setTextFormat(Qt::PlainText);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_message->setWordWrap(true);
    auto* risk = new QHBoxLayout;
    auto* use = new QHBoxLayout;
    addBlank(*risk, tr("At most"), "mostGainField",
             tr("How many more of 100 words an attacker may guess, at most"),
             tr("More than an attacker guesses who does not see the released text. A number from 0 "
                "to 100; an empty field sets no limit."),
             {&GoalSearch::mostGain, &GoalSearch::setMostGain});
    auto* afterRisk = new QLabel(tr("of 100 more words guessed than without a release,"), this);
    risk->addWidget(afterRisk, 1);
    QWidget* const last = addBlank(
        *use, tr("at least"), "leastRetainedField", tr("Usefulness kept, percent, at least"),
        tr("0 is what a classifier reaches on random words, 100 what it reaches without "
           "noise. A number from 0 to 100; an empty field sets no limit."),
        {&GoalSearch::leastRetained, &GoalSearch::setLeastRetained});
    setTabOrder(last, m_find);
    setTabOrder(m_find, m_nearest);
    use->addWidget(new QLabel(tr("% of usefulness kept."), this));
    use->addSpacing(kRowSpacing);
    use->addWidget(m_find);
    use->addWidget(m_nearest);
    use->addStretch(1);
    auto* sentence = new QBoxLayout(QBoxLayout::LeftToRight);
    sentence->setSpacing(kRowSpacing / 2);
    sentence->addLayout(risk);
    sentence->addLayout(use, 1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    all->addLayout(sentence);
    all->addWidget(m_message);
    followFont(this, [sentence, afterRisk](const QFontMetrics& metrics) {
        const bool isLarge = isLargeText(metrics);
        sentence->setDirection(isLarge ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
        afterRisk->setWordWrap(isLarge);
    });
    connect(m_find, &QPushButton::clicked, &m_search, &GoalSearch::find);
    connect(m_nearest, &QPushButton::clicked, &m_search, &GoalSearch::takeNearest);
    connect(&m_search, &GoalSearch::changed, this, &GoalBar::refresh);
    refresh();
}

QWidget* GoalBar::addBlank(QHBoxLayout& row, const QString& before, const char* name,
                           const QString& title, const QString& description, Limit limit) {
    auto* blank = described(new QLineEdit(this), name, title, description);
    blank->setAlignment(Qt::AlignRight);
    blank->setPlaceholderText(tr("no limit"));
    followFont(blank, [blank](const QFontMetrics& metrics) {
        blank->setFixedWidth(scaledToText(kBlankWidth, metrics));
    });
    row.setSpacing(kRowSpacing / 2);
    addLabelled(row, before, blank);
    const auto take = [this, blank, limit] {
        const QString typed = blank->text().trimmed();
        const auto number = limitOf(typed);
        m_problem = number ? QString() : toQString(number.error().message);
        setFieldProblem(*blank, m_problem);
        if (number) {
            blank->setModified(false);
            (m_search.*limit.take)(*number);
        }
        refresh();
    };
    connect(blank, &QLineEdit::editingFinished, this, take);
    // Tab would pass over a button that only the end of the edit enables.
    connect(blank, &QLineEdit::textEdited, this, [this, take](const QString& typed) {
        if (!m_find->isEnabled() && limitOf(typed.trimmed())) {
            take();
        }
    });
    const auto show = [this, blank, limit] {
        const std::optional<double> value = (m_search.*limit.value)();
        const QString text = value ? shortest(*value) : QString();
        if (!blank->isModified() && blank->text() != text) {
            blank->setText(text);
        }
    };
    connect(&m_search, &GoalSearch::changed, blank, show);
    show();
    return blank;
}

void GoalBar::refresh() {
    m_find->setText(m_search.isRunning() ? tr("Cancel") : tr("Find ε for these texts"));
    const QString reason = m_search.isRunning()   ? QString()
                           : !m_problem.isEmpty() ? m_problem
                                                  : m_search.reason();
    m_find->setEnabled(reason.isEmpty());
    describeOffer(*m_find, m_search.isRunning() ? tr("Stops the search.") : findDescription(),
                  reason);
    m_nearest->setVisible(m_search.nearest().has_value());
    if (const auto& nearest = m_search.nearest()) {
        m_nearest->setText(tr("Take ε = %1").arg(significant(*nearest, 3)));
    }
    m_message->setText(m_problem.isEmpty() ? m_search.message() : tr("⚠ %1").arg(m_problem));
    m_message->setVisible(!m_message->text().isEmpty());
}

}  // namespace epsilens::ui
