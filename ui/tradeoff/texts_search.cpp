#include "ui/tradeoff/texts_search.h"

#include <algorithm>
#include <utility>

#include "core/calibration/run.h"
#include "core/report/memo_words.h"
#include "ui/state/epsilon_search.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using evaluation::FigureCheck;
using evaluation::FigureLimit;
using Kind = evaluation::FigureName::Kind;

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

QString checkLine(const FigureCheck& check) {
    const QString line = tr("%1 %2").arg(check.met() ? QStringLiteral("✓") : QStringLiteral("✗"),
                                         toQString(report::checkWords(check)));
    // A value within the limit beside NO would look like a mistake.
    return check.isValueWithin() && !check.met()
               ? tr("%1; the whole interval must meet the limit").arg(line)
               : line;
}

QStringList checkLines(const evaluation::LimitsFound& found) {
    QStringList lines;
    for (std::size_t i = 0; i < found.checks.size(); ++i) {
        QString line = checkLine(found.checks[i]);
        if (i < found.fresh.size()) {
            line += tr("; again with other random draws %1%2")
                        .arg(found.fresh[i].met() ? QString() : QStringLiteral("✗ "),
                             toQString(report::valueWords(found.fresh[i])));
        }
        lines.append(line);
    }
    return lines;
}

QString missedText(const evaluation::LimitsFound& found) {
    if (!found.binding) {
        return found.tried.empty()
                   ? tr("No ε meets the limits on words, so none was tried on the texts.")
                   : tr("No ε meets these limits and those on words together.");
    }
    QStringList looser;
    for (const FigureCheck& check : found.checks) {
        if (const auto limit = check.loosened()) {
            looser.append(toQString(report::limitWords(*limit)));
        }
    }
    const auto missed = std::ranges::count(found.checks, false, &FigureCheck::met);
    return tr("No ε meets these limits. ε = %1 comes nearest: %2%3. Loosen what is missed, or "
              "compare mechanisms on Mechanisms.")
        .arg(epsilonText(found.closest), checkLines(found).join(tr("; ")),
             looser.size() < missed ? QString()
                                    : tr("; it would meet: %1").arg(looser.join(tr(", "))));
}

}  // namespace

TextsSearch::TextsSearch(TradeOffModel& model, TextsSearchFunction search, QObject* parent)
    : QObject(parent),
      m_model(model),
      m_search(std::move(search)),
      m_runner(
          tr("Finding ε for use and risk"),
          [this](const Result<evaluation::LimitedRecommendation>& found) { takeResult(found); }) {
    connect(&m_runner, &JobRunnerBase::started, this, &TextsSearch::changed);
    connect(&m_runner, &JobRunnerBase::finished, this, &TextsSearch::changed);
    connect(&m_model.state(), &AnalysisState::embeddingReset, this, [this] {
        m_runner.drop();
        m_kept.reset();
        m_problem.clear();
    });
    connect(&m_model.state(), &AnalysisState::changed, this,
            [this](const AnalysisSettings& before, const AnalysisSettings& now) {
                const bool areOthers = before.currentMechanism() != now.currentMechanism() ||
                                       before.limits != now.limits ||
                                       before.figureLimits != now.figureLimits;
                if (areOthers || before.setting() != now.setting()) {
                    m_problem.clear();
                }
                // What a search for another mechanism or under other limits finds answers nothing.
                if (areOthers) {
                    m_runner.drop();
                }
            });
    // Its words follow from all of these.
    connect(&m_model, &TradeOffModel::changed, this, [this] {
        if (m_texts != m_model.source().texts()) {
            m_texts = m_model.source().texts();
            m_kept.reset();
            // What was found on other texts is named after those at hand.
            m_runner.drop();
            m_problem.clear();
        }
        Q_EMIT changed();
    });
}

const std::vector<FigureLimit>& TextsSearch::limits() const {
    return m_model.state().settings().figureLimits;
}

std::optional<double> TextsSearch::limit(Kind kind) const {
    for (const FigureLimit& limit : limits()) {
        if (limit.figure.kind == kind) {
            return limit.percent ? limit.value : 100.0 * limit.value;
        }
    }
    return std::nullopt;
}

void TextsSearch::setLimit(Kind kind, std::optional<double> value) {
    const auto& classifiers = m_model.choice().classifiers;
    const evaluation::FigureName figure{kind, classifiers.empty() || kind == Kind::gain
                                                  ? evaluation::ClassifierKind::linear
                                                  : classifiers.front()};
    m_model.state().edit([&](AnalysisSettings& settings) {
        std::vector<FigureLimit>& limits = settings.figureLimits;
        std::erase_if(limits, [&](const FigureLimit& limit) { return limit.figure.kind == kind; });
        if (value) {
            // Risk first, whichever blank was filled in first.
            limits.insert(figure.isRisk() ? limits.begin() : limits.end(), {figure, *value, true});
        }
    });
}

evaluation::LimitedOptions TextsSearch::options() const {
    const AnalysisState& state = m_model.state();
    evaluation::LimitedOptions options;
    options.search.calibration = presentSetting(state);
    const auto [low, high] =
        std::minmax_element(state.grid().epsilons.begin(), state.grid().epsilons.end());
    options.search.calibration.grid.epsilons = {*low, *high};
    options.search.limits = state.limits();
    options.evaluation = m_model.options();
    options.figures = limits();
    return options;
}

QString TextsSearch::obstacle() const {
    const AnalysisState& state = m_model.state();
    if (!state.searchSpace() || !m_model.source().texts()) {
        return tr("Open texts with their classes or authors to find an ε for them.");
    }
    QString refusal = m_model.refusalOf(attack::Task::classify);
    if (limit(Kind::retained) && !refusal.isEmpty()) {
        return refusal;
    }
    if (state.grid().epsilons.size() < 2) {
        return tr(
            "The grid needs at least two values of ε: the search runs between the smallest and the "
            "largest of them.");
    }
    const auto valid =
        evaluation::validate(options(), m_model.source().texts()->data, *state.embedding());
    return valid ? QString() : toQString(valid.error().message);
}

QString TextsSearch::reason() const {
    const QString obstacle = this->obstacle();
    return obstacle.isEmpty() && m_model.isRunning()
               ? tr("Finding ε can start when the measurement has ended.")
               : obstacle;
}

void TextsSearch::find() {
    if (isRunning() || limits().empty() || !reason().isEmpty()) {
        return;
    }
    m_problem.clear();
    const evaluation::EvaluationOptions before = std::exchange(m_asked, question()).options;
    if (!m_kept || !before.hasSameTerms(m_asked.options) ||
        before.repeats != m_asked.options.repeats) {
        m_kept = std::make_shared<std::vector<evaluation::KeptReading>>();
    }
    evaluation::LimitedOptions asked = options();
    asked.kept = m_kept;
    m_runner.start(
        [search = m_search, space = m_model.state().searchSpace(), texts = m_texts,
         asked](const JobContext& job) { return search(*space, texts->data, asked, job); });
}

document::KeptSearch TextsSearch::question() const {
    evaluation::LimitedOptions asked = options();
    document::KeptSearch question;
    question.data = m_model.source().texts()->source;
    question.options = std::move(asked.evaluation);
    question.options.grid = std::move(asked.search.calibration.grid);
    question.limits = std::move(asked.search.limits);
    question.draws = asked.search.calibration.draws;
    question.figureLimits = std::move(asked.figures);
    return question;
}

bool TextsSearch::isAnswer(const document::KeptSearch& search) const {
    return !m_model.state().grid().epsilons.empty() && search.hasSameQuestion(question());
}

void TextsSearch::takeResult(const Result<evaluation::LimitedRecommendation>& found) {
    if (!found) {
        m_problem = found.error().code == ErrorCode::cancelled
                        ? tr("The search was stopped. The next one goes on with what was measured.")
                        : toQString(found.error().message);
    } else if (found->figures.empty()) {
        m_problem = tr("Nothing was found before the search was cancelled.");
    } else {
        document::KeptSearch search = m_asked;
        search.found = found->figures.front();
        m_model.setSearch(std::move(search));
        if (m_model.search()->found.epsilon && isAnswer(*m_model.search())) {
            useFound(*m_model.search());
        }
    }
    if (found || !m_problem.isEmpty()) {
        Q_EMIT ended(m_problem.isEmpty() ? foundLines(*m_model.search()).front() : m_problem);
    }
}

QStringList TextsSearch::foundLines(const document::KeptSearch& search) const {
    const evaluation::LimitsFound& found = search.found;
    if (!isAnswer(search)) {
        const QString was = tr("An earlier search, within other limits or settings, found %1.");
        return {
            was.arg(found.epsilon ? tr("ε = %1").arg(epsilonText(*found.epsilon)) : tr("no ε"))};
    }
    if (!found.epsilon) {
        return {missedText(found)};
    }
    const QString others = search.limits.empty() ? QString() : tr(" and those on words");
    const bool isMetAgain = std::ranges::all_of(found.fresh, &FigureCheck::met);
    const QString said =
        (isMetAgain ? tr("ε = %1 is the largest value found within these limits%2.")
                    : tr("ε = %1 is within these limits%2 with the draws of this seed, but not "
                         "with others: loosen a limit, or measure more texts."))
            .arg(epsilonText(*found.epsilon), others);
    // Elsewhere the limits are judged at the present setting.
    return search.setting() == m_model.state().setting() ? QStringList(said) + checkLines(found)
                                                         : QStringList(said);
}

QString TextsSearch::originText(const document::KeptSearch& search) const {
    return tr("The program found ε by its search “Find ε” on texts: of %n values tried on "
              "%1, it is the largest value found within %2. Seed %3.",
              nullptr, static_cast<int>(search.found.tried.size()))
        .arg(toQString(m_texts->data.file),
             limitsText(search).size() == 1 ? tr("the limit") : tr("the limits"),
             QString::number(search.options.seed));
}

/// Sets epsilon, and measures all of the trade-off there: the memo tells of no other setting.
void TextsSearch::useFound(const document::KeptSearch& search) {
    m_model.state().edit(&AnalysisSettings::chooseEpsilon, search.setting().epsilon);
    m_model.state().rememberOrigin(originText(search),
                                   limitsText(search).join(QStringLiteral("; ")));
    Q_EMIT epsilonChosen();
    m_model.measurePresent();
}

std::vector<document::FigureFinding> TextsSearch::findings() const {
    const auto stored = m_model.stored();
    std::vector<const document::EvaluationRecord*> evaluations;
    evaluations.reserve(stored.size());
    for (const auto& evaluation : stored) {
        evaluations.push_back(evaluation.get());
    }
    const calibration::Cell cell = calibration::cellAt(m_model.state().setting());
    return document::figureFindings(limits(), &cell, evaluations);
}

QString TextsSearch::message() const {
    if (isRunning()) {
        return tr("The search ends early where a limit on attackers is exceeded.");
    }
    if (!m_problem.isEmpty()) {
        return m_problem;
    }
    const document::KeptSearch* const search = m_model.search();
    if (limits().empty()) {
        return search != nullptr ? foundLines(*search).join(QLatin1Char('\n')) : QString();
    }
    const QString missing = obstacle();
    QStringList lines = missing.isEmpty() ? QStringList() : QStringList(missing);
    if (search != nullptr) {
        lines.append(foundLines(*search));
    }
    // What was found at the present setting has been told, and of limits that no ε meets enough.
    if (missing.isEmpty() &&
        (search == nullptr || !isAnswer(*search) ||
         (search->found.epsilon && search->setting() != m_model.state().setting()))) {
        QStringList present;
        for (const document::FigureFinding& finding : findings()) {
            if (finding.check) {
                present.append(checkLine(*finding.check));
            }
        }
        if (search != nullptr && !present.isEmpty()) {
            present.front().prepend(tr("At ε = %1: ").arg(epsilonText(m_model.state().epsilon())));
        }
        lines.append(present);
        if (m_model.isRunning()) {
            lines.append(reason());
        }
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace epsilens::ui
