#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/calibration/provenance.h"
#include "core/calibration/run.h"
#include "core/document/evaluation_document.h"

/// Commands of the command line that make the same run again.
namespace epsilens::report {

/// A word of a shell command, as a shell of Unix reads it: in quotes where it needs them.
///
/// word  without a zero byte
[[nodiscard]] std::string shellQuoted(std::string_view word);

/// The path of a file as an argument: one that begins as an option does is named from its folder.
[[nodiscard]] std::string fileArgument(const std::string& path);

/// Files by their names alone, as reports name them.
[[nodiscard]] embedding::LoadOptions withoutFolders(embedding::LoadOptions load);

/// The command that calibrates as asked for. Words chosen one by one have no option: the command
/// names a file for them, words.txt.
///
/// selection  how the words were named; its files are known without their folders
[[nodiscard]] std::string calibrateCommand(
    const calibration::RunRequest& request,
    const std::optional<calibration::SelectionDescription>& selection);

/// The command that evaluates as asked for; the texts are named without their folders.
[[nodiscard]] std::string evaluateCommand(const document::EvaluationRequest& request);

/// SHA-256 of all that the run was asked for, but for where the file lies.
[[nodiscard]] std::string settingsHash(const calibration::RunRequest& request);

}  // namespace epsilens::report
