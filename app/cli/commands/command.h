#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/console.h"
#include "app/cli/program.h"
#include "core/base/error.h"
#include "core/embedding/load.h"
#include "core/engine/search_space.h"

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

/// Environment of a command.
struct CommandContext {
    const GeneralOptions& general;
    Console& console;
    std::stop_token stop{};
    Team* team = nullptr;  ///< that shares the work; null: none

    /// Whether this process says what there is to say.
    [[nodiscard]] bool isFirst() const { return team == nullptr || team->isFirst(); }
    /// Processes that share the work; null: this one alone.
    [[nodiscard]] Crew* crew() const {
        return team != nullptr && team->size() > 1 ? team : nullptr;
    }
    /// Ends the common work of a team. Whether this process leaves its results to the first one.
    [[nodiscard]] bool endsHere() const {
        if (team == nullptr) {
            return false;
        }
        team->dismiss();
        return !team->isFirst();
    }

    /// Runs a job whose progress is shown until it ends.
    template <typename Job>
    auto withProgress(const Job& job) const {
        auto result = job(console.job(stop));
        console.finishProgress();
        return result;
    }
};

/// Result of a command.
struct CommandResult {
    std::string text{};
    bool interrupted = false;        ///< the text holds partial results
    std::optional<Error> problem{};  ///< failure beside the text; sets the exit code
    bool isWritten = false;          ///< the command wrote its output itself
};

/// Said where a command waits for somebody who types.
inline constexpr std::string_view kReadsTerminal =
    "reading the text from the terminal; Ctrl+D on a line of its own ends it";

/// What a command found, in each format of --format.
struct CommandOutput {
    std::function<nlohmann::ordered_json()> data;
    std::string_view rows{};  ///< of the data that CSV has a line each of; see document::csvRows
    std::function<std::string()> text;
    std::function<std::string()> html{};  ///< where the command has it
};

/// In the format of the options.
[[nodiscard]] CommandResult rendered(const GeneralOptions& general, const CommandOutput& output,
                                     bool isPartial = false);

/// Opens the embedding of the command line, warns about skipped rows and prepares the search.
[[nodiscard]] Result<engine::SearchSpaceHandle> openSearchSpace(const CommandContext& context);

/// "; similar: paris, parish"; empty if no word of the vocabulary is.
[[nodiscard]] std::string similarWords(const embedding::Vocabulary& vocabulary,
                                       std::string_view word);

}  // namespace epsilens::cli
