#include "app/cli/commands/release_setup.h"

#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"

namespace epsilens::cli {

Result<release::ReleasePolicies> releasePolicies(const SanitizeOptions& options,
                                                 const CommandContext& context) {
    release::ReleasePolicies policies = options.policies;
    if (!options.stopWordsPath.empty()) {
        ASSIGN_OR_RETURN(policies.stopWords,
                         release::readStopWords(options.stopWordsPath, context.stop));
    }
    return policies;
}

Result<ReleaseSetup> setUpRelease(const SanitizeOptions& options, release::ReleasePolicies policies,
                                  const CommandContext& context) {
    ReleaseSetup setup;
    setup.setting = {options.grid.mechanisms().front(), options.grid.epsilons.front()};
    setup.policies = std::move(policies);
    ASSIGN_OR_RETURN(setup.space, openSearchSpace(context));
    ASSIGN_OR_RETURN(setup.replacer,
                     release::createReplacer(setup.space, setup.setting, context.general.threads));
    return setup;
}

Error withReleaseOptions(Error error, const std::string& textPath) {
    if (error.line > 0 && error.file.empty()) {
        error.file = textPath == "-" ? "standard input" : textPath;
    }
    if (error.remedy == Remedy::givenFormat) {
        error.remedy = Remedy::none;
        error.message += " (or --encoding NAME, or --invalid replace for single damaged places)";
    }
    return error;
}

Result<void> sayRelease(const report::ReleaseReport& report, Console& console) {
    Result<void> said;
    for (const report::ReleaseRemark& remark : report::releaseRemarks(report)) {
        if (!remark.isWarning) {
            console.note(remark.text);
        } else if (auto warned = console.alarm(remark.text); !warned) {
            said = std::move(warned);
        }
    }
    if (report.end.interrupted) {
        console.warning(fmt::format("{} whole lines written{}", formatCount(report.end.wholeLines),
                                    report.end.withinLine ? ", and a part of the next" : ""));
    }
    return said;
}

Result<release::ReleaseOutputs> openReleaseOutputs(const std::string& textPath,
                                                   const std::string& sidecarPath,
                                                   const std::stop_token& stop) {
    ASSIGN_OR_RETURN(auto text, textPath.empty() ? release::TextOutput::toDescriptor(
                                                       STDOUT_FILENO, "standard output")
                                                 : release::TextOutput::toFile(textPath, stop));
    return release::ReleaseOutputs::open(std::move(text), sidecarPath, stop);
}

}  // namespace epsilens::cli
