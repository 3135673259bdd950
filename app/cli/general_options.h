#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "core/embedding/load.h"

namespace epsilens::cli {

/// Options of every command as typed; empty if not given.
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
    std::string expectedSha256{};  ///< of the embedding, if the session names it
    bool strict = false;
    bool yes = false;
    bool quiet = false;
    bool progress = false;
};

enum class OutputFormat { text, json, csv };

/// The same options, checked and converted.
struct GeneralOptions {
    embedding::LoadOptions load{};
    OutputFormat format = OutputFormat::text;
    int threads = 0;  ///< 0: all
    std::uint64_t seed = 1;
    std::string expectedSha256{};  ///< if not empty, other embeddings are refused
    bool longWork = false;         ///< --yes: more than an hour is allowed
};

/// Fails with invalidArgument; the message names option, value and allowed range.
[[nodiscard]] Result<GeneralOptions> parseGeneral(const GeneralArguments& arguments);

}  // namespace epsilens::cli
