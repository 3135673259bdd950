#pragma once

#include <cstdint>
#include <string>

#include "core/embedding/load.h"

namespace epsilens::cli {

enum class OutputFormat { text, json, csv, html };

/// Options of every command.
struct GeneralOptions {
    embedding::LoadOptions load{};  ///< the path is empty if no embedding is named
    std::string expectedSha256{};   ///< if not empty, other embeddings are refused
    std::string sessionPath{};      ///< of --session; empty if none is named
    std::string outputPath{};       ///< empty: standard output
    OutputFormat format = OutputFormat::text;
    int threads = 0;  ///< 0: all
    std::uint64_t seed = 1;
    bool quiet = false;
    bool progress = false;
};

}  // namespace epsilens::cli
