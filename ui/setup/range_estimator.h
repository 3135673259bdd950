#pragma once

#include "core/mechanism/mechanism.h"
#include "ui/setup/embedding_loader.h"
#include "ui/state/query.h"

namespace epsilens::ui {

/// Keeps the range of interesting epsilons in the state up to date: it is estimated in the
/// background once another embedding, mechanism or parameter has come to rest.
class RangeEstimator : public QObject {
    Q_OBJECT

public:
    RangeEstimator(AnalysisState& state, JobBoard& jobs, const LoadFunctions& functions,
                   QObject* parent = nullptr);

private:
    struct Key {
        engine::SearchSpaceHandle space{};
        mechanism::Mechanism mechanism{};
        std::uint64_t seed = 0;

        /// Another seed alone is no reason to estimate again.
        [[nodiscard]] bool operator==(const Key& other) const {
            return space == other.space && mechanism == other.mechanism;
        }
    };

    [[nodiscard]] std::optional<Key> key() const;

    AnalysisState& m_state;
    Query<Key, engine::EpsilonRange> m_range;
};

}  // namespace epsilens::ui
