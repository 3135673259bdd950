#include "core/attack/model_audit.h"

#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "core/base/parallel.h"
#include "core/corpus/streams.h"

namespace epsilens::attack {
namespace {

// Ranks 1, 2 to 3, 4 to 7, … share a bin.
Eigen::Index binOf(std::int64_t rank) {
    return static_cast<Eigen::Index>(std::bit_width(static_cast<std::uint64_t>(rank))) - 1;
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

}  // namespace

void cutIntoUsers(UserTexts& texts, std::span<const std::int32_t> documentAuthors,
                  std::int32_t size) {
    texts.users.assign(documentAuthors.size(), -1);
    std::map<std::int32_t, std::vector<std::size_t>> open;
    for (std::size_t document = 0; document < documentAuthors.size(); ++document) {
        const std::int32_t author = documentAuthors[document];
        if (author < 0) {
            continue;
        }
        std::vector<std::size_t>& documents = open[author];
        documents.push_back(document);
        if (static_cast<std::int32_t>(documents.size()) == size) {
            for (const std::size_t member : documents) {
                texts.users[member] = static_cast<std::int32_t>(texts.authors.size());
            }
            texts.authors.push_back(author);
            documents.clear();
        }
    }
}

Result<Auditor> Auditor::create(const UserTexts& texts, const BootstrapOptions& options,
                                const JobContext& job) {
    Auditor auditor(texts, options);
    RETURN_IF_ERROR(auditor.splitAuthors());
    ASSIGN_OR_RETURN(auditor.m_naive, auditor.casesOf(texts.words, kAuditor, job));
    return auditor;
}

// Authors with fewer than two users cannot be split and stay the auditor's.
Result<void> Auditor::splitAuthors() {
    const std::vector<std::int32_t>& authors = m_texts->authors;
    std::map<std::size_t, int> users;
    for (const std::int32_t author : authors) {
        ++users[static_cast<std::size_t>(author)];
    }
    const std::size_t count = users.empty() ? 0 : users.rbegin()->first + 1;
    std::vector<std::size_t> divisible;
    for (const std::size_t author : shuffledIndices(count, {m_options.seed, corpus::kUserSplits})) {
        if (users[author] >= 2) {
            divisible.push_back(author);
        }
    }
    if (divisible.size() < 2) {
        return fail(ErrorCode::unsupported,
                    fmt::format("the audit cuts the documents of each author into users of {}: the "
                                "audit needs two authors with texts for two users each",
                                kUserDocuments));
    }
    divisible.resize(divisible.size() / 2);
    std::map<std::int32_t, std::int32_t> numbers;
    for (std::size_t user = 0; user < authors.size(); ++user) {
        const bool isTarget =
            std::ranges::count(divisible, static_cast<std::size_t>(authors[user])) > 0;
        m_users.at(isTarget ? kTarget : kAuditor).push_back(static_cast<std::int32_t>(user));
        if (isTarget) {
            const auto number = static_cast<std::int32_t>(numbers.size());
            m_clusters.push_back(numbers.emplace(authors[user], number).first->second);
        }
    }
    return {};
}

Result<Auditor::Cases> Auditor::casesOf(std::span<const Row> trainingWords, Side side,
                                        const JobContext& job) const {
    const std::size_t models = side == kTarget ? 1 : 4;
    const std::vector<std::int32_t>& users = m_users.at(side);
    const std::size_t all = m_texts->authors.size();
    Cases cases;
    cases.features.setZero(static_cast<Eigen::Index>(models * users.size()),
                           binOf(m_texts->vocabularySize) + 1);
    cases.members.resize(models * users.size());
    const auto ask = [&](int, std::size_t model) {
        std::vector<std::uint8_t> isIn(all);
        std::map<std::int32_t, int> seen;  // of each author
        const auto stream = static_cast<std::uint32_t>(side == kTarget ? 1 : model + 2);
        for (const std::size_t user :
             shuffledIndices(all, {m_options.seed, corpus::kUserSplits, 0, stream})) {
            if (std::ranges::binary_search(users, static_cast<std::int32_t>(user))) {
                isIn[user] = seen[m_texts->authors[user]]++ % 2 == 0 ? 1 : 0;
            }
        }
        const std::size_t first = model * users.size();
        for (std::size_t i = 0; i < users.size(); ++i) {
            cases.members[first + i] = isIn[static_cast<std::size_t>(users[i])];
        }
        const BigramModel languageModel = modelOf(*m_texts, trainingWords, isIn);
        for (std::size_t line = 0; line < m_texts->users.size() && !job.stopRequested(); ++line) {
            const auto user = std::ranges::lower_bound(users, m_texts->users[line]);
            if (user == users.end() || *user != m_texts->users[line]) {
                continue;
            }
            auto histogram =
                cases.features.row(static_cast<Eigen::Index>(first) + (user - users.begin()));
            Row previous = kUnknownWord;
            for (std::size_t token = lineBegin(*m_texts, line); token < m_texts->lineEnds[line];
                 ++token) {
                const Row word = m_texts->words[token];
                if (word != kUnknownWord) {
                    histogram[binOf(languageModel.rank(previous, word))] += 1.0;
                }
                previous = word;
            }
        }
    };
    RETURN_IF_ERROR(inParallel(
        models, m_options.threads, "Shadow models", job, [](int) { return 0; }, ask));
    for (auto histogram : cases.features.rowwise()) {
        histogram /= std::max(histogram.sum(), 1.0);
    }
    return cases;
}

void Auditor::decide(const Cases& shadow, const Cases& target, const std::string& path,
                     Findings& findings) const {
    const auto regression = fitLogistic(shadow.features, shadow.members);
    const double threshold =
        bestThreshold(scoredCases(regression(shadow.features), shadow.members));
    // Only authors with users of the target are resampled.
    detect(scoredCases(regression(target.features), target.members, m_clusters), threshold,
           m_options, path, findings);
}

Result<Findings> Auditor::audit(std::span<const Row> released, const JobContext& job) const {
    ASSIGN_OR_RETURN(const Cases target, casesOf(released, kTarget, {job.stop}));
    ASSIGN_OR_RETURN(const Cases adaptive, casesOf(released, kAuditor, partOf(job, 0.2, 1.0)));
    Findings findings;
    decide(adaptive, target, "adaptive.", findings);
    decide(m_naive, target, "", findings);
    findings.add("users", static_cast<double>(target.members.size()));
    findings.add("members", static_cast<double>(std::ranges::count(target.members, 1)));
    return findings;
}

}  // namespace epsilens::attack
