#include "app/cli/commands/sanitize.h"

#include <memory>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/release/bound_use.h"
#include "core/release/sanitize_stream.h"
#include "core/report/release_report.h"

namespace epsilens::cli {
namespace {

struct SanitizeOptions {
    mechanism::Setting setting{};
    release::ReleasePolicies policies{};
    io::TextDecoding decoding{};
};

tl::unexpected<Error> refused(std::string message) {
    return fail(ErrorCode::invalidArgument, std::move(message));
}

/// What one release cannot have: a seed, and more than one value of anything.
Result<void> checkSingle(const mechanism::Grid& grid) {
    if (grid.epsilons.empty()) {
        return refused(
            "--epsilon: a release needs one; no value is safe by itself, calibrate shows what "
            "each means");
    }
    for (const auto& [option, values] :
         {std::pair("--epsilon", &grid.epsilons), std::pair("--lambda", &grid.lambdas),
          std::pair("--gamma", &grid.gammas), std::pair("--beta", &grid.betas)}) {
        if (values->size() > 1) {
            return refused(fmt::format("{}: sanitize takes one value, not a list", option));
        }
    }
    return {};
}

Result<mechanism::Setting> checkMechanism(const MechanismArguments& arguments) {
    ASSIGN_OR_RETURN(auto grid, parseMechanism(arguments));
    RETURN_IF_ERROR(checkSingle(grid));
    if (grid.lambdas.empty()) {
        grid.lambdas = {mechanism::kDefaultLambda};
    }
    return mechanism::Setting{grid.mechanisms().front(), grid.epsilons.front()};
}

Result<release::ReleasePolicies> checkPolicies(const SanitizeArguments& arguments) {
    release::ReleasePolicies policies;
    const auto unknown = release::parseUnknownPolicy(arguments.unknown.value_or("mask"));
    if (!unknown) {
        return refused("--unknown: " + unknown.error().message);
    }
    policies.unknown = *unknown;
    policies.withoutGuarantee = arguments.withoutGuarantee;
    const auto letterCase = text::parseCasePolicy(arguments.letterCase.value_or("auto"));
    if (!letterCase) {
        return refused("--case: " + letterCase.error().message);
    }
    policies.letterCase = *letterCase;
    if (arguments.mask) {
        if (policies.unknown != release::UnknownPolicy::mask) {
            return refused("--mask: it is for --unknown mask");
        }
        policies.mask = *arguments.mask;
    }
    if (const auto usable = release::checkMask(policies.mask); !usable) {
        return refused("--mask: " + usable.error().message);
    }
    return policies;
}

Result<io::TextDecoding> checkDecoding(const SanitizeArguments& arguments) {
    io::TextDecoding decoding;
    if (!arguments.encoding.empty()) {
        auto name = io::encodingName(arguments.encoding);
        if (!name) {
            return refused("--encoding: " + name.error().message);
        }
        decoding.encoding = std::move(*name);
    }
    if (!arguments.invalid.empty()) {
        const auto invalid = io::parseInvalidBytes(arguments.invalid);
        if (!invalid) {
            return refused("--invalid: " + invalid.error().message);
        }
        decoding.invalid = *invalid;
    }
    return decoding;
}

/// Names the options that help against bytes that are no text.
Error withOptions(Error error) {
    if (error.remedy == Remedy::givenFormat) {
        error.remedy = Remedy::none;
        error.message += " (or --encoding NAME, or --invalid replace for single damaged places)";
    }
    return error;
}

Result<SanitizeOptions> check(const SanitizeArguments& arguments, const GeneralArguments& general,
                              const GeneralOptions& options) {
    if (!general.seed.empty()) {
        return refused(
            "--seed: text for release gets its randomness from the operating system, never from "
            "a seed; sample is the seeded command");
    }
    if (general.embedding.empty()) {
        return refused(
            "EMBEDDING: a release needs one, typed or from --session; the built-in sample is "
            "small, for trying out");
    }
    if (options.format != OutputFormat::text) {
        return refused("--format: sanitize writes text; --sidecar writes its counts as JSON");
    }
    if (options.load.path == "-" && arguments.textPath == "-") {
        return refused("standard input holds the embedding; give the text with --text-file");
    }
    ASSIGN_OR_RETURN(const auto setting, checkMechanism(arguments.mechanism));
    ASSIGN_OR_RETURN(auto policies, checkPolicies(arguments));
    ASSIGN_OR_RETURN(auto decoding, checkDecoding(arguments));
    return SanitizeOptions{setting, std::move(policies), std::move(decoding)};
}

Result<release::ReleaseOutputs> openOutputs(const std::string& textPath,
                                            const std::string& sidecarPath,
                                            const std::stop_token& stop) {
    ASSIGN_OR_RETURN(auto text, textPath.empty() ? release::TextOutput::toDescriptor(
                                                       STDOUT_FILENO, "standard output")
                                                 : release::TextOutput::toFile(textPath, stop));
    return release::ReleaseOutputs::open(std::move(text), sidecarPath, stop);
}

/// Fails when a warning cannot be written.
Result<void> say(const report::ReleaseReport& report, Console& console) {
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

/// A file in which there would be nothing leaves alone what was there.
Result<void> finish(release::ReleaseOutputs& outputs, const report::ReleaseReport& report,
                    const std::stop_token& stop) {
    if (report.end.interrupted && report.end.wholeLines == 0 && outputs.text.isRevocable()) {
        return {};
    }
    return outputs.finish(report::releaseJson(report), stop);
}

/// From opened files to written text.
Result<report::ReleaseReport> release(const SanitizeOptions& options, release::TextInput& input,
                                      release::ReleaseOutputs& outputs,
                                      const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    ASSIGN_OR_RETURN(const auto replacer,
                     release::createReplacer(space, options.setting, context.general.threads));
    if (const auto allowed = release::checkGuarantee(replacer->guarantee(), options.policies);
        !allowed) {
        return refused(allowed.error().message +
                       ", or give --no-guarantee to release the text all the same");
    }
    const auto bound = release::boundUse(*space, replacer->guarantee(), context.general.threads,
                                         context.console.job(context.stop));
    context.console.finishProgress();
    if (!bound) {
        return tl::unexpected(bound.error());
    }
    ASSIGN_OR_RETURN(auto sanitizer,
                     release::Sanitizer::create(space, *replacer, options.policies));
    release::StreamOptions stream;
    stream.threads = context.general.threads;
    auto end = release::sanitizeStream(input, outputs.text, sanitizer, stream,
                                       context.console.job(context.stop));
    context.console.finishProgress();
    if (!end) {
        return tl::unexpected(withOptions(end.error()));
    }
    if (end->failure) {
        end->failure = withOptions(*end->failure);
    }
    return report::describeRelease(space->embedding(), options.setting, *bound, sanitizer, *end);
}

}  // namespace

Result<CommandResult> runSanitize(const SanitizeArguments& arguments,
                                  const GeneralArguments& general, const CommandContext& context) {
    ASSIGN_OR_RETURN(auto options, check(arguments, general, context.general));
    if (!arguments.stopWordsPath.empty()) {
        ASSIGN_OR_RETURN(auto stopWords,
                         release::readStopWords(arguments.stopWordsPath, context.stop));
        options.policies.stopWords = std::move(stopWords);
    }
    ASSIGN_OR_RETURN(auto input,
                     release::TextInput::open(arguments.textPath, options.decoding, context.stop));
    ASSIGN_OR_RETURN(auto outputs,
                     openOutputs(general.outputPath, arguments.sidecarPath, context.stop));
    if (arguments.textPath == "-" && isatty(STDIN_FILENO) == 1) {
        context.console.note(
            "reading the text from the terminal; Ctrl+D on a line of its own ends it");
    }
    ASSIGN_OR_RETURN(const auto report, release(options, input, outputs, context));
    // First of all: what is unprotected is said whatever becomes of the files, and no file appears
    // where nobody could read it.
    const auto finished = say(report, context.console).and_then([&] {
        return finish(outputs, report, context.stop);
    });
    if (report.end.failure) {
        return tl::unexpected(*report.end.failure);
    }
    if (!finished) {
        return tl::unexpected(finished.error());
    }
    CommandResult result;
    result.interrupted = report.end.interrupted;
    result.isWritten = true;
    return result;
}

}  // namespace epsilens::cli
