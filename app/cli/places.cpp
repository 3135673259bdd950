#include "app/cli/places.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/embedding/load.h"
#include "core/io/direct_output.h"

namespace epsilens::cli {
namespace {

/// All files that the command reads; entries may be empty or "-" (standard input).
std::vector<std::string> inputsOf(std::string_view command, const Arguments& arguments) {
    std::vector<std::string> inputs{arguments.general.load.vocabularyPath,
                                    arguments.general.sessionPath,
                                    arguments.info.data.records.path,
                                    arguments.calibrate.measured.data.records.path,
                                    arguments.calibrate.measured.words.listPath,
                                    arguments.recommend.measured.data.records.path,
                                    arguments.recommend.measured.words.listPath,
                                    arguments.sanitize.stopWordsPath,
                                    arguments.trainPoincare.pairsPath,
                                    arguments.report.from,
                                    arguments.verify.from};
    if (!embedding::isBuiltIn(arguments.general.load.path)) {
        inputs.push_back(arguments.general.load.path);
    }
    inputs.insert(inputs.end(), arguments.guarantee.sentences.begin(),
                  arguments.guarantee.sentences.end());
    if (command == "sanitize") {
        inputs.push_back(arguments.sanitize.textPath);
    } else if (command == "sample" && !arguments.sample.text) {
        inputs.emplace_back("-");
    }
    return inputs;
}

}  // namespace

Result<void> checkPlaces(std::string_view command, const Arguments& arguments) {
    const std::string& output = arguments.general.outputPath;
    const std::vector<std::string> inputs = inputsOf(command, arguments);
    if (const auto apart = io::checkIsNoInput(output, inputs); !apart) {
        return fail(ErrorCode::invalidArgument, "--output: " + apart.error().message);
    }
    for (const auto& [option, place] : {std::pair("--per-word", &arguments.calibrate.perWordPath),
                                        std::pair("--sidecar", &arguments.sanitize.sidecarPath)}) {
        if (place->empty()) {
            continue;
        }
        if (io::isSameFile(output, *place) || (output.empty() && io::isStandardOutput(*place))) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("{}: this file already receives the results; name another file",
                                    option));
        }
        if (const auto apart = io::checkIsNoInput(*place, inputs); !apart) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("{}: {}", option, apart.error().message));
        }
    }
    return {};
}

}  // namespace epsilens::cli
