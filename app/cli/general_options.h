#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "core/embedding/load.h"

namespace epsilens::cli {

/// Options of every command as typed; empty where not given.
struct GeneralArguments {
    std::string embedding{};
    std::string outputPath{};
    std::string format = "text";
    std::string threads{};
    std::string seed{};
    std::string inputFormat = "auto";
    std::string limitRows{};
    std::string vocabularyPath{};
    std::string session{};         ///< file of --session
    std::string expectedSha256{};  ///< of the embedding, when the session names it
    bool strict = false;
    bool yes = false;
    bool quiet = false;
    bool progress = false;
};

enum class OutputFormat { text, json, csv };

/// The same, checked.
struct GeneralOptions {
    embedding::LoadOptions load{};
    OutputFormat format = OutputFormat::text;
    int threads = 0;  ///< 0: all
    std::uint64_t seed = 1;
    std::string expectedSha256{};  ///< other vectors are refused; empty: any are taken
    bool longWork = false;         ///< of more than an hour is wanted
};

/// Fails with invalidArgument: option, value, what is allowed.
[[nodiscard]] Result<GeneralOptions> parseGeneral(const GeneralArguments& arguments);

}  // namespace epsilens::cli
