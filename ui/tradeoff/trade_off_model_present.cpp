#include <algorithm>

#include "core/experiment/limited_recommendation.h"
#include "core/report/trade_off_text.h"
#include "ui/tradeoff/trade_off_model.h"
#include "ui/widgets/qt_convert.h"

// What the results say of the present settings.

namespace epsilens::ui {

using experiment::EvaluationOptions;
using experiment::EvaluationSummary;

mechanism::Grid TradeOffModel::presentGrid() const {
    mechanism::Grid grid = mechanism::Grid::of(m_state.mechanism());
    grid.epsilons = {m_state.epsilon()};
    return grid;
}

bool TradeOffModel::answersSettings(const EvaluationOptions& made) const {
    EvaluationOptions asked = options();
    asked.grid = m_state.settings().runGrid();
    if (answers(made, asked)) {
        return true;
    }
    asked.grid = presentGrid();
    return isOfOneSetting(made) && answers(made, asked);
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
    return answersSettings(m_result->summary().options)
               ? QString()
               : tr("Settings changed: these results belong to the previous settings.");
}

QString TradeOffModel::runStaleness() const {
    return !isRunning() || answersSettings(m_asked)
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

std::optional<PresentFigures> TradeOffModel::exactly(const TradeOffResultHandle& result,
                                                     std::uint64_t seedsAhead) const {
    EvaluationOptions asked = options();
    asked.grid = presentGrid();
    asked.seed += seedsAhead;
    if (!result || !result->isOf(m_source.texts()) || !answers(result->summary().options, asked)) {
        return std::nullopt;
    }
    const auto cell = toldCell(*result, m_state.setting());
    return cell ? std::optional(PresentFigures{result, *cell, true}) : std::nullopt;
}

std::optional<PresentFigures> TradeOffModel::present() const {
    // While a measurement goes on, what was known before it says more than what it has so far.
    for (const TradeOffResultHandle& known : {m_alone, m_before}) {
        if (auto figures = exactly(known)) {
            return figures;
        }
    }
    const auto cell = presentCell();
    if (!cell) {
        return std::nullopt;
    }
    const bool isExact = m_result->summary().cells[*cell].epsilon == m_state.epsilon() &&
                         m_result->families[family()].mechanism == m_state.mechanism();
    return PresentFigures{m_result, *cell, isExact};
}

TradeOffResultHandle TradeOffModel::current() const {
    const auto figures = present();
    return figures ? figures->result : staleness().isEmpty() ? m_result : nullptr;
}

std::vector<std::shared_ptr<const document::StoredEvaluation>> TradeOffModel::stored() const {
    std::vector<std::shared_ptr<const document::StoredEvaluation>> all;
    for (const TradeOffResultHandle& result :
         {current(), exactly(m_again, experiment::kSeedsAhead) ? m_again : nullptr}) {
        if (result && result->stored) {
            all.push_back(result->stored);
        }
    }
    return all;
}

QString TradeOffModel::attackerSentence() const {
    const auto figures = present();
    return figures ? toQString(report::attackerSentence(figures->result->summary(), figures->cell))
                   : QString();
}

QString TradeOffModel::sentence() const {
    if (const auto figures = present()) {
        const QString found =
            toQString(report::tradeOffSentence(figures->result->summary(), figures->cell, 0));
        return figures->isExact || found.isEmpty()
                   ? found
                   : tr("Measured nearest to your setting: %1").arg(found);
    }
    if (!m_result || m_result->families.empty() || !staleness().isEmpty()) {
        return {};
    }
    const EvaluationSummary& summary = m_result->summary();
    const experiment::SettingFamily& shown = m_result->families[family()];
    return tr("ε %1 lies outside the measured range, %2 to %3, so nothing is said about it.")
        .arg(significant(m_state.epsilon(), 3),
             shortest(summary.cells[shown.cells.front()].epsilon),
             shortest(summary.cells[shown.cells.back()].epsilon));
}

bool TradeOffModel::isPresentMeasured() const {
    const auto figures = present();
    return figures && figures->isExact;
}

}  // namespace epsilens::ui
