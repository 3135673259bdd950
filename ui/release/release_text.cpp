#include "ui/release/release_text.h"

#include <algorithm>

#include <QDir>
#include <QFileInfo>
#include <QStringList>

#include "ui/release/release_dialog.h"
#include "ui/state/analysis_state.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"

namespace epsilens::ui {

namespace {

/// "λ = 0.5", "γ = 1.2"; what a mechanism goes by besides ε.
QStringList parametersOf(const mechanism::Mechanism& mechanism) {
    QStringList parts;
    const mechanism::Parameters own = mechanism.parameters();
    if (own.metric) {
        parts << ReleaseDialog::tr("distance %1").arg(metricTitle(*own.metric));
    }
    if (own.lambda) {
        parts << ReleaseDialog::tr("λ = %1").arg(shortest(*own.lambda));
    }
    if (own.gamma) {
        parts << ReleaseDialog::tr("γ = %1").arg(shortest(*own.gamma));
    }
    if (own.beta) {
        parts << ReleaseDialog::tr("β = %1").arg(shortest(*own.beta));
    }
    if (own.law) {
        parts << (*own.law == mechanism::RadialLaw::eq7 ? ReleaseDialog::tr("noise by Eq. 7")
                                                        : ReleaseDialog::tr("Riemannian noise"));
    }
    return parts;
}

}  // namespace

QString releaseSettingText(const AnalysisState& state) {
    if (state.embedding() == nullptr) {
        return {};
    }
    QStringList parts{ReleaseDialog::tr("ε = %1").arg(shortest(state.epsilon()))};
    parts += parametersOf(state.mechanism());
    return ReleaseDialog::tr(
               "Each word is replaced by a random word of %1: %2, %3. The random numbers come from "
               "the operating system, fresh for every word, so that nobody can repeat the release.")
        .arg(toQString(state.embedding()->embedding.name), mechanismTitle(state.mechanism()),
             parts.join(QStringLiteral(", ")));
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

namespace {

/// How many words the mechanism has drawn, and how many of these are the same as before.
QString drawnSentence(const release::ReleaseCounts& counts, std::int64_t same) {
    const QString words =
        counts.replaced < counts.words ? ReleaseDialog::tr("%1 of %2 words drawn by the mechanism")
                                             .arg(counted(counts.replaced), counted(counts.words))
        : counts.words == 1
            ? ReleaseDialog::tr("1 word drawn by the mechanism")
            : ReleaseDialog::tr("%1 words drawn by the mechanism").arg(counted(counts.words));
    return same == 1 ? ReleaseDialog::tr("%1; 1 of them came out unchanged.").arg(words)
                     : ReleaseDialog::tr("%1; %2 of them came out unchanged.")
                           .arg(words, same == 0 ? ReleaseDialog::tr("none") : counted(same));
}

/// What became of the others: "Not drawn: 12 unknown words masked."; empty where there are none.
QString othersSentence(const release::ReleaseCounts& counts) {
    QStringList parts;
    const auto add = [&parts](std::int64_t count, const QString& what) {
        if (count > 0) {
            parts << what.arg(counted(count));
        }
    };
    add(counts.masked, ReleaseDialog::tr("%1 unknown masked"));
    add(counts.random, ReleaseDialog::tr("%1 unknown replaced by any word"));
    add(counts.dropped, ReleaseDialog::tr("%1 unknown dropped"));
    add(counts.kept, ReleaseDialog::tr("⚠ %1 unknown left as they are"));
    add(counts.stopWords, ReleaseDialog::tr("⚠ %1 stop words left as they are"));
    return parts.isEmpty()
               ? QString()
               : ReleaseDialog::tr(" Not drawn: %1.").arg(parts.join(QStringLiteral(", ")));
}

}  // namespace

ReleaseOutcomeText releaseOutcomeText(const report::ReleaseReport& report) {
    const release::ReleaseCounts& counts = report.counts;
    ReleaseOutcomeText text;
    text.summary = drawnSentence(counts, report.end.unchanged) + othersSentence(counts);
    QStringList others;
    for (const report::ReleaseRemark& remark : report::releaseRemarks(report)) {
        if (remark.isWarning) {
            text.details << QStringLiteral("⚠ ") + toQString(remark.text);
        } else {
            others << toQString(remark.text);
        }
    }
    text.warnings = static_cast<int>(text.details.size());
    text.details += others;
    return text;
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

std::string absolutePath(const QString& named) {
    return named.isEmpty() ? std::string() : toStdPath(QFileInfo(named).absoluteFilePath());
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

QString sidecarFor(const QString& output) {
    return output + QStringLiteral(".json");
}

}  // namespace epsilens::ui
