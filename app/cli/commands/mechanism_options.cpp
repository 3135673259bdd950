#include "app/cli/commands/mechanism_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace epsilens::cli {
namespace {

/// A list whose range is wrong may be a number typed with a decimal comma.
std::string commaHint(const std::vector<std::string>& typed) {
    const bool comma = std::any_of(typed.begin(), typed.end(), [](const std::string& text) {
        return text.find(',') != std::string::npos;
    });
    return comma ? "; a comma separates values, one half is written 0.5" : "";
}

Result<std::vector<double>> parseLists(const std::vector<std::string>& typed,
                                       std::string_view option, Spacing spacing) {
    std::vector<double> values;
    for (const std::string& text : typed) {
        const Result<std::vector<double>> list = parseList(text, option, spacing);
        if (!list) {
            return tl::unexpected(list.error());
        }
        values.insert(values.end(), list->begin(), list->end());
    }
    return values;
}

Result<std::vector<double>> parseEpsilons(const std::vector<std::string>& typed) {
    auto values = parseLists(typed, "--epsilon", Spacing::logarithmic);
    if (!values) {
        return values;
    }
    for (const double epsilon : *values) {
        if (!(epsilon > 0.0)) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("--epsilon: {} is not above 0{}", formatNumber(epsilon),
                                    commaHint(typed)));
        }
    }
    return values;
}

Result<std::vector<double>> parseLambdas(const std::vector<std::string>& typed) {
    auto values = parseLists(typed, "--lambda", Spacing::linear);
    if (!values) {
        return values;
    }
    for (const double lambda : *values) {
        if (!(lambda >= 0.0 && lambda <= 1.0)) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("--lambda: {} is outside 0 to 1{}", formatNumber(lambda),
                                    commaHint(typed)));
        }
    }
    return values;
}

}  // namespace

Result<MechanismOptions> parseMechanism(const MechanismArguments& arguments) {
    const auto kind = mechanism::parseKind(arguments.mechanism);
    if (!kind) {
        return tl::unexpected(kind.error());
    }
    auto epsilons = parseEpsilons(arguments.epsilons);
    if (!epsilons) {
        return tl::unexpected(epsilons.error());
    }
    auto lambdas = parseLambdas(arguments.lambdas);
    if (!lambdas) {
        return tl::unexpected(lambdas.error());
    }
    if (*kind == mechanism::Kind::laplace) {
        if (std::any_of(lambdas->begin(), lambdas->end(), [](double value) { return value > 0; })) {
            return fail(ErrorCode::invalidArgument,
                        "--lambda: the laplace mechanism has none (it is mahalanobis with "
                        "lambda 0); use --mechanism mahalanobis");
        }
        lambdas = std::vector<double>{0.0};
    }
    return MechanismOptions{*kind, std::move(*epsilons), std::move(*lambdas)};
}

Result<int> parseCount(const std::string& typed, std::string_view option, int lowest, int highest,
                       int fallback) {
    if (typed.empty()) {
        return fallback;
    }
    return parseInteger(typed, option, lowest, highest).map([](std::int64_t value) {
        return static_cast<int>(value);
    });
}

Result<mechanism::EllipticalNoise> makeNoise(const engine::SearchSpace& space, double lambda) {
    const embedding::EmbeddingHandle& handle = space.handle();
    return mechanism::EllipticalNoise::create(
        std::shared_ptr<const embedding::PcaBasis>(handle, &handle->basis), lambda);
}

Result<engine::EpsilonRange> epsilonRange(const engine::SearchSpace& space, double lambda,
                                          const CommandContext& context) {
    const auto noise = makeNoise(space, lambda);
    if (!noise) {
        return tl::unexpected(noise.error());
    }
    auto range =
        engine::estimateEpsilonRange(space, *noise, context.general.seed, context.general.threads,
                                     context.console.job(context.stop));
    context.console.finishProgress();
    return range;
}

Result<void> chooseEpsilon(const engine::SearchSpace& space, MechanismOptions& options,
                           const CommandContext& context) {
    if (!options.epsilons.empty()) {
        return {};
    }
    const auto range = epsilonRange(space, options.lambdas.front(), context);
    if (!range) {
        return tl::unexpected(range.error());
    }
    options.epsilons = {range->suggested};
    context.console.note(
        fmt::format("no --epsilon given: using {}, the median critical epsilon of {} random words",
                    formatNumber(range->suggested), formatCount(range->words)));
    return {};
}

}  // namespace epsilens::cli
