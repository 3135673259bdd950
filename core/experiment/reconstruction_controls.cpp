#include "core/experiment/reconstruction_controls.h"

#include <array>
#include <cstddef>
#include <vector>

#include "core/base/pass_on.h"
#include "core/experiment/attack/control_channel.h"
#include "core/experiment/reconstruction_findings.h"
#include "core/mechanism/prepared_mechanism.h"

namespace epsilens::experiment {
namespace {

/// What a channel does to the text, and to the words that an attacker learns it from.
void fillRelease(SampledRelease& release, const ControlledText& text) {
    AttackerDraws draws = *text.draws;
    if (release.control == ControlChannel::identity) {
        draws.copyWords();
        release.outputs = text.text.words;
    } else {
        draws.makeUp(static_cast<Row>(text.prior.size()), text.parts.options.seed);
        release.outputs = text.random;
    }
    draws.addTo(release, 0);
}

Result<ControlFindings> attackThroughDraws(const ControlledText& text, const JobContext& job) {
    // With which the attacker's model moves no word, and every word to all alike.
    constexpr std::array kEpsilons{1e6, 1e-6};
    const EvaluationOptions& options = text.parts.options;
    ASSIGN_OR_RETURN(const auto prepared,
                     mechanism::PreparedMechanism::create(text.parts.space.handle(),
                                                          options.grid.mechanisms().front()));
    ASSIGN_OR_RETURN(const auto space,
                     engine::MetricSpace::create(prepared.metric(), options.threads));
    std::vector<SampledRelease> releases(kControlChannels.size());
    for (std::size_t i = 0; i < releases.size(); ++i) {
        releases[i].control = kControlChannels.at(i);
        releases[i].setting.epsilon = kEpsilons.at(i);
        fillRelease(releases[i], text);
    }
    ASSIGN_OR_RETURN(const auto found,
                     reconstructFromDraws(space, text.text, text.prior, text.chain, releases,
                                          reconstructionOptions(options), job));
    const embedding::Vocabulary& vocabulary = text.parts.space.embedding().vocabulary();
    return ControlFindings{findingsOf(found[0], vocabulary), findingsOf(found[1], vocabulary)};
}

}  // namespace

Result<ControlFindings> attackControls(const ControlledText& text, const JobContext& job) {
    const EvaluationOptions& options = text.parts.options;
    if (text.draws != nullptr) {
        return attackThroughDraws(text, job);
    }
    ASSIGN_OR_RETURN(const auto found,
                     reconstructControls(text.text, text.prior, text.chain, text.random,
                                         reconstructionOptions(options), job));
    const embedding::Vocabulary& vocabulary = text.parts.space.embedding().vocabulary();
    return ControlFindings{findingsOf(found[0], vocabulary), findingsOf(found[1], vocabulary)};
}

ReconstructionOptions reconstructionOptions(const EvaluationOptions& options) {
    ReconstructionOptions how;
    how.bestAlone = options.attack.bestAlone;
    how.seed = options.seed;
    how.threads = options.threads;
    return how;
}

}  // namespace epsilens::experiment
