#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/cli/parser/command_options.h"
#include "app/cli/parser/evaluate_options.h"
#include "app/cli/parser/shared_options.h"
#include "core/calibration/recommend.h"
#include "core/experiment/figure_limit.h"

namespace epsilens::cli {
namespace {

tl::unexpected<Error> refused(std::string message) {
    return fail(ErrorCode::invalidArgument, std::move(message));
}

std::string defaultLimitsText() {
    std::string texts;
    for (const calibration::Limit& limit : calibration::defaultLimits()) {
        texts += (texts.empty() ? "" : " and ") + calibration::limitText(limit);
    }
    return texts;
}

Result<void> takeMatch(const std::string& typed, std::string_view option,
                       RecommendOptions& recommend) {
    if (experiment::namesFigure(typed)) {
        ASSIGN_OR_RETURN(const auto figure, choice(experiment::parseFigureMatch)(typed, option));
        recommend.figures = {figure};
        return {};
    }
    ASSIGN_OR_RETURN(const auto limit, choice(calibration::parseMatch)(typed, option));
    recommend.search.limits = {limit};
    recommend.search.matches = true;
    return {};
}

/// What limits on figures need, and what needs them.
Result<void> checkFigures(const TypedOptions& options, RecommendOptions& recommend) {
    if (options.isGiven("--match") && options.isGiven("--limit")) {
        return refused("--match: cannot be combined with --limit; give one of them");
    }
    if (recommend.figures.empty()) {
        for (const char* option :
             {"--test", "--label-column", "--split-column", "--prior", "--repeats"}) {
            if (options.isGiven(option)) {
                return refused(
                    fmt::format("{}: needs a --limit or --match on attack or classify", option));
            }
        }
        return {};
    }
    const DataOption& words = recommend.measured.data;
    if (words.records.path.empty()) {
        return refused("attack and classify need labelled texts: --data FILE");
    }
    experiment::DataSetOptions& data = recommend.evaluation.data;
    data.path = words.records.path;
    data.textColumn = words.records.column;
    data.format = words.records.format;
    recommend.evaluation.run.policies.letterCase = words.letterCase;
    return {};
}

}  // namespace

void addRecommend(TypedOptions& options, Arguments& arguments) {
    RecommendOptions& recommend = arguments.recommend;
    addGeneral(options, arguments.general);
    addMeasuredWords(options, arguments.general, recommend.search.calibration, recommend.measured);
    options.addList(
        "--limit", "LIMIT",
        fmt::format(
            "STATISTIC.AGGREGATE<=VALUE or STATISTIC.AGGREGATE>=VALUE; may be repeated. "
            "STATISTIC is nw, sw, kept, near, far, minEntropy, shannonEntropy or kw; "
            "AGGREGATE is mean, min, max, p1, p5, p25, p50, p75, p95 or p99; a VALUE with % "
            "is a share of the draws (default {}). With labelled texts (--data) also "
            "attack.best<=VALUE, attack.gain<=VALUE, attack.upper<=VALUE (whoever sees the noisy "
            "vector), and classify.CLASSIFIER.accuracy>=, "
            "macroF1>= or retained>=VALUE, which their whole intervals must meet",
            defaultLimitsText()),
        [&recommend](const auto& typed, std::string_view option) {
            return takeLimits(typed, option, recommend.search.limits, recommend.figures);
        });
    options.add(
        "--match", "MATCH",
        "STATISTIC.AGGREGATE=VALUE: compare settings where a statistic has the same value, "
        "such as nw.max=29.7%: find the epsilon at which each lambda or radius has it; with "
        "labelled texts (--data) also a figure of --limit, such as attack.best=20%; in "
        "place of --limit",
        [&recommend](const auto& typed, std::string_view option) {
            return takeMatch(typed.front(), option, recommend);
        });
    addLabels(options, recommend.evaluation.data);
    addPrior(options, recommend.evaluation);
    addRepeats(options, recommend.evaluation.run);
    options.check([&] { return checkFigures(options, recommend); });
    options.value("--objective", "NAME",
                  "how the best setting is chosen: " +
                      withDefault("distance, cosine or changed",
                                  calibration::objectiveName(recommend.search.objective)),
                  recommend.search.objective, choice(calibration::parseObjective));
    options.footer(
        "The smallest and the largest value of --epsilon bound the search.\n"
        "Example:\n  epsilens-cli recommend vectors.txt.gz --lambda 0..1x5 "
        "--limit 'nw.p95<=50%' \\\n      --limit 'sw.p5>=20' --objective cosine\n"
        "  epsilens-cli recommend vectors.txt.gz --data messages.csv --label-column class "
        "\\\n      --limit 'attack.gain<=5%' --limit 'classify.linear.retained>=80%'");
}

}  // namespace epsilens::cli
