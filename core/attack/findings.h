#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/corpus/share.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::attack {

/// What an evaluation measures. All but the first are attacks on the released text.
enum class Task {
    classify,     ///< is the text still useful to learn from? utility.md
    reconstruct,  ///< which words does an attacker guess? reconstruction.md
    membership,   ///< was a text used to train the classifier? attack/membership.md
    authorship,   ///< who wrote the text? attack/authorship.md
    audit         ///< whose texts was a language model trained on? attack/model_audit.md
};

/// Names of --task: those above.
[[nodiscard]] std::string_view taskName(Task task);
/// Fails with invalidArgument; the message lists the names.
[[nodiscard]] Result<Task> parseTask(std::string_view name);

/// A figure that attackers reached under one condition; NaN where it does not exist.
struct Figure : corpus::Measured {
    enum class Kind {
        share,  ///< measured, or exact where it has no interval
        number  ///< follows from others, or is a count
    };

    std::string path{};  ///< its place in the JSON, steps between periods: "attackers.map.gain"
    Kind kind = Kind::share;
    std::vector<double> repeats{};  ///< its value in each repeat; empty: not known
};

/// A word and how often it was guessed.
struct FoundWord {
    std::string word{};
    embedding::Row row = 0;  ///< not kept in files
    double success = 0.0;
    std::int64_t tokens = 0;
};

/// What the attackers or classifiers of a task came to under one condition.
struct Findings {
    std::vector<Figure> figures{};
    std::vector<std::string> chosen{};  ///< names of the attackers that did best
    std::vector<FoundWord> words{};     ///< those guessed most often, largest first

    void add(std::string path, const corpus::Measured& share) {
        figures.push_back({share, std::move(path)});
    }
    void add(std::string path, double number) {
        figures.push_back({{number, {}}, std::move(path), Figure::Kind::number});
    }
};

// What processes that share an attack tell each other; see Archive.
template <typename Archive>
void transfer(Archive& archive, Figure& figure) {
    archive(figure.path, figure.value, figure.ci95, figure.kind, figure.repeats);
}
template <typename Archive>
void transfer(Archive& archive, FoundWord& found) {
    archive(found.word, found.success, found.tokens);
}
template <typename Archive>
void transfer(Archive& archive, Findings& findings) {
    archive(findings.figures, findings.chosen, findings.words);
}

/// Results of one task that attacks.
struct AttackResults {
    Task task = Task::reconstruct;
    std::string risk{};                    ///< path of the figure that the task is judged by
    std::vector<std::string> sentences{};  ///< what was attacked, what each attacker knows
    /// On the original text, where every attacker should succeed, and on words drawn uniformly
    /// from the vocabulary, where only what is not replaced tells anything. Nothing where the run
    /// was cancelled before.
    std::optional<Findings> original{};
    std::optional<Findings> floor{};
    std::vector<std::optional<Findings>> cells{};  ///< one for each setting; nothing: not reached
    double seconds = 0.0;
};

/// The figure with this path; null where there is none.
[[nodiscard]] const Figure* figureAt(const Findings& findings, std::string_view path);

/// The figure that settings are compared by in a task, of attacks AttackResults::risk; * stands for
/// a classifier.
struct Headline {
    Task task;
    std::string_view path;
    std::string_view title;
    double chance;  ///< its value where a release tells nothing; NaN: the figure "chance"
};
inline constexpr double kNoChance = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::array kHeadlines{
    Headline{Task::classify, "*.accuracy", "accuracy, *", kNoChance},
    Headline{Task::reconstruct, "gain", "gain over prior", 0.0},
    Headline{Task::membership, "*.threshold.advantage", "advantage, *", 0.0},
    Headline{Task::authorship, "adaptive.correct", "found, adaptive", kNoChance},
    Headline{Task::audit, "adaptive.auc", "AUC, adaptive", 0.5}};
[[nodiscard]] const Headline& headlineOf(Task task);

/// A text with the name of a classifier in place of the star.
[[nodiscard]] std::string ofClassifier(std::string_view text, std::string_view classifier);

}  // namespace epsilens::attack
