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
std::vector<std::string> inputsOf(std::string_view command, const Arguments& typed) {
    std::vector<std::string> inputs{typed.general.vocabularyPath,
                                    typed.general.session,
                                    typed.info.data.path,
                                    typed.calibrate.run.data.path,
                                    typed.recommend.run.data.path,
                                    typed.sanitize.stopWordsPath,
                                    typed.trainPoincare.pairs,
                                    typed.report.from,
                                    typed.verify.from};
    if (!embedding::isBuiltIn(typed.general.embedding)) {
        inputs.push_back(typed.general.embedding);
    }
    for (const std::string& words : {typed.calibrate.run.words, typed.recommend.run.words}) {
        if (words.starts_with('@')) {
            inputs.push_back(words.substr(1));
        }
    }
    inputs.insert(inputs.end(), typed.guarantee.sentences.begin(), typed.guarantee.sentences.end());
    if (command == "sanitize") {
        inputs.push_back(typed.sanitize.textPath);
    } else if (command == "sample" && !typed.sample.text) {
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
