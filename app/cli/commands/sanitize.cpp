#include "app/cli/commands/sanitize.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/release/sanitize_stream.h"
#include "core/report/release_report.h"

namespace epsilens::cli {
namespace {

struct SanitizeOptions {
    release::ReleaseMechanism mechanism{};
    release::ReleasePolicies policies{};
};

tl::unexpected<Error> refused(std::string message) {
    return fail(ErrorCode::invalidArgument, std::move(message));
}

/// What one release cannot have: a seed, and more than one value of anything.
Result<void> checkSingle(const MechanismOptions& mechanism) {
    if (mechanism.epsilons.empty()) {
        return refused(
            "--epsilon: a release needs one; no value is safe by itself, calibrate shows what "
            "each means");
    }
    for (const auto& [option, values] :
         {std::pair("--epsilon", &mechanism.epsilons), std::pair("--lambda", &mechanism.lambdas),
          std::pair("--gamma", &mechanism.gammas), std::pair("--beta", &mechanism.betas)}) {
        if (values->size() > 1) {
            return refused(fmt::format("{}: sanitize takes one value, not a list", option));
        }
    }
    return {};
}

Result<release::ReleaseMechanism> checkMechanism(const MechanismArguments& arguments) {
    const auto parsed = parseMechanism(arguments);
    if (!parsed) {
        return tl::unexpected(parsed.error());
    }
    if (const auto single = checkSingle(*parsed); !single) {
        return tl::unexpected(single.error());
    }
    release::ReleaseMechanism mechanism;
    mechanism.kind = parsed->kind;
    mechanism.epsilon = parsed->epsilons.front();
    mechanism.lambda = parsed->lambdas.empty() ? kDefaultLambda : parsed->lambdas.front();
    mechanism.metric = parsed->metric;
    if (!parsed->gammas.empty()) {
        mechanism.gamma = parsed->gammas.front();
    } else if (!parsed->betas.empty()) {
        mechanism.beta = parsed->betas.front();
    }
    mechanism.hyperbolic = {parsed->law, parsed->placement};
    return mechanism;
}

Result<release::ReleasePolicies> checkPolicies(const SanitizeArguments& arguments) {
    release::ReleasePolicies policies;
    const auto unknown = release::parseUnknownPolicy(arguments.unknown);
    if (!unknown) {
        return refused("--unknown: " + unknown.error().message);
    }
    policies.unknown = *unknown;
    const auto letterCase = text::parseCasePolicy(arguments.letterCase);
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

bool isSameFile(const std::string& a, const std::string& b) {
    const auto real = [](const std::string& path) {
        std::error_code error;
        return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
    };
    return !a.empty() && !b.empty() && real(a) == real(b);
}

Result<SanitizeOptions> check(const SanitizeArguments& arguments, const GeneralArguments& general,
                              const GeneralOptions& options) {
    if (!general.seed.empty()) {
        return refused(
            "--seed: text for release gets its randomness from the operating system, never from "
            "a seed; sample is the seeded command");
    }
    if (options.format != OutputFormat::text) {
        return refused("--format: sanitize writes text; --sidecar writes its counts as JSON");
    }
    if (options.load.path == "-" && arguments.textPath == "-") {
        return refused("standard input holds the embedding; give the text with --text-file");
    }
    if (isSameFile(general.outputPath, arguments.sidecarPath)) {
        return refused("--sidecar: this is the file of the text");
    }
    auto mechanism = checkMechanism(arguments.mechanism);
    if (!mechanism) {
        return tl::unexpected(mechanism.error());
    }
    auto policies = checkPolicies(arguments);
    if (!policies) {
        return tl::unexpected(policies.error());
    }
    return SanitizeOptions{*mechanism, std::move(*policies)};
}

/// Where text and sidecar go; opened before the work.
struct Outputs {
    release::TextOutput text;
    std::optional<release::TextOutput> sidecar{};
};

Result<Outputs> openOutputs(const std::string& textPath, const std::string& sidecarPath) {
    auto text = textPath.empty()
                    ? release::TextOutput::toDescriptor(STDOUT_FILENO, "standard output")
                    : release::TextOutput::toFile(textPath);
    if (!text) {
        return tl::unexpected(text.error());
    }
    Outputs outputs{std::move(*text)};
    if (!sidecarPath.empty()) {
        auto sidecar = release::TextOutput::toFile(sidecarPath);
        if (!sidecar) {
            return tl::unexpected(sidecar.error());
        }
        outputs.sidecar.emplace(std::move(*sidecar));
    }
    return outputs;
}

void say(const report::ReleaseReport& report, Console& console) {
    for (const report::ReleaseRemark& remark : report::releaseRemarks(report)) {
        if (remark.isWarning) {
            console.warning(remark.text);
        } else {
            console.note(remark.text);
        }
    }
    if (report.end.interrupted) {
        console.warning(fmt::format("{} whole lines written{}", formatCount(report.end.wholeLines),
                                    report.end.withinLine ? ", and a part of the next" : ""));
    }
}

Result<void> writeSidecar(Outputs& outputs, const report::ReleaseReport& report) {
    if (!outputs.sidecar) {
        return {};
    }
    return outputs.sidecar->write(report::releaseJson(report)).and_then([&] {
        return outputs.sidecar->finish();
    });
}

/// From opened files to written text.
Result<report::ReleaseReport> release(const SanitizeOptions& options, release::TextInput& input,
                                      Outputs& outputs, const CommandContext& context) {
    const auto space = openSearchSpace(context);
    if (!space) {
        return tl::unexpected(space.error());
    }
    const auto replacer =
        release::createReplacer(*space, options.mechanism, context.general.threads);
    if (!replacer) {
        return tl::unexpected(replacer.error());
    }
    auto sanitizer = release::Sanitizer::create(*space, **replacer, options.policies);
    if (!sanitizer) {
        return tl::unexpected(sanitizer.error());
    }
    release::StreamOptions stream;
    stream.threads = context.general.threads;
    const auto end = release::sanitizeStream(input, outputs.text, *sanitizer, stream,
                                             context.console.job(context.stop));
    context.console.finishProgress();
    if (!end) {
        return tl::unexpected(end.error());
    }
    return report::describeRelease((*space)->embedding(), options.mechanism, *sanitizer, *end);
}

}  // namespace

Result<CommandResult> runSanitize(const SanitizeArguments& arguments,
                                  const GeneralArguments& general, const CommandContext& context) {
    auto options = check(arguments, general, context.general);
    if (!options) {
        return tl::unexpected(options.error());
    }
    if (!arguments.stopWordsPath.empty()) {
        auto stopWords = release::readStopWords(arguments.stopWordsPath, context.stop);
        if (!stopWords) {
            return tl::unexpected(stopWords.error());
        }
        options->policies.stopWords = std::move(*stopWords);
    }
    auto input = release::TextInput::open(arguments.textPath, context.stop);
    if (!input) {
        return tl::unexpected(input.error());
    }
    auto outputs = openOutputs(general.outputPath, arguments.sidecarPath);
    if (!outputs) {
        return tl::unexpected(outputs.error());
    }
    if (arguments.textPath == "-" && isatty(STDIN_FILENO) == 1) {
        context.console.note(
            "reading the text from the terminal; Ctrl+D on a line of its own ends it");
    }
    const auto report = release(*options, *input, *outputs, context);
    if (!report) {
        return tl::unexpected(report.error());
    }
    if (const auto written = writeSidecar(*outputs, *report); !written) {
        return tl::unexpected(written.error());
    }
    say(*report, context.console);
    CommandResult result;
    result.interrupted = report->end.interrupted;
    result.isWritten = true;
    return result;
}

}  // namespace epsilens::cli
