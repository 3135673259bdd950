#include "ui/tradeoff/trade_off_model.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/provenance.h"
#include "core/calibration/run.h"
#include "core/evaluation/figure_search.h"
#include "core/evaluation/passes.h"
#include "core/report/evaluation_report.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using attack::Task;
using evaluation::EvaluationOptions;
using evaluation::EvaluationSummary;
using evaluation::ShowSummary;

constexpr std::size_t kEpsilons = 6;  ///< of a measurement, unless more are asked for one by one

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

TradeOffResultHandle restored(const std::shared_ptr<const document::EvaluationRecord>& kept) {
    return !kept ? nullptr
                 : std::make_shared<const TradeOffResult>(
                       TradeOffResult{kept, evaluation::familiesOf(kept->summary), nullptr, true});
}

}  // namespace

bool TradeOffResult::isOf(const LabelledTextsHandle& others) const {
    return others &&
           (others == texts ||
            (record->request && document::isSameData(record->request->data, others->source)));
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

/// Of λ and β, others than the present one where somebody asked for them: each takes as long as
/// the first.
mechanism::Grid TradeOffModel::grid() const {
    mechanism::Grid grid = m_state.settings().runGrid();
    const std::vector<double> usual = calibration::defaultLambdaGrid();
    if (grid.lambdas.size() + 1 >= usual.size() && std::ranges::includes(usual, grid.lambdas)) {
        grid.lambdas = {m_state.lambda()};
    }
    if (grid.betas == calibration::defaultBetaGrid()) {
        grid.betas = {*m_state.parameters().beta};
    }
    return grid;
}

EvaluationOptions TradeOffModel::options() const {
    EvaluationOptions options;
    options.grid = calibration::including(grid(), m_state.setting());
    options.policies = replacementPolicies(m_state.textPolicies());
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

const EvaluationSummary* TradeOffModel::extendable(const EvaluationOptions& asked) const {
    if (!m_result || m_result->summary().partial || !m_result->isOf(m_source.texts())) {
        return nullptr;
    }
    const EvaluationOptions& made = m_result->summary().options;
    return made.hasSameTerms(asked) && made.tasks == asked.tasks &&
                   made.classifiers == asked.classifiers && made.repeats == asked.repeats &&
                   asked.grid.mechanisms().size() == 1 &&
                   asked.grid.mechanisms() == made.grid.mechanisms()
               ? &m_result->summary()
               : nullptr;
}

std::vector<double> TradeOffModel::nextEpsilons(const EvaluationSummary* known,
                                                const AnalysisSettings& settings) {
    const auto isNew = [&](double epsilon) {
        return known == nullptr || std::ranges::count(known->options.grid.epsilons, epsilon) == 0;
    };
    if (isNew(settings.epsilon)) {
        return {settings.epsilon};
    }
    std::vector<double> next;
    const std::vector<double>& grid = settings.grid.epsilons;
    const auto [low, high] = std::ranges::minmax_element(grid);
    for (const auto end : {low, high}) {
        if (end != grid.end() && isNew(*end) && std::ranges::count(next, *end) == 0) {
            next.push_back(*end);
        }
    }
    const auto between = evaluation::steepest(*known);
    return next.empty() && between ? std::vector{*between} : next;
}

void TradeOffModel::measure() {
    start(options(), false);
}

void TradeOffModel::measurePresent() {
    if (!isPresentMeasured()) {
        EvaluationOptions asked = options();
        asked.grid = mechanism::Grid::of(m_state.mechanism());
        asked.grid.epsilons = {m_state.epsilon()};
        start(std::move(asked), true);
    }
}

void TradeOffModel::start(EvaluationOptions asked, bool isPresentAlone) {
    // Finding the words of the texts takes so little beside measuring.
    constexpr double kPreparingShare = 0.01;
    if (isRunning() || !obstacle().isEmpty()) {
        return;
    }
    m_missing.clear();
    // On the thread of the measurement, with what it has found so far.
    const auto show = [this, embedding = m_state.embedding(), texts = m_source.texts(),
                       measurement = ++m_measurement](const EvaluationSummary& summary) {
        auto found = std::make_shared<const TradeOffResult>(
            resultOf(summary, *embedding, texts, !summary.partial));
        QMetaObject::invokeMethod(
            this,
            [this, measurement, found = std::move(found)] {
                if (isRunning() && measurement == m_measurement) {
                    (found->isFinished ? m_result : m_found) = found;
                    m_found = found->isFinished ? nullptr : m_found;
                    Q_EMIT changed();
                }
            },
            Qt::QueuedConnection);
    };
    const EvaluationSummary* const known = extendable(asked);
    m_runner.start([space = m_state.searchSpace(), texts = m_source.texts(),
                    options = std::move(asked), settings = m_state.settings(), isPresentAlone, show,
                    found = known != nullptr ? std::optional(*known) : std::nullopt](
                       const JobContext& job) mutable -> Result<TradeOffResultHandle> {
        ASSIGN_OR_RETURN(const auto evaluation,
                         evaluation::Evaluation::create(*space, texts->data, options,
                                                        partOf(job, 0.0, kPreparingShare)));
        const std::size_t begin = found ? found->options.grid.epsilons.size() : 0;
        const bool isCompared = options.grid.mechanisms().size() > 1;
        const std::size_t end = isCompared       ? options.grid.epsilons.size()
                                : isPresentAlone ? begin + 1
                                                 : std::max(kEpsilons, begin + 1);
        const JobContext measuring = partOf(job, kPreparingShare, 1.0);
        for (std::size_t done = begin; done < end; done = found->options.grid.epsilons.size()) {
            if (!isCompared) {
                options.grid.epsilons = nextEpsilons(found ? &*found : nullptr, settings);
            }
            if (options.grid.epsilons.empty()) {
                break;
            }
            const auto pass = partOf(measuring, done - begin,
                                     done - begin + options.grid.epsilons.size(), end - begin);
            ASSIGN_OR_RETURN(
                auto more, evaluation.with(options).run(pass, found ? nullptr : ShowSummary(show)));
            if (more.partial) {
                return found ? Result<TradeOffResultHandle>(fail(ErrorCode::cancelled, "cancelled"))
                             : std::make_shared<const TradeOffResult>(
                                   resultOf(std::move(more), space->embedding(), texts, true));
            }
            found = found ? evaluation::together(*std::move(found), more) : std::move(more);
            show(*found);
        }
        return std::make_shared<const TradeOffResult>(
            resultOf(*std::move(found), space->embedding(), texts, true));
    });
}

/// What was cancelled or failed does not cost what was known.
void TradeOffModel::takeResult(Result<TradeOffResultHandle> result) {
    const TradeOffResultHandle found = std::exchange(m_found, nullptr);
    const bool isWhole = result && !(*result)->summary().partial;
    if (isWhole || !m_result || m_result->summary().partial || !m_result->isOf(m_source.texts())) {
        m_result = result.value_or(found ? found : m_result);
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
    return {keptOf(m_result), keptOf(m_again), canFindTexts ? m_search : nullptr};
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
    const auto has = [all = made.grid.mechanisms()](const mechanism::Mechanism& mechanism) {
        return std::ranges::count(all, mechanism) > 0;
    };
    return made.hasSameTerms(options()) &&
           (has(m_state.mechanism()) || std::ranges::all_of(grid().mechanisms(), has));
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
    return !result() ? 0 : evaluation::nearestFamily(result()->families, m_state.mechanism());
}

std::optional<std::size_t> TradeOffModel::presentCell() const {
    return !result() || !staleness().isEmpty()
               ? std::nullopt
               : evaluation::nearestCell(result()->summary(), result()->families[family()],
                                         m_state.epsilon());
}

bool TradeOffModel::isPresentMeasured() const {
    const auto cell = presentCell();
    return cell && (!result()->summary().partial || result()->summary().repeats > 0) &&
           calibration::cellOf(result()->summary().options.grid, m_state.setting()) == cell;
}

std::vector<std::shared_ptr<const document::EvaluationRecord>> TradeOffModel::stored() const {
    const auto belongs = [this](const TradeOffResultHandle& known, std::uint64_t seedsAhead) {
        EvaluationOptions made = known ? known->summary().options : EvaluationOptions();
        made.seed -= seedsAhead;
        return known && known->isFinished && known->isOf(m_source.texts()) && answersSettings(made);
    };
    std::vector<std::shared_ptr<const document::EvaluationRecord>> all;
    if (belongs(m_result, 0)) {
        all.push_back(m_result->record);
    }
    if (belongs(m_again, evaluation::kSeedsAhead) &&
        calibration::cellOf(m_again->summary().options.grid, m_state.setting())) {
        all.push_back(m_again->record);
    }
    return all;
}

QString TradeOffModel::attackerSentence() const {
    const auto cell = presentCell();
    return cell ? toQString(report::tradeOffSentence(result()->summary(), *cell, false))
                : QString();
}

QString TradeOffModel::sentence() const {
    if (const auto cell = presentCell()) {
        const QString found = toQString(report::tradeOffSentence(result()->summary(), *cell));
        return isPresentMeasured() || found.isEmpty()
                   ? found
                   : tr("Measured nearest to your setting: %1").arg(found);
    }
    if (!result() || !staleness().isEmpty()) {
        return {};
    }
    const auto& cells = result()->summary().cells;
    const evaluation::SettingFamily& shown = result()->families[family()];
    return tr("ε %1 lies outside the measured range, %2 to %3, so nothing is said about it.")
        .arg(epsilonText(m_state.epsilon()), epsilonText(cells[shown.cells.front()].epsilon),
             epsilonText(cells[shown.cells.back()].epsilon));
}

std::vector<evaluation::TriedEpsilon> TradeOffModel::besideResult() const {
    const document::KeptSearch* made = search();
    if (made == nullptr || !result() || !result()->isOf(m_source.texts())) {
        return {};
    }
    const EvaluationSummary& shown = result()->summary();
    const evaluation::SettingFamily& of = result()->families[family()];
    if (!made->options.hasSameTerms(shown.options) ||
        made->options.repeats != shown.options.repeats ||
        made->options.grid.mechanisms().front() != of.mechanism) {
        return {};
    }
    std::vector<evaluation::TriedEpsilon> beside = made->found.tried;
    std::erase_if(beside, [&](const evaluation::TriedEpsilon& one) {
        return std::ranges::count(shown.options.grid.epsilons, one.epsilon) > 0;
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
    if (!result() || !staleness().isEmpty()) {
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
