#include "app/cli/commands/sample_sentences.h"

namespace epsilens::cli {

using embedding::Row;

std::unordered_map<Row, std::size_t> numberDistinctWords(report::SampleReport& report) {
    std::unordered_map<Row, std::size_t> numbers;
    for (const text::Word& word : report.text.words) {
        if (word.row && numbers.try_emplace(*word.row, report.distinctWords.size()).second) {
            report.distinctWords.push_back(*word.row);
        }
    }
    return numbers;
}

std::vector<Row> sampledSentence(const report::SampleReport& report,
                                 const std::unordered_map<Row, std::size_t>& numbers, int sentence,
                                 const std::function<Row(std::size_t, int)>& output) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < report.text.words.size(); ++i) {
        const std::optional<Row>& row = report.text.words[i].row;
        const auto draw = static_cast<int>((static_cast<std::size_t>(sentence) + i) %
                                           static_cast<std::size_t>(report.draws));
        rows.push_back(row ? output(numbers.at(*row), draw) : text::kAsTyped);
    }
    return rows;
}

}  // namespace epsilens::cli
