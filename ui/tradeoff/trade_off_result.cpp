#include "ui/tradeoff/trade_off_result.h"

#include <algorithm>
#include <utility>

#include "core/base/pass_on.h"
#include "core/calibration/provenance.h"
#include "core/calibration/run.h"

namespace epsilens::ui {

namespace {

/// Before the first larger one, unless it is there.
void insert(std::vector<double>& values, double value) {
    if (std::find(values.begin(), values.end(), value) == values.end()) {
        const auto larger = std::find_if(values.begin(), values.end(),
                                         [value](double other) { return other > value; });
        values.insert(larger, value);
    }
}

/// What does the evaluation again; nothing where its texts cannot be found again.
std::optional<document::EvaluationRequest> requestOf(const TradeOffResult& result) {
    if (result.data.fingerprint.sha256.empty()) {
        return std::nullopt;
    }
    return document::EvaluationRequest{calibration::loadOptionsOf(result.embedding->embedding),
                                       result.data, result.summary().options};
}

}  // namespace

bool TradeOffResult::isOf(const LabelledTextsHandle& others) const {
    return others && (others == texts || document::isSameData(data, others->source));
}

TradeOffResult soFar(experiment::EvaluationSummary summary, embedding::EmbeddingHandle embedding,
                     LabelledTextsHandle texts) {
    TradeOffResult result;
    result.families = experiment::familiesOf(summary);
    result.record = {calibration::provenanceOf(*embedding), std::move(summary), {}, {}};
    result.embedding = std::move(embedding);
    result.data = texts->source;
    result.texts = std::move(texts);
    result.record.request = requestOf(result);
    return result;
}

TradeOffResultHandle finished(TradeOffResult result) {
    if (auto stored = document::stored(result.record)) {
        stored->request = requestOf(result);  // which the record of a session does not have
        result.stored = std::make_shared<const document::StoredEvaluation>(std::move(*stored));
    }
    document::KeptEvaluation kept{result.data, document::keptPart(result.summary(), true)};
    if (!result.kept && document::canBeKept(kept)) {
        result.kept = std::make_shared<const document::KeptEvaluation>(std::move(kept));
    }
    return std::make_shared<const TradeOffResult>(std::move(result));
}

Result<TradeOffResultHandle> restored(std::shared_ptr<const document::KeptEvaluation> kept,
                                      embedding::EmbeddingHandle embedding) {
    experiment::EvaluationSummary summary = kept->results;
    ASSIGN_OR_RETURN(auto settings, experiment::describeSettings(embedding, summary.options.grid));
    summary.guarantees = std::move(settings.guarantees);
    TradeOffResult result;
    result.families = experiment::familiesOf(summary);
    // Without its worst words it would differ from what is evaluated again; the session is
    // verified.
    result.record = {calibration::provenanceOf(*embedding), std::move(summary), {}, {}};
    result.embedding = std::move(embedding);
    result.data = kept->data;
    result.kept = std::move(kept);
    return finished(std::move(result));
}

bool answers(const experiment::EvaluationOptions& made,
             const experiment::EvaluationOptions& asked) {
    const auto has = [](const auto& all, const auto& some) {
        return std::all_of(some.begin(), some.end(), [&](const auto& value) {
            return std::find(all.begin(), all.end(), value) != all.end();
        });
    };
    return has(made.grid.epsilons, asked.grid.epsilons) &&
           has(made.grid.mechanisms(), asked.grid.mechanisms()) &&
           made.policies.unknown == asked.policies.unknown &&
           made.policies.letterCase == asked.policies.letterCase && made.seed == asked.seed;
}

std::optional<std::size_t> toldCell(const TradeOffResult& result,
                                    const mechanism::Setting& setting) {
    const experiment::EvaluationSummary& summary = result.summary();
    const auto isTold = [&](std::size_t cell) {
        return summary.cells[cell].epsilon == setting.epsilon &&
               (summary.repeats > 0 ||
                std::any_of(summary.attacks.begin(), summary.attacks.end(),
                            [&](const auto& attack) { return attack.cells[cell].has_value(); }));
    };
    for (const experiment::SettingFamily& family : result.families) {
        const auto told = std::find_if(family.cells.begin(), family.cells.end(), isTold);
        if (family.mechanism == setting.mechanism && told != family.cells.end()) {
            return *told;
        }
    }
    return std::nullopt;
}

bool isOfOneSetting(const experiment::EvaluationOptions& made) {
    return made.grid.epsilons.size() == 1 && made.grid.mechanisms().size() == 1;
}

mechanism::Grid with(mechanism::Grid grid, const mechanism::Setting& setting) {
    const mechanism::Parameters parameters = setting.mechanism.parameters();
    insert(grid.epsilons, setting.epsilon);
    if (parameters.lambda) {
        insert(grid.lambdas, *parameters.lambda);
    }
    if (parameters.gamma) {
        insert(grid.gammas, *parameters.gamma);
    } else if (parameters.beta) {
        insert(grid.betas, *parameters.beta);
    }
    return grid;
}

}  // namespace epsilens::ui
