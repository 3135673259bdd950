#include "core/attack/model_audit.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "core/attack/attack_models.h"
#include "core/attack/bigrams.h"
#include "core/base/job_context.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/corpus/streams.h"

namespace epsilens::attack {
namespace {

constexpr std::size_t kShadowModels = 4;

// Ranks 1, 2 to 3, 4 to 7, … share a bin.
std::size_t binOf(std::int64_t rank) {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(rank))) - 1;
}

std::size_t lineBegin(const UserTexts& texts, std::size_t line) {
    return line == 0 ? 0 : texts.lineEnds[line - 1];
}

// A language model of the lines of chosen users.
//
// words  in the place of those of the texts
BigramModel modelOf(const UserTexts& texts, std::span<const Row> words,
                    std::span<const std::uint8_t> isChosen) {
    std::vector<Row> chosen;
    std::vector<std::size_t> lineEnds;
    for (std::size_t line = 0; line < texts.lineEnds.size(); ++line) {
        const std::int32_t user = texts.users[line];
        if (user >= 0 && isChosen[static_cast<std::size_t>(user)] != 0) {
            const std::size_t begin = lineBegin(texts, line);
            const auto some = words.subspan(begin, texts.lineEnds[line] - begin);
            chosen.insert(chosen.end(), some.begin(), some.end());
            lineEnds.push_back(chosen.size());
        }
    }
    return {chosen, lineEnds, texts.vocabularySize};
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
    const auto largest = std::ranges::max_element(m_texts->authors);
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
    std::ranges::sort(asked);
    const BigramModel languageModel = modelOf(*m_texts, trainingWords, isIn);
    Cases cases;
    cases.features.setZero(static_cast<Eigen::Index>(asked.size()),
                           static_cast<Eigen::Index>(binOf(m_texts->vocabularySize)) + 1);
    std::vector<Eigen::Index> caseOf(users, -1);
    for (const std::size_t user : asked) {
        caseOf[user] = static_cast<Eigen::Index>(cases.members.size());
        cases.members.push_back(isIn[user]);
        cases.authors.push_back(m_texts->authors[user]);
    }
    for (std::size_t line = 0; line < m_texts->users.size() && !job.stopRequested(); ++line) {
        const std::int32_t user = m_texts->users[line];
        if (user < 0 || caseOf[static_cast<std::size_t>(user)] < 0) {
            continue;
        }
        auto histogram = cases.features.row(caseOf[static_cast<std::size_t>(user)]);
        Row previous = kUnknownWord;
        for (std::size_t token = lineBegin(*m_texts, line); token < m_texts->lineEnds[line];
             ++token) {
            const Row word = m_texts->words[token];
            if (word != kUnknownWord) {
                const auto bin = binOf(languageModel.rank(previous, word));
                histogram[static_cast<Eigen::Index>(bin)] += 1.0;
            }
            previous = word;
        }
    }
    for (auto histogram : cases.features.rowwise()) {
        histogram /= std::max(histogram.sum(), 1.0);
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

void Auditor::decide(const Cases& shadow, const Cases& target, const std::string& path,
                     Findings& findings) const {
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
    detect(scoredCases(regression(target.features), target.members, clusters), threshold, m_options,
           path, findings);
}

Result<Findings> Auditor::audit(std::span<const Row> released, const JobContext& job) const {
    const Cases target = casesOf(released, true, 0, job);
    ASSIGN_OR_RETURN(const auto adaptive, shadowCases(released, partOf(job, 0.2, 1.0)));
    Findings findings;
    decide(adaptive, target, "adaptive.", findings);
    decide(m_naive, target, "", findings);
    findings.add("users", static_cast<double>(target.members.size()));
    findings.add("members", static_cast<double>(std::ranges::count(target.members, 1)));
    return findings;
}

}  // namespace epsilens::attack
