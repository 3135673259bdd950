#pragma once

#include <string>
#include <vector>

#include "core/calibration/provenance.h"
#include "core/mechanism/guarantee.h"
#include "core/mechanism/hyperbolic_noise.h"
#include "core/mechanism/mechanism.h"
#include "core/release/sanitize_stream.h"
#include "core/release/word_replacer.h"

namespace epsilens::report {

/// How a text was released: settings, counts and guarantee. Never holds text. But for
/// StreamEnd::unchanged, which the sidecar leaves out, nothing tells which words went in or came
/// out, so that it can be published beside the text.
struct ReleaseReport {
    calibration::Provenance provenance{};
    mechanism::Setting setting{};
    mechanism::Guarantee guarantee{};
    release::ReleasePolicies policies{};
    text::CasePolicy caseUsed = text::CasePolicy::lower;  ///< keep or lower
    release::StreamEnd end{};
    /// What had to be agreed to before, as that limits are not met; empty: nothing.
    std::string agreed{};
};

/// What a release was made with and what it came to.
[[nodiscard]] ReleaseReport describeRelease(const embedding::PreparedEmbedding& prepared,
                                            const mechanism::Setting& setting,
                                            const release::Sanitizer& sanitizer,
                                            const release::StreamEnd& end);

/// Document "epsilens.sanitize/1", keys in a fixed order: the sidecar. Its warnings follow from
/// setting, vocabulary and what was agreed to, not from the text.
[[nodiscard]] std::string releaseJson(const ReleaseReport& report);

/// A sentence for people.
struct ReleaseRemark {
    std::string text{};
    bool isWarning = false;  ///< something in the text is left unprotected, or as good as
};
/// What is left unprotected of a text, a sentence each.
[[nodiscard]] std::vector<std::string> unprotectedRemarks(const release::ReleaseCounts& counts);
/// For whoever releases the text, not for publishing: counts, what is left unprotected, how many
/// words came out unchanged, the guarantee per word, line and in total and how far it reaches, and
/// what no mechanism covers; in this order.
[[nodiscard]] std::vector<ReleaseRemark> releaseRemarks(const ReleaseReport& report);

}  // namespace epsilens::report
