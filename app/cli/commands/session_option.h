#pragma once

#include "app/cli/commands/calibrate.h"
#include "app/cli/commands/mechanism_options.h"
#include "app/cli/commands/recommend.h"
#include "app/cli/commands/sanitize.h"
#include "app/cli/general_options.h"
#include "core/document/session.h"

namespace epsilens::cli {

/// What --session does: options that were not typed take the value the session has. The parameters
/// of its mechanism are taken unless another mechanism was typed.

/// Opens the session of the options, nothing when none is named. Fails as document::openSession.
[[nodiscard]] Result<std::optional<document::Session>> openSession(const GeneralArguments& general);

/// For commands that have a seed: text for release has none.
void fillSeed(const document::Session& session, GeneralArguments& general);

/// Embedding and how it is read. An embedding that was typed may be another one than that of the
/// session; the session's own has to be the same still.
void fillGeneral(const document::Session& session, GeneralArguments& general);

/// The setting looked at in the session.
void fillMechanism(const document::Session& session, MechanismArguments& mechanism);

/// What becomes of unknown words and of letter case. A mask that was typed asks for masking. A
/// policy of the session that has none of the names of --unknown is passed over, as in the window.
void fillPolicies(const document::Session& session, SanitizeArguments& sanitize);

/// Grid, words and draws of the session's next calibration.
void fillCalibrate(const document::Session& session, CalibrateArguments& calibrate);

/// The same but for the epsilons, which are searched for, and the limits.
void fillRecommend(const document::Session& session, RecommendArguments& recommend);

}  // namespace epsilens::cli
