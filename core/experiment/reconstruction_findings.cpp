#include "core/experiment/reconstruction_findings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace epsilens::experiment {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct AttackerNames {
    std::string_view name;   ///< of AttackerScores
    std::string_view path;   ///< in the JSON
    std::string_view title;  ///< in tables; empty: not there
};

constexpr std::array<AttackerNames, 8> kAttackers{
    {{"echo", "echo", "echo"},
     {"prior", "prior", "prior"},
     {"map", "map", "map"},
     {"context", "context", "context"},
     {"learned", "learned", "learned"},
     {"learned and context", "learnedContext", "with context"},
     {"noisy vector", "noisyVector", "noisy vector"},
     {"noisy vector and context", "noisyVectorContext", "vector and context"}}};

AttackerNames namesOf(const std::string& attacker) {
    const auto* const found =
        std::find_if(kAttackers.begin(), kAttackers.end(),
                     [&](const AttackerNames& names) { return names.name == attacker; });
    return found == kAttackers.end() ? AttackerNames{attacker, attacker, ""} : *found;
}

void addDetails(std::vector<Figure>& figures, const AttackerSummary& attacker) {
    const std::string path = "attackers." + std::string(namesOf(attacker.name).path) + ".";
    figures.push_back(Figure::of(path + "gain", "", attacker.gain));
    figures.push_back(Figure::of(path + "outsideCommonest", "", attacker.outsideCommonest));
    figures.push_back(Figure::number(path + "meanOverWords", "", attacker.meanOverWords));
    figures.push_back(Figure::number(path + "documents.p50", "", attacker.documentQuantiles[0]));
    figures.push_back(Figure::number(path + "documents.p95", "", attacker.documentQuantiles[1]));
    figures.push_back(Figure::number(path + "documents.max", "", attacker.documentQuantiles[2]));
}

void addBracket(std::vector<Figure>& figures, const SampledReconstruction& result) {
    figures.push_back(Figure::of("bracket.lower", "lower end", result.lower));
    figures.push_back(Figure::of("bracket.upper", "upper end", result.upper));
    figures.push_back(Figure::number("priorVulnerability", "", result.priorVulnerability));
    figures.push_back(Figure::number("learning.kappa", "", result.kappa));
    figures.push_back(Figure::number("learning.scale", "", result.scale));
    figures.push_back(Figure::number("learning.caution", "", result.caution));
    figures.push_back({"learning.priorAlone", "", std::isinf(result.caution) ? 1.0 : 0.0,
                       std::nullopt, Figure::Kind::flag});
}

/// The figures of attackers alone.
Findings findingsOf(const ReconstructionSummary& summary, const embedding::Vocabulary& vocabulary) {
    Findings findings;
    std::vector<Figure>& figures = findings.figures;
    figures.push_back(Figure::number("tokens", "", static_cast<double>(summary.tokens)));
    figures.push_back(Figure::number("documents", "", static_cast<double>(summary.documents)));
    figures.push_back(Figure::of("best", "best", summary.best.success));
    figures.push_back(Figure::of("gain", "gain over prior", summary.best.gain));
    for (const AttackerSummary& attacker : summary.attackers) {
        const AttackerNames names = namesOf(attacker.name);
        figures.push_back(
            Figure::of(std::string(names.path), std::string(names.title), attacker.success));
    }
    for (const AttackerSummary& attacker : summary.attackers) {
        addDetails(figures, attacker);
    }
    findings.chosen.assign(summary.best.chosen.begin(), summary.best.chosen.end());
    for (const GuessedWord& word : summary.worstWords) {
        findings.words.push_back(
            {std::string(vocabulary.word(word.word)), word.success, word.tokens});
    }
    return findings;
}

}  // namespace

Findings findingsOf(const ExactReconstruction& result, const embedding::Vocabulary& vocabulary) {
    Findings findings = findingsOf(result.text, vocabulary);
    std::vector<Figure>& figures = findings.figures;
    figures.push_back({"exact", "", 1.0, std::nullopt, Figure::Kind::flag});
    figures.push_back(Figure::number("bracket", "", kNone));
    figures.push_back(Figure::number("bayesVulnerability", "", result.posteriorVulnerability));
    figures.push_back(Figure::number("priorVulnerability", "", result.priorVulnerability));
    return findings;
}

Findings findingsOf(const SampledReconstruction& result, const embedding::Vocabulary& vocabulary) {
    Findings findings = findingsOf(result.text, vocabulary);
    findings.figures.push_back({"exact", "", 0.0, std::nullopt, Figure::Kind::flag});
    if (result.bestAlone) {
        return findings;
    }
    addBracket(findings.figures, result);
    return findings;
}

}  // namespace epsilens::experiment
