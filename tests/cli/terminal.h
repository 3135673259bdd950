#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/document/session.h"
#include "tests/support/run_cli.h"

namespace epsilens::test {

using Arguments = std::vector<std::string>;

/// So much epsilon that every word stays: what comes out is then known.
inline constexpr const char* kEveryWordStays = " --epsilon 1e9 ";

/// A folder in which command lines of the program are typed, with small.txt in it: made-up vectors
/// of the words w0 to w59 in 4 dimensions.
class Terminal : public TemporaryFolder {
public:
    Terminal();

    [[nodiscard]] std::string content(std::string_view name) const { return contentOf(path(name)); }
    [[nodiscard]] nlohmann::ordered_json document(std::string_view name) const;
    /// Changes one value of a document.
    void change(std::string_view name, const std::string& pointer,
                const nlohmann::ordered_json& value) const;

    /// Runs what is typed behind the name of the program: words between blanks; '…' is one word.
    [[nodiscard]] CliResult run(std::string_view line, CliSetup setup = {}) const;
    /// The same with a text on standard input.
    [[nodiscard]] CliResult run(std::string_view line, std::string_view input) const;
    /// A run that goes on.
    [[nodiscard]] CliProcess start(std::string_view line, CliSetup setup = {}) const;
    /// What a run that has to end well writes to standard output.
    std::string printed(std::string_view line, CliSetup setup = {}) const;
    /// The same with --format json.
    [[nodiscard]] nlohmann::json found(const std::string& line) const;
    /// A run has to end with this exit code and say this on standard error.
    void fails(std::string_view line, int exitCode, const std::string& said) const;
};

/// The words of a command line.
[[nodiscard]] Arguments typed(std::string_view line);

/// A session of the embedding small.txt, with the grid that a calibration in the folder had, and
/// with results that are kept as the window keeps them.
[[nodiscard]] document::Session sessionOf(const Terminal& terminal, const std::string& calibration);

/// Saves a session as work.epsilens in the folder.
void save(const Terminal& terminal, const document::Session& session);

}  // namespace epsilens::test
