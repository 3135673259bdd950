#include "ui/release/release_text.h"

#include <algorithm>
#include <cmath>

#include <QDir>
#include <QFileInfo>

#include "core/base/bound_text.h"
#include "core/mechanism/guarantee.h"
#include "core/report/memo_words.h"
#include "core/report/odds_text.h"
#include "ui/release/release_dialog.h"
#include "ui/state/analysis_state.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/mechanism_view.h"
#include "ui/state/word.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"

namespace epsilens::ui {

namespace {

/// Neither 0 nor 100 unless that is so.
QString percentOf(std::int64_t part, std::int64_t all) {
    constexpr double kHundred = 100.0;
    const double percent = kHundred * static_cast<double>(part) / static_cast<double>(all);
    if (percent < 1.0) {
        return ReleaseDialog::tr("under 1%");
    }
    if (part < all && percent > kHundred - 1.0) {
        return ReleaseDialog::tr("over 99%");
    }
    return ReleaseDialog::tr("%1%").arg(report::percentUnknown(percent / kHundred));
}

QString wordsText(std::int64_t words) {
    return words == 1 ? ReleaseDialog::tr("1 word")
                      : ReleaseDialog::tr("%1 words").arg(counted(words));
}

QString sizeOf(const release::TextSurvey& survey, bool isTable) {
    const std::int64_t parts = isTable ? survey.records : survey.counts.lines;
    const QString of = isTable && parts == 1 ? ReleaseDialog::tr("1 row")
                       : isTable             ? ReleaseDialog::tr("%1 rows").arg(counted(parts))
                       : parts == 1          ? ReleaseDialog::tr("1 line")
                                             : ReleaseDialog::tr("%1 lines").arg(counted(parts));
    return ReleaseDialog::tr("%1 in %2").arg(wordsText(survey.counts.words), of);
}

}  // namespace

QString releaseSettingText(const AnalysisState& state) {
    if (state.embedding() == nullptr) {
        return {};
    }
    return ReleaseDialog::tr(
               "Each word is replaced by a random word of %1: %2. The random numbers come from "
               "the operating system, fresh for every word, so that nobody can repeat the release.")
        .arg(toQString(state.embedding()->embedding.name),
             ReleaseDialog::tr("%1, ε = %2")
                 .arg(shortTitle(state.mechanism()), shortest(state.epsilon())));
}

QString releaseUnprotectedText(const TextPolicies& policies, bool hasStopWords, bool isWholeTable) {
    QStringList lines;
    if (isWholeTable) {
        lines << ReleaseDialog::tr(
            "⚠ This is a table. Unless you name columns above, all of it is processed: headings, "
            "labels and numbers too.");
    }
    if (policies.unknownWords == release::UnknownPolicy::keep) {
        lines << ReleaseDialog::tr(
            "⚠ Unknown words stay as they are: names, numbers and addresses too.");
    }
    if (hasStopWords) {
        lines << ReleaseDialog::tr("⚠ Stop words stay as they are.");
    }
    lines << ReleaseDialog::tr(
        "Not protected: how many words there are and in which order, which of them are "
        "unknown, spacing, punctuation and letter case.");
    return lines.join(QLatin1Char('\n'));
}

QString surveyText(const release::TextSurvey& survey, release::UnknownPolicy unknown,
                   bool isTable) {
    const release::ReleaseCounts& counts = survey.counts;
    const QString size = sizeOf(survey, isTable);
    const std::int64_t unknownWords = counts.words - counts.replaced - counts.stopWords;
    if (counts.words == 0) {
        return ReleaseDialog::tr("%1: nothing to release.").arg(size);
    }
    QString text = ReleaseDialog::tr("%1, none of them unknown.").arg(size);
    if (unknownWords > 0) {
        text = ReleaseDialog::tr("%1. %2 of the words are unknown and %3, most often: %4%5.")
                   .arg(size, percentOf(unknownWords, counts.words), fateOfUnknown(unknown),
                        mostUnknownText(survey),
                        survey.isUnknownPartial
                            ? ReleaseDialog::tr(" (among the first %1 different ones)")
                                  .arg(counted(survey.differentUnknown))
                            : QString());
    }
    if (counts.stopWords > 0) {
        text += ReleaseDialog::tr(" Stop words that would stay as they are: %1.")
                    .arg(percentOf(counts.stopWords, counts.words));
    }
    if (const QString warning = commonUnknownWarning(survey, unknown); !warning.isEmpty()) {
        text += QLatin1Char('\n') + warning;
    }
    return text;
}

QString inputInDanger(const QStringList& read, const QStringList& written) {
    for (const QString& path : read) {
        const QFileInfo file(path);
        if (file.isFile() && std::any_of(written.begin(), written.end(), [&](const QString& place) {
                return file == QFileInfo(place);
            })) {
            return file.fileName();
        }
    }
    return {};
}

QString releaseReplacementText(const QStringList& paths) {
    QStringList there;
    for (const QString& path : paths) {
        if (const QFileInfo file(path); file.isFile()) {
            there << file.fileName();
        }
    }
    return there.isEmpty() ? QString()
                           : ReleaseDialog::tr("replaces the existing file %1")
                                 .arg(there.join(ReleaseDialog::tr(" and ")));
}

QString releasePromiseText(const GuaranteeModel& guarantee, double epsilon,
                           std::int64_t lineWords) {
    const auto loss = guarantee.lossAt(epsilon);
    if (!loss) {
        return {};
    }
    constexpr int kDigits = 3;
    const auto isUseful = [](double of) { return std::exp(of) <= mechanism::kLargestUsefulFactor; };
    QStringList lines;
    if (!isUseful(*loss)) {
        const auto reach =
            mechanism::protectionRadius(guarantee.guarantee().value_or(mechanism::Guarantee{}),
                                        mechanism::kLargestUsefulFactor);
        lines << ReleaseDialog::tr(
                     "⚠ No useful bound for %1 against %2: the odds could change by up to %3. For "
                     "words at most %4 apart they change by at most ×%5.")
                     .arg(guarantee.firstWord(), guarantee.secondWord(), powerOfTen(*loss),
                          toQString(formatAtLeast(reach.value_or(0.0), kDigits)),
                          toQString(report::factorAtMost(mechanism::kLargestUsefulFactor)));
    }
    const double ofLine = *loss * static_cast<double>(lineWords);
    if (lineWords > 0 && isUseful(ofLine)) {
        lines << ReleaseDialog::tr(
                     "Longest line, %1: against one whose words are all as different as %2 and %3, "
                     "the odds change by at most ×%4.")
                     .arg(wordsText(lineWords), guarantee.firstWord(), guarantee.secondWord(),
                          toQString(report::factorAtMost(std::exp(ofLine))));
    } else if (lineWords > 0) {
        lines << ReleaseDialog::tr(
                     "⚠ Longest line, %1: no useful bound. Losses add up; against one whose words "
                     "are all as different as %2 and %3, the odds could change by up to %4.")
                     .arg(wordsText(lineWords), guarantee.firstWord(), guarantee.secondWord(),
                          powerOfTen(ofLine));
    }
    return lines.join(QLatin1Char('\n'));
}

QString suggestedOutput(const QString& input) {
    const QFileInfo info(input);
    const QString ending = info.suffix().isEmpty() ? QString() : QLatin1Char('.') + info.suffix();
    return QDir(remembered::outputFolder())
        .filePath(info.completeBaseName() + QStringLiteral(".released") + ending);
}

Notice releaseRefusal(const Error& error) {
    Notice notice = noticeFor(error);
    notice.text.replace(QStringLiteral("--data-format"), ReleaseDialog::tr("the table format"));
    if (error.remedy == Remedy::givenFormat) {
        notice.text +=
            ReleaseDialog::tr(" (or choose another encoding above, or replace damaged places)");
    }
    return notice;
}

std::vector<std::string> columnNames(const QString& typed) {
    std::vector<std::string> names;
    const QStringList parts = typed.split(QLatin1Char(','));
    for (const QString& part : parts) {
        if (const QString name = part.trimmed(); !name.isEmpty()) {
            names.push_back(toStd(name));
        }
    }
    return names;
}

}  // namespace epsilens::ui
