#include "ui/tradeoff/trade_off_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/report/calibration_text_parts.h"
#include "core/report/trade_off_text.h"
#include "ui/state/estimated_duration.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using experiment::EvaluationOptions;
using experiment::EvaluationSummary;
using experiment::Task;

// Foretelling an evaluation means small runs of it, which nobody wants while typing.
constexpr int kCostDelayMs = 400;
// Finding the words of the texts and small runs take so little beside measuring; no time left
// follows from it.
constexpr double kPreparingShare = 0.01;

struct Subject {
    engine::SearchSpaceHandle space{};
    LabelledTextsHandle texts{};
    EvaluationOptions options{};

    [[nodiscard]] Result<experiment::Evaluation> evaluation(const JobContext& job) const {
        return experiment::Evaluation::create(*space, texts->data, options, job);
    }
};

bool isOfClasses(Task task) {
    return task == Task::classify || task == Task::membership;
}

std::size_t settingsOf(const EvaluationOptions& options) {
    return options.grid.epsilons.size() * options.grid.mechanisms().size();
}

/// Of each setting, what was measured before the run ended or was cancelled.
std::size_t figuresOf(const EvaluationSummary& summary) {
    std::size_t figures = static_cast<std::size_t>(summary.repeats) * summary.cells.size();
    for (const experiment::AttackResults& attack : summary.attacks) {
        figures += static_cast<std::size_t>(
            std::count_if(attack.cells.begin(), attack.cells.end(),
                          [](const auto& findings) { return findings.has_value(); }));
    }
    return figures;
}

/// Whether something was measured at just this setting.
bool tellsOf(const TradeOffResult& result, const mechanism::Setting& setting) {
    const EvaluationSummary& summary = result.summary();
    const auto isTold = [&](std::size_t cell) {
        return summary.cells[cell].epsilon == setting.epsilon &&
               (summary.repeats > 0 ||
                std::any_of(summary.attacks.begin(), summary.attacks.end(),
                            [&](const auto& attack) { return attack.cells[cell].has_value(); }));
    };
    return std::any_of(result.families.begin(), result.families.end(), [&](const auto& family) {
        return family.mechanism == setting.mechanism &&
               std::any_of(family.cells.begin(), family.cells.end(), isTold);
    });
}

/// Whether an evaluation was cancelled before it said as much as an earlier one: as many figures,
/// and those of the present setting.
bool saysLess(const TradeOffResult& now, const TradeOffResult& before,
              const mechanism::Setting& present) {
    if (!now.summary().partial || (tellsOf(now, present) && !tellsOf(before, present))) {
        return false;
    }
    return !before.summary().partial || figuresOf(now.summary()) < figuresOf(before.summary());
}

bool isOfAuthors(Task task) {
    return task == Task::authorship || task == Task::audit;
}

}  // namespace

TradeOffModel::TradeOffModel(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_source(state),
      m_costTimer(kCostDelayMs),
      m_estimator(tr("Estimating the cost"),
                  [this](Result<experiment::EvaluationCost> cost) {
                      if (!cost && cost.error().code == ErrorCode::cancelled) {
                          return;
                      }
                      m_cost = cost ? std::optional(*cost) : std::nullopt;
                      m_costError = cost ? std::nullopt : std::optional(cost.error());
                      Q_EMIT planChanged();
                  }),
      m_restorer(tr("Restoring the trade-off"),
                 [this](Result<TradeOffResultHandle> result) { take(std::move(result)); }),
      m_runner(tr("Measuring the trade-off"),
               [this](Result<TradeOffResultHandle> result) { take(std::move(result)); }) {
    connect(&m_costTimer, &QTimer::timeout, this, &TradeOffModel::estimate);
    connect(&m_state, &AnalysisState::embeddingDropped, &m_estimator, &JobRunnerBase::drop);
    connect(&m_state, &AnalysisState::embeddingDropped, &m_restorer, &JobRunnerBase::drop);
    connect(&m_state, &AnalysisState::embeddingDropped, &m_runner, &JobRunnerBase::drop);
    connect(&m_runner, &JobRunnerBase::started, this, &TradeOffModel::runningChanged);
    connect(&m_runner, &JobRunnerBase::finished, this, &TradeOffModel::runningChanged);
    connect(&m_runner, &JobRunnerBase::progressChanged, this, &TradeOffModel::progressChanged);
    connect(&m_runner, &JobRunnerBase::finished, this, [this] {
        if (!m_cost && !m_costError) {
            requestCost();
        }
    });
    const auto followInputs = [this] {
        requestCost();
        Q_EMIT stalenessChanged();
    };
    connect(&m_source, &LabelledSource::changed, this, followInputs);
    connect(&m_source, &LabelledSource::reopenFailed, this, [this](const QString& reason) {
        m_missing = reason;
        Q_EMIT stalenessChanged();
    });
    // What was measured with other vectors says nothing about these.
    connect(&m_state, &AnalysisState::embeddingDropped, this, [this] {
        m_result.reset();
        m_before.reset();
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, [this, followInputs] {
        Q_EMIT resultChanged();
        followInputs();
    });
    connect(&m_state, &AnalysisState::changed, this,
            [this, followInputs](const AnalysisSettings& before, const AnalysisSettings& now) {
                if (before.runGrid() != now.runGrid() || before.seed != now.seed ||
                    before.textPolicies != now.textPolicies) {
                    followInputs();
                } else if (settingsOf(options()) != m_planned) {
                    requestCost();  // the present setting is no longer, or now, one of the grid
                }
            });
}

void TradeOffModel::setChoice(TradeOffChoice choice) {
    if (choice != m_choice) {
        m_choice = std::move(choice);
        requestCost();
    }
}

QString TradeOffModel::refusalOf(Task task) const {
    if (!m_source.texts()) {
        return {};
    }
    const experiment::DataSet& data = m_source.texts()->data;
    if (isOfClasses(task) && data.classes.size() < 2) {
        return tr("The texts need at least two classes: name the column of the classes.");
    }
    if (isOfAuthors(task) && data.authors.size() < 2) {
        return tr("The texts need at least two authors: name the column of the authors.");
    }
    return {};
}

EvaluationOptions TradeOffModel::options() const {
    EvaluationOptions options;
    options.grid = with(m_state.settings().runGrid(), m_state.setting());
    options.policies.unknown = m_state.textPolicies().unknownWords;
    options.policies.letterCase = m_state.textPolicies().letterCase;
    options.seed = m_state.seed();
    options.repeats = m_choice.repeats;
    options.tasks.clear();
    if (!m_choice.classifiers.empty()) {
        options.classifiers = m_choice.classifiers;
        if (refusalOf(Task::classify).isEmpty()) {
            options.tasks.push_back(Task::classify);
        }
    }
    std::copy_if(m_choice.attacks.begin(), m_choice.attacks.end(),
                 std::back_inserter(options.tasks),
                 [this](Task task) { return refusalOf(task).isEmpty(); });
    return options;
}

QString TradeOffModel::costText() const {
    const EvaluationOptions asked = options();
    QString text =
        tr("%1 × %2 repeats").arg(toQString(report::gridText(asked.grid)), counted(asked.repeats));
    if (!m_cost && !m_costError) {
        text += tr(", estimating the time…");
    }
    if (m_cost) {
        constexpr double kBytesOfGibibyte = 1024.0 * 1024.0 * 1024.0;
        text += tr(", %1, %2 GiB")
                    .arg(estimatedDuration(m_cost->seconds),
                         QString::number(static_cast<double>(m_cost->bytes) / kBytesOfGibibyte, 'f',
                                         1));
    }
    return text;
}

QString TradeOffModel::obstacle() const {
    if (!m_state.embedding()) {
        return tr("Open an embedding to measure the trade-off.");
    }
    if (!m_state.searchSpace()) {
        return tr("The embedding is being prepared.");
    }
    if (!m_source.texts()) {
        return tr("Open texts with their classes or authors to measure the trade-off.");
    }
    const EvaluationOptions asked = options();
    if (asked.tasks.empty()) {
        return tr("Choose what to measure.");
    }
    if (m_costError) {
        return toQString(m_costError->message);
    }
    const auto problem = experiment::validate(asked, m_source.texts()->data, *m_state.embedding());
    return problem ? toQString(problem->message) : QString();
}

void TradeOffModel::requestCost() {
    m_cost.reset();
    m_costError.reset();
    m_planned = settingsOf(options());
    m_estimator.drop();
    Q_EMIT planChanged();
    m_costTimer.start();
}

void TradeOffModel::estimate() {
    if (isRunning() || m_source.reader().isRunning() || !obstacle().isEmpty()) {
        return;
    }
    m_estimator.start([subject = Subject{m_state.searchSpace(), m_source.texts(), options()}](
                          const JobContext& job) -> Result<experiment::EvaluationCost> {
        ASSIGN_OR_RETURN(const auto evaluation, subject.evaluation(job));
        return evaluation.cost(job);
    });
}

void TradeOffModel::measure() {
    if (isRunning() || !obstacle().isEmpty()) {
        return;
    }
    m_costTimer.stop();
    m_estimator.drop();
    m_missing.clear();
    m_before = m_result && m_result->isOf(m_source.texts()) ? m_result : nullptr;
    m_asked = options();
    m_runner.start([subject = Subject{m_state.searchSpace(), m_source.texts(), m_asked},
                    show = showing(m_state.embedding(), m_source.texts()),
                    known = m_cost](const JobContext& job) -> Result<TradeOffResultHandle> {
        const JobContext preparing = partOf(job, 0.0, kPreparingShare);
        ASSIGN_OR_RETURN(const auto evaluation, subject.evaluation(preparing));
        std::optional<experiment::EvaluationCost> cost = known;
        if (!cost) {
            ASSIGN_OR_RETURN(cost, evaluation.cost(preparing));
        }
        ASSIGN_OR_RETURN(auto summary,
                         evaluation.run(partOf(job, kPreparingShare, 1.0), show, &*cost));
        return finished(soFar(std::move(summary), subject.space->handle(), subject.texts));
    });
}

experiment::ShowSummary TradeOffModel::showing(embedding::EmbeddingHandle embedding,
                                               LabelledTextsHandle texts) {
    return [this, embedding = std::move(embedding), texts = std::move(texts),
            measurement = ++m_measurement](const EvaluationSummary& summary) {
        auto found = std::make_shared<const TradeOffResult>(soFar(summary, embedding, texts));
        QMetaObject::invokeMethod(
            this,
            [this, measurement, found = std::move(found)] {
                if (isRunning() && measurement == m_measurement) {
                    show(found);
                }
            },
            Qt::QueuedConnection);
    };
}

void TradeOffModel::restore(std::shared_ptr<const document::KeptEvaluation> kept,
                            const std::string& sessionPath) {
    m_runner.drop();
    m_restorer.drop();
    m_missing.clear();
    m_restoring = std::move(kept);
    show(nullptr);
    if (m_restoring) {
        m_source.reopen(m_restoring->data, document::dataPlace(m_restoring->data, sessionPath));
        m_restorer.start([kept = m_restoring, embedding = m_state.embedding()](
                             const JobContext& /*job*/) { return restored(kept, embedding); });
    }
}

void TradeOffModel::dropTexts() {
    m_estimator.drop();
    m_restorer.drop();
    m_runner.drop();
    m_restoring.reset();
    m_before.reset();
    m_missing.clear();
    m_source.close();
    show(nullptr);
}

std::shared_ptr<const document::KeptEvaluation> TradeOffModel::kept() const {
    return m_restoring ? m_restoring : m_result ? m_result->kept : nullptr;
}

QString TradeOffModel::progressText() const {
    const double fraction = m_runner.fraction();
    QString text = tr("%1 %").arg(std::floor(100.0 * fraction));
    constexpr double kEnoughToJudge = 0.05;
    if (fraction > kEnoughToJudge) {
        text +=
            tr(", %1 left")
                .arg(estimatedDuration(m_runner.elapsedSeconds() * (1.0 - fraction) / fraction));
    }
    return text;
}

void TradeOffModel::take(Result<TradeOffResultHandle> result) {
    m_restoring.reset();
    const TradeOffResultHandle before = std::exchange(m_before, nullptr);
    if (!result) {
        if (before) {
            show(before);
        }
        Q_EMIT failed(result.error());
        return;
    }
    show(before && saysLess(**result, *before, m_state.setting()) ? before : *result);
}

void TradeOffModel::show(TradeOffResultHandle result) {
    m_result = std::move(result);
    Q_EMIT resultChanged();
    Q_EMIT stalenessChanged();
}

QString TradeOffModel::staleness() const {
    if (!m_result) {
        return {};
    }
    if (!m_result->isOf(m_source.texts())) {
        const QString file = toQString(m_result->summary().data.file);
        return !m_missing.isEmpty() ? m_missing
               : m_source.isReading()
                   ? tr("These results belong to %1, which is being read.").arg(file)
                   : tr("These results belong to other texts, %1.").arg(file);
    }
    EvaluationOptions asked = options();
    asked.grid = m_state.settings().runGrid();
    return answers(m_result->summary().options, asked)
               ? QString()
               : tr("Settings changed: these results belong to the previous settings.");
}

QString TradeOffModel::runStaleness() const {
    EvaluationOptions asked = options();
    asked.grid = m_state.settings().runGrid();
    return !isRunning() || answers(m_asked, asked)
               ? QString()
               : tr("Settings changed: the measurement that is running is of the settings before.");
}

std::size_t TradeOffModel::family() const {
    return m_result && !m_result->families.empty()
               ? experiment::nearestFamily(m_result->families, m_state.mechanism())
               : 0;
}

std::optional<std::size_t> TradeOffModel::presentCell() const {
    if (!m_result || m_result->families.empty() || !staleness().isEmpty()) {
        return std::nullopt;
    }
    return experiment::nearestCell(m_result->summary(), m_result->families[family()],
                                   m_state.epsilon());
}

QString TradeOffModel::attackerSentence() const {
    const auto cell = presentCell();
    return cell ? toQString(report::attackerSentence(m_result->summary(), *cell)) : QString();
}

QString TradeOffModel::sentence() const {
    if (!m_result || m_result->families.empty() || !staleness().isEmpty()) {
        return {};
    }
    const EvaluationSummary& summary = m_result->summary();
    const experiment::SettingFamily& shown = m_result->families[family()];
    const auto cell = presentCell();
    if (!cell) {
        return tr("ε %1 lies outside the measured range, %2 to %3, so nothing is said about it.")
            .arg(significant(m_state.epsilon(), 3),
                 shortest(summary.cells[shown.cells.front()].epsilon),
                 shortest(summary.cells[shown.cells.back()].epsilon));
    }
    const QString found = toQString(report::tradeOffSentence(summary, *cell, 0));
    return isPresentMeasured() || found.isEmpty()
               ? found
               : tr("Measured nearest to your setting: %1").arg(found);
}

bool TradeOffModel::isPresentMeasured() const {
    const auto cell = presentCell();
    return cell && m_result->summary().cells[*cell].epsilon == m_state.epsilon() &&
           m_result->families[family()].mechanism == m_state.mechanism();
}

void TradeOffModel::choose(std::size_t cell) {
    if (!m_result || !staleness().isEmpty()) {
        return;
    }
    for (const experiment::SettingFamily& family : m_result->families) {
        if (std::find(family.cells.begin(), family.cells.end(), cell) != family.cells.end()) {
            m_state.edit([&](AnalysisSettings& settings) {
                settings.mechanism.take(family.mechanism);
                settings.chooseEpsilon(m_result->summary().cells[cell].epsilon);
            });
        }
    }
}

}  // namespace epsilens::ui
