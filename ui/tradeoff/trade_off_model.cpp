#include "ui/tradeoff/trade_off_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using experiment::EvaluationOptions;
using experiment::EvaluationSummary;
using experiment::Task;

// Finding the words of the texts takes so little beside measuring; no time left follows from it.
constexpr double kPreparingShare = 0.01;

bool isOfClasses(Task task) {
    return task == Task::classify || task == Task::membership;
}

bool isOfAuthors(Task task) {
    return task == Task::authorship || task == Task::audit;
}

}  // namespace

TradeOffModel::TradeOffModel(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_source(state),
      m_restorer(tr("Restoring the trade-off"),
                 [this](Result<Restored> results) { takeRestored(std::move(results)); }),
      m_runner(tr("Measuring the trade-off"),
               [this](Result<TradeOffResultHandle> result) { take(std::move(result)); }) {
    connect(&m_state, &AnalysisState::embeddingDropped, &m_restorer, &JobRunnerBase::drop);
    connect(&m_state, &AnalysisState::embeddingDropped, &m_runner, &JobRunnerBase::drop);
    connect(&m_runner, &JobRunnerBase::started, this, &TradeOffModel::runningChanged);
    connect(&m_runner, &JobRunnerBase::finished, this, &TradeOffModel::runningChanged);
    connect(&m_runner, &JobRunnerBase::progressChanged, this, &TradeOffModel::progressChanged);
    const auto followInputs = [this] {
        Q_EMIT planChanged();
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
        m_alone.reset();
        m_before.reset();
        m_search.reset();
        m_again.reset();
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, [this, followInputs] {
        Q_EMIT resultChanged();
        followInputs();
    });
    connect(
        &m_state, &AnalysisState::changed, this,
        [this, followInputs](const AnalysisSettings& before, const AnalysisSettings& now) {
            if (before.runGrid() != now.runGrid() || before.seed != now.seed ||
                before.textPolicies != now.textPolicies) {
                followInputs();
                return;
            }
            if (before.setting() != now.setting() &&
                (m_alone || m_again || (m_result && isOfOneSetting(m_result->summary().options)))) {
                Q_EMIT stalenessChanged();  // what is of one setting says nothing of others
            }
        });
}

void TradeOffModel::setChoice(TradeOffChoice choice) {
    if (choice != m_choice) {
        m_choice = std::move(choice);
        Q_EMIT planChanged();
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
    const auto problem = experiment::validate(asked, m_source.texts()->data, *m_state.embedding());
    return problem ? toQString(problem->message) : QString();
}

void TradeOffModel::measure() {
    if (isRunning() || !obstacle().isEmpty()) {
        return;
    }
    m_isAlone = false;
    start(options());
}

void TradeOffModel::measurePresent() {
    if (isRunning() || !obstacle().isEmpty()) {
        return;
    }
    m_isAlone = m_result && staleness().isEmpty() && !isOfOneSetting(m_result->summary().options);
    EvaluationOptions asked = options();
    asked.grid = presentGrid();
    start(std::move(asked));
}

void TradeOffModel::start(EvaluationOptions asked) {
    m_missing.clear();
    m_before = m_result && m_result->isOf(m_source.texts()) ? m_result : nullptr;
    m_asked = std::move(asked);
    m_runner.start([space = m_state.searchSpace(), texts = m_source.texts(), options = m_asked,
                    show = showing(m_state.embedding(), m_source.texts())](
                       const JobContext& job) -> Result<TradeOffResultHandle> {
        ASSIGN_OR_RETURN(const auto evaluation,
                         experiment::Evaluation::create(*space, texts->data, options,
                                                        partOf(job, 0.0, kPreparingShare)));
        ASSIGN_OR_RETURN(auto summary, evaluation.run(partOf(job, kPreparingShare, 1.0), show));
        return finished(soFar(std::move(summary), space->handle(), texts));
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
                    m_isAlone ? showAlone(found) : show(found);
                }
            },
            Qt::QueuedConnection);
    };
}

void TradeOffModel::restore(const KeptTradeOff& kept, const std::string& sessionPath) {
    dropTexts();
    m_search = kept.search;
    if (kept.evaluation || kept.again) {
        m_restoring = kept;
        m_restorer.start(
            [kept, embedding = m_state.embedding()](const JobContext& /*job*/) -> Result<Restored> {
                Restored all;
                const std::array parts{kept.evaluation, kept.alone, kept.again};
                for (std::size_t i = 0; i < parts.size(); ++i) {
                    if (parts.at(i)) {
                        ASSIGN_OR_RETURN(all.at(i), restored(parts.at(i), embedding));
                    }
                }
                return all;
            });
    }
    if (const document::KeptData* const data = kept.evaluation ? &kept.evaluation->data
                                               : kept.search   ? &kept.search->data
                                                               : nullptr) {
        m_source.reopen(*data, document::dataPlace(*data, sessionPath));
    }
}

void TradeOffModel::takeRestored(Result<Restored> results) {
    m_restoring.reset();
    if (!results) {
        Q_EMIT failed(results.error());
        return;
    }
    m_alone = std::move(results->at(1));
    m_again = std::move(results->at(2));
    show(std::move(results->at(0)));
}

void TradeOffModel::dropTexts() {
    m_restorer.drop();
    m_runner.drop();
    ++m_measurement;  // what is on its way from the run is not shown
    m_restoring.reset();
    m_before.reset();
    m_alone.reset();
    m_search.reset();
    m_searchedTexts.reset();
    m_again.reset();
    m_missing.clear();
    m_source.close();
    show(nullptr);
}

KeptTradeOff TradeOffModel::kept() const {
    if (m_restoring) {
        return *m_restoring;
    }
    const auto keptOf = [](const TradeOffResultHandle& result) {
        return result ? result->kept : nullptr;
    };
    // What is being measured cannot be kept yet; what it takes the place of can.
    const bool isKnown = m_result && m_result->kept;
    const bool canFindTexts = m_search && !m_search->data.fingerprint.sha256.empty();
    return {keptOf(isKnown ? m_result : m_before), keptOf(m_alone), keptOf(m_again),
            canFindTexts ? m_search : nullptr};
}

const document::KeptSearch* TradeOffModel::search() const {
    const LabelledTextsHandle& texts = m_source.texts();
    const bool isOfThese =
        m_search && texts &&
        (m_searchedTexts == texts || document::isSameData(m_search->data, texts->source));
    return isOfThese ? m_search.get() : nullptr;
}

void TradeOffModel::setSearch(document::KeptSearch search) {
    m_searchedTexts = m_source.texts();
    m_again.reset();
    if (auto again = std::exchange(search.found.again, std::nullopt)) {
        m_again = finished(soFar(*std::move(again), m_state.embedding(), m_searchedTexts));
    }
    m_search = std::make_shared<const document::KeptSearch>(std::move(search));
    Q_EMIT stalenessChanged();
}

QString TradeOffModel::progressText() const {
    const double fraction = m_runner.fraction();
    QString text = tr("%1%").arg(std::floor(100.0 * fraction));
    if (const auto left = m_runner.secondsLeft()) {
        text += tr(", %1 left").arg(estimatedDuration(*left));
    }
    return text;
}

void TradeOffModel::take(Result<TradeOffResultHandle> result) {
    const TradeOffResultHandle before = std::exchange(m_before, nullptr);
    if (m_isAlone) {
        showAlone(result.value_or(nullptr));
    } else if (result && !(before && !before->summary().partial && (*result)->summary().partial)) {
        if (!(*result)->summary().partial) {
            m_alone.reset();  // the present setting is one of the grid
        }
        show(*result);
    } else if (before) {
        show(before);  // what was cancelled or failed does not cost what was known
    }
    if (!result) {
        Q_EMIT failed(result.error());
    }
}

void TradeOffModel::show(TradeOffResultHandle result) {
    m_result = std::move(result);
    Q_EMIT resultChanged();
    Q_EMIT stalenessChanged();
}

void TradeOffModel::showAlone(TradeOffResultHandle result) {
    m_alone = std::move(result);
    Q_EMIT resultChanged();
    Q_EMIT stalenessChanged();
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
