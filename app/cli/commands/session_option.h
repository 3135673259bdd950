#pragma once

#include "app/cli/commands/calibrate.h"
#include "app/cli/commands/mechanism_options.h"
#include "app/cli/commands/recommend.h"
#include "app/cli/commands/sanitize.h"
#include "app/cli/general_options.h"
#include "core/document/session.h"

namespace epsilens::cli {

/// --session gives options that were not typed the value from the session. The parameters of its
/// mechanism are used unless another mechanism was typed.

/// Opens the session named by the options; nothing if none is named. Fails as
/// document::openSession.
[[nodiscard]] Result<std::optional<document::Session>> openSession(const GeneralArguments& general);

/// For commands with a seed; a release has none.
void fillSeed(const document::Session& session, GeneralArguments& general);

/// The embedding and how it is read. A typed embedding may differ from that of the session; the
/// session's own must be unchanged.
void fillGeneral(const document::Session& session, GeneralArguments& general);

/// The current setting of the session.
void fillMechanism(const document::Session& session, MechanismArguments& mechanism);

/// The policies for unknown words and letter case. A typed mask implies masking. A policy in the
/// session that is not a value of --unknown is ignored, as in the window.
void fillPolicies(const document::Session& session, SanitizeArguments& sanitize);

/// Grid, words and draws of the session's next calibration.
void fillCalibrate(const document::Session& session, CalibrateArguments& calibrate);

/// The same without the epsilons, which are searched for, and with the limits.
void fillRecommend(const document::Session& session, RecommendArguments& recommend);

}  // namespace epsilens::cli
