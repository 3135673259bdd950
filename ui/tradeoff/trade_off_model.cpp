#include "ui/tradeoff/trade_off_model.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/provenance.h"
#include "core/calibration/run.h"
#include "core/evaluation/figure_search.h"
#include "core/report/evaluation_report.h"
#include "ui/state/session_results.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using attack::Task;
using evaluation::EvaluationOptions;
using evaluation::EvaluationSummary;

bool isOneSetting(const EvaluationOptions& options) {
    return options.grid.epsilons.size() == 1 && options.grid.mechanisms().size() == 1;
}

TradeOffResult resultOf(EvaluationSummary summary, const embedding::PreparedEmbedding& embedding,
                        LabelledTextsHandle texts, bool isFinished) {
    TradeOffResult result;
    result.families = evaluation::familiesOf(summary);
    document::EvaluationRecord record{calibration::provenanceOf(embedding), std::move(summary)};
    if (!texts->source.fingerprint.sha256.empty()) {
        record.request = document::EvaluationRequest{
            calibration::loadOptionsOf(embedding.embedding), texts->source, record.summary.options};
    }
    result.record = std::make_shared<const document::EvaluationRecord>(std::move(record));
    result.texts = std::move(texts);
    result.isFinished = isFinished;
    return result;
}

TradeOffResultHandle restored(std::shared_ptr<const document::EvaluationRecord> kept) {
    return !kept ? nullptr
                 : std::make_shared<const TradeOffResult>(
                       TradeOffResult{kept, evaluation::familiesOf(kept->summary), nullptr, true});
}

bool hasSameTerms(const EvaluationOptions& made, const EvaluationOptions& asked) {
    return made.policies.unknown == asked.policies.unknown &&
           made.policies.letterCase == asked.policies.letterCase && made.seed == asked.seed;
}

bool isMeasured(const EvaluationSummary& summary, std::size_t cell) {
    return summary.repeats > 0 || std::ranges::any_of(summary.attacks, [&](const auto& attack) {
               return attack.cells[cell].has_value();
           });
}

}  // namespace

bool TradeOffResult::isOf(const LabelledTextsHandle& others) const {
    return others &&
           (others == texts ||
            (record->request && document::isSameData(record->request->data, others->source)));
}

bool TradeOffResult::isOfOneSetting() const {
    return isOneSetting(summary().options);
}

TradeOffModel::TradeOffModel(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_source(state),
      m_runner(tr("Measuring the trade-off"),
               [this](Result<TradeOffResultHandle> result) { takeResult(std::move(result)); }) {
    connect(&m_runner, &JobRunnerBase::started, this, &TradeOffModel::changed);
    connect(&m_runner, &JobRunnerBase::finished, this, &TradeOffModel::changed);
    connect(&m_source, &Corpus::changed, this, &TradeOffModel::changed);
    connect(&m_source, &Corpus::reopenFailed, this, [this](const QString& reason) {
        m_missing = reason;
        Q_EMIT changed();
    });
    connect(&m_state, &AnalysisState::embeddingReset, this, &TradeOffModel::dropResults);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &TradeOffModel::changed);
    connect(&m_state, &AnalysisState::changed, this, &TradeOffModel::changed);
}

void TradeOffModel::setChoice(TradeOffChoice choice) {
    if (choice != m_choice) {
        m_choice = std::move(choice);
        Q_EMIT changed();
    }
}

QString TradeOffModel::refusalOf(Task task) const {
    if (!m_source.texts()) {
        return {};
    }
    const corpus::DataSet& data = m_source.texts()->data;
    if ((task == Task::classify || task == Task::membership) && data.classes.size() < 2) {
        return tr("The texts need at least two classes: name the column of the classes.");
    }
    if ((task == Task::authorship || task == Task::audit) && data.authors.size() < 2) {
        return tr("The texts need at least two authors: name the column of the authors.");
    }
    return {};
}

/// Of λ, others than the present one where somebody asked for them: each takes as long as the
/// first.
mechanism::Grid TradeOffModel::grid() const {
    mechanism::Grid grid = m_state.settings().runGrid();
    const std::vector<double> usual = calibration::defaultLambdaGrid();
    if (grid.lambdas.size() + 1 >= usual.size() && std::ranges::includes(usual, grid.lambdas)) {
        grid.lambdas = {m_state.lambda()};
    }
    return grid;
}

EvaluationOptions TradeOffModel::options() const {
    EvaluationOptions options;
    options.grid = calibration::including(grid(), m_state.setting());
    options.policies.unknown = m_state.textPolicies().unknownWords;
    options.policies.letterCase = m_state.textPolicies().letterCase;
    options.seed = m_state.seed();
    options.repeats = m_choice.repeats;
    options.tasks.clear();
    if (!m_choice.classifiers.empty()) {
        options.classifiers = m_choice.classifiers;
        options.tasks.push_back(Task::classify);
    }
    options.tasks.insert(options.tasks.end(), m_choice.attacks.begin(), m_choice.attacks.end());
    std::erase_if(options.tasks, [this](Task task) { return !refusalOf(task).isEmpty(); });
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
    const auto valid = evaluation::validate(asked, m_source.texts()->data, *m_state.embedding());
    return valid ? QString() : toQString(valid.error().message);
}

void TradeOffModel::measure() {
    if (!isRunning() && obstacle().isEmpty()) {
        m_isAlone = false;
        start(options());
    }
}

void TradeOffModel::measurePresent() {
    if (!isRunning() && obstacle().isEmpty()) {
        m_isAlone = m_result && staleness().isEmpty() && !m_result->isOfOneSetting();
        EvaluationOptions asked = options();
        asked.grid = mechanism::Grid::of(m_state.mechanism());
        asked.grid.epsilons = {m_state.epsilon()};
        start(std::move(asked));
    }
}

void TradeOffModel::start(EvaluationOptions asked) {
    // Finding the words of the texts takes so little beside measuring.
    constexpr double kPreparingShare = 0.01;
    m_missing.clear();
    // On the thread of the measurement, with what it has found so far.
    const auto show = [this, embedding = m_state.embedding(), texts = m_source.texts(),
                       measurement = ++m_measurement](const EvaluationSummary& summary) {
        auto found =
            std::make_shared<const TradeOffResult>(resultOf(summary, *embedding, texts, false));
        QMetaObject::invokeMethod(
            this,
            [this, measurement, found = std::move(found)] {
                if (isRunning() && measurement == m_measurement) {
                    (m_isAlone ? m_alone : m_found) = found;
                    Q_EMIT changed();
                }
            },
            Qt::QueuedConnection);
    };
    m_runner.start([space = m_state.searchSpace(), texts = m_source.texts(),
                    options = std::move(asked),
                    show](const JobContext& job) -> Result<TradeOffResultHandle> {
        ASSIGN_OR_RETURN(const auto evaluation,
                         evaluation::Evaluation::create(*space, texts->data, options,
                                                        partOf(job, 0.0, kPreparingShare)));
        ASSIGN_OR_RETURN(auto summary, evaluation.run(partOf(job, kPreparingShare, 1.0), show));
        return std::make_shared<const TradeOffResult>(
            resultOf(std::move(summary), space->embedding(), texts, true));
    });
}

void TradeOffModel::takeResult(Result<TradeOffResultHandle> result) {
    const TradeOffResultHandle found = std::exchange(m_found, nullptr);
    const bool isWhole = result && !(*result)->summary().partial;
    if (m_isAlone) {
        m_alone = result.value_or(nullptr);
    } else if (isWhole || !m_result || m_result->summary().partial ||
               !m_result->isOf(m_source.texts())) {
        m_result = result.value_or(found ? found : m_result);
    }  // else what was cancelled or failed does not cost what was known
    if (isWhole && !m_isAlone) {
        m_alone.reset();  // the present setting is one of the grid
    }
    Q_EMIT changed();
    if (!result) {
        Q_EMIT failed(result.error());
    }
}

void TradeOffModel::restore(const KeptTradeOff& kept, const std::string& sessionPath) {
    dropTexts();
    m_search = kept.search;
    m_result = restored(kept.evaluation);
    m_alone = restored(kept.alone);
    m_again = restored(kept.again);
    Q_EMIT changed();
    if (const document::KeptData* const data = kept.evaluation ? &kept.evaluation->request->data
                                               : kept.search   ? &kept.search->data
                                                               : nullptr) {
        m_source.reopen(*data, document::dataPlace(*data, sessionPath));
    }
}

void TradeOffModel::dropResults() {
    m_runner.drop();
    ++m_measurement;  // what is on its way from the run is not shown
    m_result.reset();
    m_alone.reset();
    m_found.reset();
    m_search.reset();
    m_searchedTexts.reset();
    m_again.reset();
}

void TradeOffModel::dropTexts() {
    dropResults();
    m_missing.clear();
    m_source.close();
    Q_EMIT changed();
}

KeptTradeOff TradeOffModel::kept() const {
    const auto keptOf = [](const TradeOffResultHandle& result) {
        return result && result->isFinished && result->record->request ? result->record : nullptr;
    };
    // What is being measured cannot be kept yet; what it takes the place of can.
    const bool canFindTexts = m_search && !m_search->data.fingerprint.sha256.empty();
    return {keptOf(m_result), keptOf(m_alone), keptOf(m_again), canFindTexts ? m_search : nullptr};
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
        m_again = std::make_shared<const TradeOffResult>(
            resultOf(*std::move(again), *m_state.embedding(), m_searchedTexts, true));
    }
    m_search = std::make_shared<const document::KeptSearch>(std::move(search));
    Q_EMIT changed();
}

bool TradeOffModel::answersSettings(const EvaluationOptions& made) const {
    return hasSameTerms(made, options()) &&
           (includes(made.grid, grid()) ||
            (isOneSetting(made) && calibration::cellOf(made.grid, m_state.setting())));
}

QString TradeOffModel::staleness() const {
    if (!result()) {
        return {};
    }
    if (!result()->isOf(m_source.texts())) {
        const QString file = toQString(result()->summary().data.file);
        return !m_missing.isEmpty() ? m_missing
               : m_source.isReading()
                   ? tr("These results belong to %1, which is being read.").arg(file)
                   : tr("These results belong to other texts, %1.").arg(file);
    }
    return answersSettings(result()->summary().options)
               ? QString()
               : tr("Settings changed: these results belong to the previous settings.");
}

std::size_t TradeOffModel::family() const {
    return hasNoGrid() ? 0 : evaluation::nearestFamily(result()->families, m_state.mechanism());
}

std::optional<std::size_t> TradeOffModel::presentCell() const {
    return hasNoGrid() || !staleness().isEmpty()
               ? std::nullopt
               : evaluation::nearestCell(result()->summary(), result()->families[family()],
                                         m_state.epsilon());
}

std::optional<PresentFigures> TradeOffModel::exactly(const TradeOffResultHandle& result,
                                                     std::uint64_t seedsAhead) const {
    EvaluationOptions asked = options();
    asked.seed += seedsAhead;
    if (!result || !result->isOf(m_source.texts()) ||
        !hasSameTerms(result->summary().options, asked)) {
        return std::nullopt;
    }
    const auto cell = calibration::cellOf(result->summary().options.grid, m_state.setting());
    return cell && isMeasured(result->summary(), *cell)
               ? std::optional(PresentFigures{result, *cell, true})
               : std::nullopt;
}

std::optional<PresentFigures> TradeOffModel::present() const {
    // While a measurement goes on, what was known before it says more than what it has so far.
    for (const TradeOffResultHandle& known : {m_alone, m_found ? m_result : nullptr}) {
        if (auto figures = exactly(known)) {
            return figures;
        }
    }
    const auto cell = presentCell();
    if (!cell) {
        return std::nullopt;
    }
    return PresentFigures{
        result(), *cell,
        calibration::cellOf(result()->summary().options.grid, m_state.setting()) == cell};
}

TradeOffResultHandle TradeOffModel::current() const {
    const auto figures = present();
    return figures ? figures->result : staleness().isEmpty() ? result() : nullptr;
}

std::vector<std::shared_ptr<const document::EvaluationRecord>> TradeOffModel::stored() const {
    std::vector<std::shared_ptr<const document::EvaluationRecord>> all;
    for (const TradeOffResultHandle& known :
         {current(), staleness().isEmpty() ? result() : nullptr,
          exactly(m_again, evaluation::kSeedsAhead) ? m_again : nullptr}) {
        if (known && known->isFinished && !std::ranges::count(all, known->record)) {
            all.push_back(known->record);
        }
    }
    return all;
}

QString TradeOffModel::attackerSentence() const {
    const auto figures = present();
    return figures ? toQString(
                         report::tradeOffSentence(figures->result->summary(), figures->cell, false))
                   : QString();
}

QString TradeOffModel::sentence() const {
    if (const auto figures = present()) {
        const QString found =
            toQString(report::tradeOffSentence(figures->result->summary(), figures->cell));
        return figures->isExact || found.isEmpty()
                   ? found
                   : tr("Measured nearest to your setting: %1").arg(found);
    }
    if (hasNoGrid() || !staleness().isEmpty()) {
        return {};
    }
    const auto& cells = result()->summary().cells;
    const evaluation::SettingFamily& shown = result()->families[family()];
    return tr("ε %1 lies outside the measured range, %2 to %3, so nothing is said about it.")
        .arg(epsilonText(m_state.epsilon()), epsilonText(cells[shown.cells.front()].epsilon),
             epsilonText(cells[shown.cells.back()].epsilon));
}

bool TradeOffModel::isPresentMeasured() const {
    const auto figures = present();
    return figures && figures->isExact;
}

std::vector<evaluation::TriedEpsilon> TradeOffModel::besideResult() const {
    std::vector<evaluation::TriedEpsilon> beside;
    if (hasNoGrid() || !result()->isOf(m_source.texts())) {
        return beside;
    }
    const EvaluationSummary& shown = result()->summary();
    const evaluation::SettingFamily& of = result()->families[family()];
    const auto belongs = [&](const EvaluationOptions& made) {
        return hasSameTerms(made, shown.options) && made.repeats == shown.options.repeats &&
               made.grid.mechanisms().front() == of.mechanism;
    };
    if (m_alone && m_alone->isFinished && m_alone->isOf(m_source.texts()) &&
        belongs(m_alone->summary().options)) {
        const EvaluationSummary& alone = m_alone->summary();
        std::vector<evaluation::FigureName> figures{{evaluation::FigureName::Kind::gain}};
        for (const evaluation::ClassifierKind kind : alone.classified()) {
            figures.push_back({evaluation::FigureName::Kind::accuracy, kind});
        }
        beside.push_back({alone.cells.front().epsilon});
        for (const evaluation::FigureName& figure : figures) {
            beside.back().checks.push_back(
                {{figure}, evaluation::figureOf(alone, evaluation::kBaselines, figure)});
        }
    }
    if (const document::KeptSearch* made = search(); made != nullptr && belongs(made->options)) {
        beside.insert(beside.end(), made->found.tried.begin(), made->found.tried.end());
    }
    // Of equal ones what was measured alone says more.
    std::ranges::stable_sort(beside, {}, &evaluation::TriedEpsilon::epsilon);
    const auto twice = std::ranges::unique(beside, {}, &evaluation::TriedEpsilon::epsilon);
    beside.erase(twice.begin(), twice.end());
    std::erase_if(beside, [&](const evaluation::TriedEpsilon& one) {
        return std::ranges::any_of(
            of.cells, [&](std::size_t cell) { return shown.cells[cell].epsilon == one.epsilon; });
    });
    return beside;
}

std::optional<std::size_t> TradeOffModel::presentPoint() const {
    const auto beside = besideResult();
    const auto here =
        std::ranges::find(beside, m_state.epsilon(), &evaluation::TriedEpsilon::epsilon);
    return here != beside.end() && staleness().isEmpty() &&
                   result()->families[family()].mechanism == m_state.mechanism()
               ? result()->summary().cells.size() + static_cast<std::size_t>(here - beside.begin())
               : presentCell();
}

void TradeOffModel::choose(std::size_t point) {
    if (hasNoGrid() || !staleness().isEmpty()) {
        return;
    }
    const auto& cells = result()->summary().cells;
    mechanism::Mechanism mechanism = result()->families[family()].mechanism;
    for (const evaluation::SettingFamily& family : result()->families) {
        mechanism = std::ranges::count(family.cells, point) > 0 ? family.mechanism : mechanism;
    }
    const double epsilon =
        point < cells.size() ? cells[point].epsilon : besideResult()[point - cells.size()].epsilon;
    m_state.edit([&](AnalysisSettings& settings) {
        settings.mechanism.setMechanism(mechanism);
        settings.chooseEpsilon(epsilon);
    });
}

}  // namespace epsilens::ui
