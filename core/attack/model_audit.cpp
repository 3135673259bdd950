#include "core/attack/model_audit.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "core/attack/attack_models.h"
#include "core/attack/bigrams.h"
#include "core/base/in_parallel.h"
#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/corpus/streams.h"

namespace epsilens::attack {
namespace {

constexpr std::size_t kShadowModels = 4;

// Ranks 1, 2 to 3, 4 to 7, … share a bin.
std::size_t binOf(std::int64_t rank) {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(rank))) - 1;
}

std::int64_t lineBegin(const UserTexts& texts, std::size_t line) {
    return line == 0 ? 0 : texts.lineEnds[line - 1];
}

// Tokens of the lines of chosen users.
struct Training {
    std::vector<Row> words{};
    std::vector<std::int64_t> lineEnds{};
};

Training trainingOf(const UserTexts& texts, std::span<const Row> words,
                    std::span<const std::uint8_t> isChosen) {
    Training training;
    for (std::size_t line = 0; line < texts.lineEnds.size(); ++line) {
        const std::int32_t user = texts.users[line];
        if (user >= 0 && isChosen[static_cast<std::size_t>(user)] != 0) {
            training.words.insert(training.words.end(), words.begin() + lineBegin(texts, line),
                                  words.begin() + texts.lineEnds[line]);
            training.lineEnds.push_back(static_cast<std::int64_t>(training.words.size()));
        }
    }
    return training;
}

// Adds the ranks of the words of a line to a histogram.
template <typename Histogram>
void addRanks(const BigramModel& model, std::span<const Row> words, Histogram&& histogram) {
    Row previous = kUnknownWord;
    for (const Row word : words) {
        if (word != kUnknownWord) {
            histogram[static_cast<Eigen::Index>(binOf(model.rank(previous, word)))] += 1.0;
        }
        previous = word;
    }
}

std::vector<std::vector<std::size_t>> linesByUser(const UserTexts& texts) {
    std::vector<std::vector<std::size_t>> lines(texts.authors.size());
    for (std::size_t line = 0; line < texts.users.size(); ++line) {
        if (texts.users[line] >= 0) {
            lines[static_cast<std::size_t>(texts.users[line])].push_back(line);
        }
    }
    return lines;
}

ScoredCases scoredCases(const VectorD& scores, std::span<const std::uint8_t> members,
                        std::span<const std::int32_t> clusters) {
    return {{scores.begin(), scores.end()},
            {members.begin(), members.end()},
            {clusters.begin(), clusters.end()}};
}

}  // namespace

UserGroups groupIntoUsers(std::span<const std::int32_t> documentAuthors, std::int32_t size) {
    UserGroups groups;
    groups.users.assign(documentAuthors.size(), -1);
    std::map<std::int32_t, std::vector<std::size_t>> open;
    for (std::size_t document = 0; document < documentAuthors.size(); ++document) {
        if (documentAuthors[document] < 0) {
            continue;
        }
        std::vector<std::size_t>& documents = open[documentAuthors[document]];
        documents.push_back(document);
        if (static_cast<std::int32_t>(documents.size()) == size) {
            for (const std::size_t member : documents) {
                groups.users[member] = static_cast<std::int32_t>(groups.authors.size());
            }
            groups.authors.push_back(documentAuthors[document]);
            documents.clear();
        }
    }
    return groups;
}

Result<Auditor> Auditor::create(const UserTexts& texts, const BootstrapOptions& options,
                                const JobContext& job) {
    Auditor auditor(texts, options);
    RETURN_IF_ERROR(auditor.splitAuthors());
    ASSIGN_OR_RETURN(auditor.m_naive, auditor.shadowCases(texts.words, job));
    return auditor;
}

// Authors with fewer than two users cannot be split and stay the auditor's.
Result<void> Auditor::splitAuthors() {
    const auto largest = std::max_element(m_texts->authors.begin(), m_texts->authors.end());
    const std::size_t count =
        largest == m_texts->authors.end() ? 0 : static_cast<std::size_t>(*largest) + 1;
    std::vector<int> users(count);
    for (const std::int32_t author : m_texts->authors) {
        ++users[static_cast<std::size_t>(author)];
    }
    std::vector<std::size_t> divisible;
    for (const std::size_t author : shuffledIndices(count, {m_options.seed, corpus::kUserSplits})) {
        if (users[author] >= 2) {
            divisible.push_back(author);
        }
    }
    if (divisible.size() < 2) {
        return fail(ErrorCode::invalidArgument,
                    "the audit needs two authors with texts for two users each");
    }
    m_isTargets.assign(count, 0);
    for (std::size_t i = 0; i < divisible.size() / 2; ++i) {
        m_isTargets[divisible[i]] = 1;
    }
    return {};
}

Auditor::Cases Auditor::casesOf(std::span<const Row> trainingWords, bool isTarget,
                                std::uint32_t model, const JobContext& job) const {
    const std::size_t users = m_texts->authors.size();
    std::vector<std::uint8_t> isIn(users);
    std::vector<std::size_t> asked;
    std::map<std::int32_t, int> seen;  // of each author
    for (const std::size_t user :
         shuffledIndices(users, {m_options.seed, corpus::kUserSplits, 0, model + 1})) {
        const std::int32_t author = m_texts->authors[user];
        if ((m_isTargets[static_cast<std::size_t>(author)] != 0) == isTarget) {
            isIn[user] = seen[author]++ % 2 == 0 ? 1 : 0;
            asked.push_back(user);
        }
    }
    std::sort(asked.begin(), asked.end());
    const Training training = trainingOf(*m_texts, trainingWords, isIn);
    const BigramModel languageModel(training.words, training.lineEnds, m_texts->vocabularySize);
    const auto lines = linesByUser(*m_texts);
    Cases cases;
    cases.features.setZero(static_cast<Eigen::Index>(asked.size()),
                           static_cast<Eigen::Index>(binOf(m_texts->vocabularySize)) + 1);
    for (std::size_t i = 0; i < asked.size() && !job.stopRequested(); ++i) {
        auto histogram = cases.features.row(static_cast<Eigen::Index>(i));
        for (const std::size_t line : lines[asked[i]]) {
            const auto begin = static_cast<std::size_t>(lineBegin(*m_texts, line));
            const auto end = static_cast<std::size_t>(m_texts->lineEnds[line]);
            addRanks(languageModel, std::span(m_texts->words).subspan(begin, end - begin),
                     histogram);
        }
        histogram /= std::max(histogram.sum(), 1.0);
        cases.members.push_back(isIn[asked[i]]);
        cases.authors.push_back(m_texts->authors[asked[i]]);
    }
    return cases;
}

Result<Auditor::Cases> Auditor::shadowCases(std::span<const Row> trainingWords,
                                            const JobContext& job) const {
    std::vector<Cases> parts(kShadowModels);
    RETURN_IF_ERROR(inParallel(
        parts.size(), m_options.threads, "Shadow models", job, [](int) { return 0; },
        [&](int, std::size_t model) {
            parts[model] =
                casesOf(trainingWords, false, static_cast<std::uint32_t>(model) + 1, job);
        }));
    Cases all = std::move(parts.front());
    for (std::size_t model = 1; model < parts.size(); ++model) {
        const Eigen::Index rows = all.features.rows();
        all.features.conservativeResize(rows + parts[model].features.rows(), Eigen::NoChange);
        all.features.bottomRows(parts[model].features.rows()) = parts[model].features;
        all.members.insert(all.members.end(), parts[model].members.begin(),
                           parts[model].members.end());
        all.authors.insert(all.authors.end(), parts[model].authors.begin(),
                           parts[model].authors.end());
    }
    return all;
}

Detection Auditor::decide(const Cases& shadow, const Cases& target) const {
    const auto regression = fitLogistic(shadow.features, shadow.members);
    const double threshold =
        bestThreshold(scoredCases(regression(shadow.features), shadow.members, shadow.authors));
    // Only authors with users of the target are resampled.
    std::map<std::int32_t, std::int32_t> numbers;
    std::vector<std::int32_t> clusters;
    for (const std::int32_t author : target.authors) {
        clusters.push_back(
            numbers.emplace(author, static_cast<std::int32_t>(numbers.size())).first->second);
    }
    return detect(scoredCases(regression(target.features), target.members, clusters), threshold,
                  m_options);
}

Result<AuditResult> Auditor::audit(std::span<const Row> released, const JobContext& job) const {
    const Cases target = casesOf(released, true, 0, job);
    ASSIGN_OR_RETURN(const auto adaptive, shadowCases(released, partOf(job, 0.2, 1.0)));
    AuditResult result;
    result.naive = decide(m_naive, target);
    result.adaptive = decide(adaptive, target);
    result.users = static_cast<std::int64_t>(target.members.size());
    result.members = std::count(target.members.begin(), target.members.end(), std::uint8_t{1});
    return result;
}

}  // namespace epsilens::attack
