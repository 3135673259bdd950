#include "ui/tradeoff/goal_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QStringList>

#include "core/calibration/run_with.h"
#include "core/report/limit_words.h"
#include "ui/state/limits_model.h"
#include "ui/state/mechanism_view.h"
#include "ui/tradeoff/goal_text.h"
#include "ui/tradeoff/trade_off_model.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using experiment::FigureLimit;
using experiment::FigureName;

/// Those on texts, then those on words.
QStringList limitsText(const document::KeptSearch& search) {
    QStringList all;
    for (const FigureLimit& limit : search.figureLimits) {
        all.append(toQString(report::limitWords(limit)));
    }
    for (const calibration::Limit& limit : search.limits) {
        all.append(toQString(report::limitWords(limit, search.draws)));
    }
    return all;
}

QString questionText(const document::KeptSearch& search) {
    return GoalSearch::tr("%1 (%2)").arg(limitsText(search).join(GoalSearch::tr("; ")),
                                         shortTitle(search.mechanism()));
}

}  // namespace

GoalSearch::GoalSearch(TradeOffModel& model, GoalSearchFunction search, QObject* parent)
    : QObject(parent),
      m_model(model),
      m_search(std::move(search)),
      m_runner(tr("Finding ε for use and risk"),
               [this](const Result<experiment::LimitedRecommendation>& found) { take(found); }) {
    m_runner.setSearch();
    // The time that it runs for.
    constexpr int kSecondMs = 1000;
    m_clock.setInterval(kSecondMs);
    connect(&m_clock, &QTimer::timeout, this, &GoalSearch::changed);
    connect(&m_runner, &JobRunnerBase::started, &m_clock, qOverload<>(&QTimer::start));
    connect(&m_runner, &JobRunnerBase::finished, &m_clock, &QTimer::stop);
    connect(&m_runner, &JobRunnerBase::started, this, &GoalSearch::changed);
    connect(&m_runner, &JobRunnerBase::finished, this, &GoalSearch::changed);
    connect(&m_runner, &JobRunnerBase::progressChanged, this, &GoalSearch::changed);
    connect(&m_model.state(), &AnalysisState::embeddingDropped, this, [this] {
        m_runner.drop();
        m_memory = {};
        m_problem.clear();
    });
    connect(
        &m_model.state(), &AnalysisState::changed, this,
        [this](const AnalysisSettings& before, const AnalysisSettings& now) {
            // What a search for another mechanism or under other limits finds answers nothing.
            if (isRunning() && (before.chosen() != now.chosen() || before.limits != now.limits ||
                                before.figureLimits != now.figureLimits)) {
                m_runner.drop();
                Q_EMIT changed();
            }
            if (before.setting() != now.setting() || before.limits != now.limits ||
                before.figureLimits != now.figureLimits) {
                m_problem.clear();
                Q_EMIT changed();
            }
        });
    connect(&m_model.source(), &LabelledSource::changed, this, [this] {
        // What was found on other texts is named after those at hand.
        if (m_searched && m_searched != m_model.source().texts()) {
            m_searched.reset();
            m_runner.drop();
            m_problem.clear();
            Q_EMIT changed();
        }
    });
    connect(&m_model, &TradeOffModel::planChanged, this, &GoalSearch::changed);
    connect(&m_model, &TradeOffModel::stalenessChanged, this, &GoalSearch::changed);
    connect(&m_model, &TradeOffModel::runningChanged, this, &GoalSearch::changed);
}

const std::vector<FigureLimit>& GoalSearch::limits() const {
    return m_model.state().settings().figureLimits;
}

std::optional<double> GoalSearch::valueOf(FigureName::Kind kind) const {
    for (const FigureLimit& limit : limits()) {
        if (limit.figure.kind == kind) {
            return limit.percent ? limit.value : 100.0 * limit.value;
        }
    }
    return std::nullopt;
}

std::optional<double> GoalSearch::mostGain() const {
    return valueOf(FigureName::Kind::gain);
}

std::optional<double> GoalSearch::leastRetained() const {
    return valueOf(FigureName::Kind::retained);
}

void GoalSearch::setLimit(const FigureName& figure, std::optional<double> value) {
    m_model.state().edit([&](AnalysisSettings& settings) {
        std::vector<FigureLimit>& limits = settings.figureLimits;
        std::erase_if(limits,
                      [&](const FigureLimit& limit) { return limit.figure.kind == figure.kind; });
        if (value) {
            const auto relation = figure.isRisk() ? calibration::LimitRelation::atMost
                                                  : calibration::LimitRelation::atLeast;
            // Risk first, whichever blank was filled in first.
            limits.insert(figure.isRisk() ? limits.begin() : limits.end(),
                          {figure, relation, *value, true});
        }
    });
}

void GoalSearch::setMostGain(std::optional<double> mostGain) {
    setLimit({FigureName::Kind::gain, {}}, mostGain);
}

void GoalSearch::setLeastRetained(std::optional<double> leastRetained) {
    const auto& classifiers = m_model.choice().classifiers;
    setLimit({FigureName::Kind::retained,
              classifiers.empty() ? experiment::ClassifierKind::linear : classifiers.front()},
             leastRetained);
}

experiment::LimitedOptions GoalSearch::options() const {
    const AnalysisState& state = m_model.state();
    experiment::LimitedOptions options;
    options.search.calibration = presentSetting(state);
    const auto [low, high] =
        std::minmax_element(state.grid().epsilons.begin(), state.grid().epsilons.end());
    options.search.calibration.grid.epsilons = {*low, *high};
    options.search.limits = state.limits();
    options.evaluation = m_model.options();
    options.figures = limits();
    return options;
}

QString GoalSearch::obstacle() const {
    const AnalysisState& state = m_model.state();
    if (!state.searchSpace() || !m_model.source().texts()) {
        return tr("Open texts with their classes or authors to find an ε for them.");
    }
    if (limits().empty()) {
        return tr(
            "Fill in one of the two blanks. Usefulness: 0% is what a classifier reaches on random "
            "words, 100% what it reaches without noise.");
    }
    if (leastRetained() && !m_model.refusalOf(experiment::Task::classify).isEmpty()) {
        return m_model.refusalOf(experiment::Task::classify);
    }
    if (state.grid().epsilons.size() < 2) {
        return tr(
            "The grid needs at least two values of ε: the search runs between the smallest and the "
            "largest of them.");
    }
    const auto problem =
        experiment::validate(options(), m_model.source().texts()->data, *state.embedding());
    return problem ? toQString(problem->message) : QString();
}

QString GoalSearch::reason() const {
    const QString obstacle = this->obstacle();
    return obstacle.isEmpty() && m_model.isRunning()
               ? tr("Finding ε can start when the measurement has ended.")
               : obstacle;
}

void GoalSearch::remember() {
    const AnalysisState& state = m_model.state();
    const Memory now{state.searchSpace(),
                     m_model.source().texts(),
                     state.textPolicies(),
                     m_model.choice().repeats,
                     {}};
    if (m_memory.space != now.space || m_memory.texts != now.texts ||
        m_memory.policies != now.policies || m_memory.repeats != now.repeats) {
        m_memory = now;
    }
}

void GoalSearch::find() {
    if (isRunning()) {
        m_runner.cancel();
        return;
    }
    if (!canFind()) {
        return;
    }
    m_problem.clear();
    m_searched = m_model.source().texts();
    m_asked = question();
    remember();
    m_runner.start([space = m_model.state().searchSpace(), texts = m_model.source().texts(),
                    options = options(), search = m_search](const JobContext& job) {
        return search(*space, texts->data, options, job);
    });
}

document::KeptSearch GoalSearch::question() const {
    experiment::LimitedOptions asked = options();
    document::KeptSearch question;
    question.data = m_model.source().texts()->source;
    question.options = std::move(asked.evaluation);
    question.options.grid = std::move(asked.search.calibration.grid);
    question.limits = std::move(asked.search.limits);
    question.draws = asked.search.calibration.draws;
    question.figureLimits = std::move(asked.figures);
    return question;
}

bool GoalSearch::isAnswer(const document::KeptSearch& search) const {
    return !m_model.state().grid().epsilons.empty() && search.hasSameQuestion(question());
}

void GoalSearch::take(const Result<experiment::LimitedRecommendation>& found) {
    if (!found) {
        m_problem = found.error().code == ErrorCode::cancelled ? QString()
                                                               : toQString(found.error().message);
    } else if (found->figures.settings.empty()) {
        m_problem = tr("Nothing was found before the search was cancelled.");
    } else {
        document::KeptSearch search = m_asked;
        search.found = found->figures.settings.front();
        if (!search.found.epsilon && !search.found.checks.empty()) {
            m_memory.unmet.append(questionText(search));
            m_memory.unmet.removeDuplicates();
        }
        m_model.setSearch(std::move(search));
        if (m_model.search()->found.epsilon && isAnswer(*m_model.search())) {
            choose(*m_model.search());
        }
    }
    Q_EMIT changed();
}

QString GoalSearch::foundText(const document::KeptSearch& search) const {
    const experiment::LimitsFound& found = search.found;
    QStringList lines;
    if (!isAnswer(search)) {
        lines.append(tr("The last search was within other limits or settings: %1, seed %2.")
                         .arg(questionText(search), QString::number(search.options.seed)));
    }
    if (found.epsilon) {
        const QString others = search.limits.empty() ? QString() : tr(" and those on words");
        const QString advice = adviceText(found, !search.limits.empty());
        const QString place = shortest(*found.epsilon);
        lines.append(
            advice.isEmpty()
                ? tr("ε = %1 is the largest value found within these limits%2.").arg(place, others)
                : tr("ε = %1 is within these limits%2 with the draws of this seed, but not with "
                     "others. %3")
                      .arg(place, others, advice));
        lines.append(checksText(found));
    } else if (found.checks.empty()) {
        lines.append(tr("No ε meets the other limits, so none was tried on the texts."));
        return lines.join(QLatin1Char('\n'));
    } else {
        lines.append(tr("No ε meets these limits. ε = %1 comes nearest:")
                         .arg(significant(found.closest, 3)));
        lines.append(checksText(found));
        lines.append(loosenedText(found.checks) +
                     tr("Another λ or mechanism may do better: a measurement of the grid compares "
                        "several."));
    }
    if (!found.tried.empty()) {
        lines.append(triedText(found));
    }
    return lines.join(QLatin1Char('\n'));
}

std::optional<double> GoalSearch::nearest() const {
    const document::KeptSearch* const search = m_model.search();
    const bool isElsewhere = search != nullptr && !search->found.epsilon &&
                             !search->found.checks.empty() && isAnswer(*search) &&
                             search->setting() != m_model.state().setting();
    return isElsewhere ? std::optional(search->found.closest) : std::nullopt;
}

void GoalSearch::takeNearest() {
    if (nearest()) {
        choose(*m_model.search());
        Q_EMIT changed();
    }
}

/// For the report: whose choice this epsilon is, and which limits were given up before.
QString GoalSearch::originText(const document::KeptSearch& search) const {
    QString text =
        tr("The program found ε by its search “Find ε for these texts”: of %n values tried on %1, "
           "%2 %3. Seed %4.",
           nullptr, search.found.looked)
            .arg(toQString(m_model.source().texts()->data.file),
                 search.found.epsilon ? tr("it is the largest value found within")
                                      : tr("no value met all limits, and it is the nearest to"),
                 limitsText(search).size() == 1 ? tr("the limit") : tr("the limits"),
                 QString::number(search.options.seed));
    QStringList before = m_memory.unmet;
    before.removeAll(questionText(search));
    if (!before.isEmpty()) {
        text +=
            tr(" Searches on these texts before found no ε for: %1.").arg(before.join(tr("; ")));
    }
    QStringList again;
    for (const experiment::FigureCheck& check : search.found.fresh) {
        const QString value = toQString(report::valueWords(check));
        again.append(
            (check.limit.figure.isRisk() ? tr("attackers %1, %2") : tr("usefulness %1, %2"))
                .arg(value, check.met() ? tr("yes") : tr("NO")));
    }
    return again.isEmpty()
               ? text
               : text + tr(" With other random draws, on which the search did not rest: %1.")
                            .arg(again.join(tr("; ")));
}

/// Sets epsilon, and measures all of the trade-off there: the memo tells of no other setting.
void GoalSearch::choose(const document::KeptSearch& search) {
    m_model.state().edit(&AnalysisSettings::chooseEpsilon, search.setting().epsilon);
    m_model.state().rememberOrigin(originText(search), limitsText(search).join(tr("; ")));
    Q_EMIT epsilonChosen();
    if (!m_model.isPresentMeasured()) {
        m_model.measurePresent();
    }
}

std::vector<document::FigureFinding> GoalSearch::findings() const {
    const auto stored = m_model.stored();
    std::vector<const document::StoredEvaluation*> evaluations;
    for (const auto& evaluation : stored) {
        evaluations.push_back(evaluation.get());
    }
    const calibration::Cell cell = calibration::cellAt(m_model.state().setting());
    return document::figureFindings(limits(), &cell, evaluations);
}

QStringList GoalSearch::presentChecks() const {
    QStringList lines;
    for (const document::FigureFinding& finding : findings()) {
        if (finding.check) {
            lines.append(checkLine(*finding.check));
        } else if (m_model.isRunning()) {
            lines.append(
                tr("%1: not measured yet").arg(toQString(report::limitWords(finding.limit))));
        }
    }
    return lines;
}

QString GoalSearch::message() const {
    if (isRunning()) {
        const QString percent = tr("%1%").arg(std::floor(100.0 * m_runner.fraction()));
        const QString tried =
            m_runner.stage().isEmpty() ? percent : percent + tr(": ") + m_runner.stage();
        const auto left = m_runner.secondsLeft();
        return tr("%1, running for %2%3. It ends early where a limit on attackers is exceeded.")
            .arg(tried, duration(m_runner.elapsedSeconds()),
                 left ? tr(", %1 left").arg(estimatedDuration(*left)) : QString());
    }
    if (!m_problem.isEmpty()) {
        return m_problem;
    }
    const QString missing = obstacle();
    QStringList lines = missing.isEmpty() ? QStringList() : QStringList(missing);
    const document::KeptSearch* const search = m_model.search();
    if (search != nullptr) {
        lines.append(foundText(*search));
    }
    // What was found at the present setting has been told.
    if (!missing.isEmpty() || (search != nullptr && isAnswer(*search) &&
                               search->setting() == m_model.state().setting())) {
        return lines.join(QLatin1Char('\n'));
    }
    const QStringList present = presentChecks();
    if (search != nullptr && !present.isEmpty()) {
        lines.append(tr("At ε = %1:").arg(shortest(m_model.state().epsilon())));
    }
    lines.append(present);
    if (m_model.isRunning()) {
        lines.append(reason());
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace epsilens::ui
