#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/evaluation_document.h"
#include "core/evaluation/evaluation.h"
#include "core/report/report_model.h"

/// What evaluations measured, as tables and drawings.
namespace epsilens::report {

/// "0.783 (0.771 to 0.795)"; without an interval where there is none, a dash for NaN.
///
/// format  of one number: "{:.3f}"
/// times   what numbers are multiplied by
[[nodiscard]] std::string intervalText(std::string_view format, const corpus::Measured& measured,
                                       double times = 1.0);

/// "λ 0.5" or "β 0.001": what tells the families of a run apart; empty where there is one only.
[[nodiscard]] std::string familyText(const evaluation::EvaluationSummary& summary,
                                     const evaluation::EvaluationCell& cell);
/// "ε 5, λ 0.5"
[[nodiscard]] std::string settingText(const evaluation::EvaluationSummary& summary,
                                      const evaluation::EvaluationCell& cell);

/// "5,574 documents of 2 classes …": what was measured on, a sentence each.
[[nodiscard]] std::vector<std::string> dataSentences(const evaluation::EvaluationSummary& summary);

/// "a linear classifier of the words"
[[nodiscard]] std::string classifierWords(evaluation::ClassifierKind classifier);

/// What an evaluation found at a setting, in a sentence: what the task keeps by the first
/// classifier, what attackers get, each with its interval and with what it is to be compared with.
///
/// cell        index into the cells of the summary
/// hasUtility  false: attackers alone
/// Returns an empty sentence where nothing was measured.
[[nodiscard]] std::string tradeOffSentence(const evaluation::EvaluationSummary& summary,
                                           std::size_t cell, bool hasUtility = true);

/// Says that the attack is not told from chance even on the original text, so that it proves
/// nothing about the settings; else empty.
[[nodiscard]] std::string originalSentence(const attack::AttackResults& results);

/// "words guessed": what a task counts.
[[nodiscard]] std::string_view taskWords(attack::Task task);
/// "How often would an attacker guess the word?"
[[nodiscard]] std::string attackTitle(attack::Task task);

/// A figure that an evaluation has, as tables show it.
struct MeasuredFigure {
    std::string path{};   ///< as of figureAt
    std::string title{};  ///< "accuracy, linear"
    bool isHeadline = false;
    bool isBrief = false;                                    ///< reports show it, too
    std::optional<evaluation::ClassifierKind> classifier{};  ///< by which; nothing: by none
};
/// What was measured of a task: by each classifier, or just by one.
[[nodiscard]] std::vector<MeasuredFigure> measuredFigures(
    const evaluation::EvaluationSummary& summary, attack::Task task,
    std::optional<evaluation::ClassifierKind> only = {});

/// What a task measured: a row for each reference line and each setting. No columns where nothing
/// was measured.
///
/// only  the classifier whose scores it has; nothing: all
[[nodiscard]] Table figuresTable(const evaluation::EvaluationSummary& summary, attack::Task task,
                                 std::optional<evaluation::ClassifierKind> only = {});

/// What the text is good for and what attackers get against epsilon, of each family.
///
/// chosen  a setting of a calibration: of its family alone, if there is more than one epsilon of
/// it;
///         null: of all
[[nodiscard]] std::vector<Figure> tradeOffFigures(const evaluation::EvaluationSummary& summary,
                                                  const calibration::Cell* chosen = nullptr);

/// Everything that was measured: drawings over epsilon, then of each classifier and each attack its
/// table, and what the attackers were assumed to know.
[[nodiscard]] std::vector<Section> evaluationSections(const evaluation::EvaluationSummary& summary);

/// Index of the cell with the smallest epsilon of a family from which on every one of its settings
/// surely keeps nine tenths of what the replaced words are worth to a classifier: the lower end of
/// the 95 % interval of what it retains is at least 0.9, or its accuracy is that of the ceiling in
/// every repeat. Nothing where there is none.
[[nodiscard]] std::optional<std::size_t> firstThatWorks(
    const evaluation::EvaluationSummary& summary, const evaluation::SettingFamily& family,
    evaluation::ClassifierKind classifier);

/// A page to judge by: for each family of settings at which epsilon the task still works, what the
/// best attackers reach and what is promised there; then all that was measured, and what the
/// figures do not show.
[[nodiscard]] ReportContent evaluationPage(const document::EvaluationRecord& record);

}  // namespace epsilens::report
