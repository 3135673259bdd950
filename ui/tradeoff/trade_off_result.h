#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/document/evaluation_document.h"
#include "core/document/kept_evaluation.h"
#include "core/document/kept_search.h"
#include "core/document/stored_evaluation.h"
#include "core/experiment/trade_off.h"
#include "ui/tradeoff/labelled_source.h"

namespace epsilens::ui {

/// An evaluation with what it was made from.
struct TradeOffResult {
    document::EvaluationRecord record{};
    std::vector<experiment::SettingFamily> families{};
    embedding::EmbeddingHandle embedding{};
    document::KeptData data{};
    LabelledTextsHandle texts{};  ///< null for an evaluation out of a session
    /// As reports take it; null while the measurement goes on.
    std::shared_ptr<const document::StoredEvaluation> stored{};
    /// As sessions keep it; null where they cannot, and while the measurement goes on.
    std::shared_ptr<const document::KeptEvaluation> kept{};

    [[nodiscard]] const experiment::EvaluationSummary& summary() const { return record.summary; }
    /// Whether the evaluation is of these texts; they may be null.
    [[nodiscard]] bool isOf(const LabelledTextsHandle& others) const;
};
using TradeOffResultHandle = std::shared_ptr<const TradeOffResult>;

/// What sessions keep of Texts; null where there is none.
struct KeptTradeOff {
    std::shared_ptr<const document::KeptEvaluation> evaluation{};
    std::shared_ptr<const document::KeptEvaluation> alone{};  ///< of one setting, beside a grid
    std::shared_ptr<const document::KeptEvaluation> again{};  ///< of what a search found
    std::shared_ptr<const document::KeptSearch> search{};

    [[nodiscard]] bool operator==(const KeptTradeOff&) const = default;
};

/// What a measurement on some texts has found so far.
[[nodiscard]] TradeOffResult soFar(experiment::EvaluationSummary summary,
                                   embedding::EmbeddingHandle embedding, LabelledTextsHandle texts);

/// What it found at its end, for reports and sessions too.
[[nodiscard]] TradeOffResultHandle finished(TradeOffResult result);

/// An evaluation out of a session on the embedding of it. Fails as describeSettings.
[[nodiscard]] Result<TradeOffResultHandle> restored(
    std::shared_ptr<const document::KeptEvaluation> kept, embedding::EmbeddingHandle embedding);

/// Whether an evaluation answers all that is asked: it may have more epsilons and lambdas.
[[nodiscard]] bool answers(const experiment::EvaluationOptions& made,
                           const experiment::EvaluationOptions& asked);

/// The cell of just this setting, where something was measured.
[[nodiscard]] std::optional<std::size_t> toldCell(const TradeOffResult& result,
                                                  const mechanism::Setting& setting);

/// Whether an evaluation is of one setting, and not of a grid.
[[nodiscard]] bool isOfOneSetting(const experiment::EvaluationOptions& made);

/// A grid with a setting of its mechanism among its own.
[[nodiscard]] mechanism::Grid with(mechanism::Grid grid, const mechanism::Setting& setting);

}  // namespace epsilens::ui
