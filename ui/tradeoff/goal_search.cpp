#include "ui/tradeoff/goal_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QStringList>

#include "core/experiment/figure_reader.h"
#include "core/report/limit_words.h"
#include "ui/state/estimated_duration.h"
#include "ui/state/limits_model.h"
#include "ui/state/mechanism_view.h"
#include "ui/tradeoff/goal_text.h"
#include "ui/tradeoff/trade_off_model.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using experiment::FigureLimit;
using experiment::FigureName;

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
        forget();
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
            if (!m_isSettingEpsilon && before.setting() != now.setting()) {
                forget();
                Q_EMIT changed();
            }
            if (before.figureLimits != now.figureLimits) {
                forget();
            }
            if (before.chosen() != now.chosen() || before.limits != now.limits ||
                before.figureLimits != now.figureLimits) {
                Q_EMIT changed();
            }
        });
    connect(&m_model.source(), &LabelledSource::changed, this, [this] {
        // What was found on other texts is named after those at hand.
        if (m_searched && m_searched != m_model.source().texts()) {
            m_searched.reset();
            m_runner.drop();
            forget();
            Q_EMIT changed();
        }
    });
    connect(&m_model, &TradeOffModel::planChanged, this, &GoalSearch::changed);
    connect(&m_model, &TradeOffModel::stalenessChanged, this, &GoalSearch::changed);
    connect(&m_model, &TradeOffModel::runningChanged, this, &GoalSearch::changed);
}

void GoalSearch::forget() {
    m_found.clear();
    m_checks.clear();
    m_nearest.reset();
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
    forget();
    m_searched = m_model.source().texts();
    remember();
    m_runner.start([space = m_model.state().searchSpace(), texts = m_model.source().texts(),
                    options = options(), search = m_search](const JobContext& job) {
        return search(*space, texts->data, options, job);
    });
}

void GoalSearch::take(const Result<experiment::LimitedRecommendation>& found) {
    if (found) {
        tell(*found);
    } else {
        m_found = found.error().code == ErrorCode::cancelled ? QString()
                                                             : toQString(found.error().message);
    }
    Q_EMIT changed();
}

void GoalSearch::tell(const experiment::LimitedRecommendation& found) {
    if (found.figures.settings.empty()) {
        m_found = tr("Nothing was found before the search was cancelled.");
        return;
    }
    const experiment::LimitsFound& figures = found.figures.settings.front();
    if (figures.epsilon) {
        choose(*figures.epsilon,
               originText(tr("it is the largest value found within"), figures.looked),
               figures.fresh);
        const bool holds = std::all_of(figures.fresh.begin(), figures.fresh.end(),
                                       [](const auto& check) { return check.met(); });
        // A release must not pass as within limits that only the draws of the search meet.
        m_checks = holds ? figures.checks : figures.fresh;
        const QString others =
            m_model.state().limits().empty() ? QString() : tr(" and those on words");
        m_found =
            (holds ? tr("ε = %1 is the largest value found within these limits%2.\n%3")
                   : tr("ε = %1 is within these limits%2 with the draws of this seed, but not "
                        "with others: take a smaller one.\n%3"))
                .arg(shortest(*figures.epsilon), others, checksText(figures));
        return;
    }
    if (figures.checks.empty()) {
        m_found = tr("No ε meets the other limits, so none was tried on the texts.");
        return;
    }
    m_nearest = figures.closest;
    m_looked = figures.looked;
    const QString unmet =
        tr("%1 (%2)").arg(limitsText().join(tr("; ")), shortTitle(m_model.state().mechanism()));
    if (!m_memory.unmet.contains(unmet)) {
        m_memory.unmet.append(unmet);
    }
    m_found =
        tr("No ε meets these limits. ε = %1 comes nearest:\n%2\n%3"
           "Another λ or mechanism may do better: a measurement of the grid compares several.")
            .arg(significant(figures.closest, 3), checksText(figures),
                 loosenedText(figures.checks));
}

void GoalSearch::takeNearest() {
    if (m_nearest) {
        choose(*std::exchange(m_nearest, std::nullopt),
               originText(tr("no value met all limits, and it is the nearest to"), m_looked), {});
        Q_EMIT changed();
    }
}

/// Those on texts, then those on words.
QStringList GoalSearch::limitsText() const {
    const AnalysisState& state = m_model.state();
    QStringList all;
    for (const FigureLimit& limit : limits()) {
        all.append(toQString(report::limitWords(limit)));
    }
    for (const calibration::Limit& limit : state.limits()) {
        all.append(toQString(report::limitWords(limit, state.draws())));
    }
    return all;
}

/// For the report: whose choice this epsilon is, and which limits were given up before.
///
/// how     what the search says of it, before the limits
/// looked  epsilons that were tried
QString GoalSearch::originText(const QString& how, int looked) const {
    const AnalysisState& state = m_model.state();
    const QStringList all = limitsText();
    QString text =
        tr("The program found ε by its search “Find ε for these texts”: of %n values tried on %1, "
           "%2 %3. Seed %4.",
           nullptr, looked)
            .arg(toQString(m_model.source().texts()->data.file), how,
                 all.size() == 1 ? tr("the limit") : tr("the limits"),
                 QString::number(state.seed()));
    QStringList before = m_memory.unmet;
    before.removeAll(tr("%1 (%2)").arg(all.join(tr("; ")), shortTitle(state.mechanism())));
    if (!before.isEmpty()) {
        text +=
            tr(" Searches on these texts before found no ε for: %1.").arg(before.join(tr("; ")));
    }
    return text;
}

/// Sets epsilon, and measures all of the trade-off there: the memo tells of no other setting.
///
/// origin  as originText says it
/// fresh   what other draws gave there
void GoalSearch::choose(double epsilon, const QString& origin,
                        const std::vector<experiment::FigureCheck>& fresh) {
    m_isSettingEpsilon = true;
    m_model.state().edit(&AnalysisSettings::chooseEpsilon, epsilon);
    m_isSettingEpsilon = false;
    QStringList again;
    for (const experiment::FigureCheck& check : fresh) {
        const QString value = toQString(report::valueWords(check));
        again.append(
            (check.limit.figure.isRisk() ? tr("attackers %1, %2") : tr("usefulness %1, %2"))
                .arg(value, check.met() ? tr("yes") : tr("NO")));
    }
    m_model.state().rememberOrigin(
        again.isEmpty() ? origin
                        : origin + tr(" With other random draws, on which the search did not rest: "
                                      "%1.")
                                       .arg(again.join(tr("; "))),
        limitsText().join(tr("; ")));
    Q_EMIT epsilonChosen();
    if (!m_model.isPresentMeasured()) {
        m_model.measurePresent();
    }
}

/// At just the present setting, those of them that belong to what was measured.
std::vector<experiment::FigureCheck> GoalSearch::measuredChecks() const {
    std::vector<experiment::FigureCheck> checks;
    const auto present = m_model.present();
    if (!present || !present->isExact) {
        return checks;
    }
    const experiment::EvaluationSummary& summary = present->result->summary();
    for (const FigureLimit& limit : limits()) {
        if (summary.options.has(limit.figure.task())) {
            checks.push_back(experiment::checkFigure(
                limit, experiment::figureOf(summary, present->cell, limit.figure)));
        }
    }
    return checks;
}

std::vector<experiment::FigureCheck> GoalSearch::checks() const {
    std::vector<experiment::FigureCheck> checks = measuredChecks();
    const bool areWhole = checks.size() == limits().size() &&
                          std::none_of(checks.begin(), checks.end(),
                                       [](const auto& check) { return std::isnan(check.margin); });
    // The measurement has the draws that the search chose by; others may have missed a limit.
    const bool searchDecides =
        !m_checks.empty() &&
        std::all_of(checks.begin(), checks.end(), [](const auto& check) { return check.met(); });
    return areWhole && !searchDecides ? checks : m_checks;
}

QStringList GoalSearch::presentChecks() const {
    QStringList lines;
    for (const experiment::FigureCheck& check : measuredChecks()) {
        lines.append(
            m_model.isRunning() && std::isnan(check.margin)
                ? tr("%1: not measured yet").arg(toQString(report::limitWords(check.limit)))
                : checkLine(check));
    }
    return lines;
}

QString GoalSearch::message() const {
    if (isRunning()) {
        const QString percent = tr("%1%").arg(std::floor(100.0 * m_runner.fraction()));
        const QString tried =
            m_runner.stage().isEmpty() ? percent : percent + tr(": ") + m_runner.stage();
        const auto left = m_timeLeft.seconds();
        return tr("%1, running for %2%3. It ends early where a limit on attackers is exceeded.")
            .arg(tried, duration(m_runner.elapsedSeconds()),
                 left ? tr(", %1 left").arg(estimatedDuration(*left)) : QString());
    }
    if (!m_found.isEmpty()) {
        return m_found;
    }
    if (QString missing = obstacle(); !missing.isEmpty()) {
        return missing;
    }
    QStringList lines = presentChecks();
    if (m_model.isRunning()) {
        lines.append(reason());
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace epsilens::ui
