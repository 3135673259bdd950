#include "ui/state/unknown_words.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <QCoreApplication>
#include <QStringList>

#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr std::size_t kShownUnknown = 5;

QString tr(const char* text) {
    return QCoreApplication::translate("UnknownWords", text);
}

QString shortened(std::string_view word) {
    constexpr int kMostLetters = 24;
    const QString all = toQString(word);
    return all.size() > kMostLetters ? all.left(kMostLetters) + QChar(0x2026) : all;
}

}  // namespace

QString fateOfUnknown(release::UnknownPolicy policy) {
    switch (policy) {
        case release::UnknownPolicy::mask:
            return tr("would be masked");
        case release::UnknownPolicy::random:
            return tr("would be replaced by any word");
        case release::UnknownPolicy::drop:
            return tr("would be left out");
        case release::UnknownPolicy::keep:
            break;
    }
    return tr("would stay as they are, unprotected");
}

QString mostUnknownText(const release::TextSurvey& survey) {
    QStringList words;
    for (const release::WordCount& unknown :
         std::span(survey.mostUnknown).first(std::min(kShownUnknown, survey.mostUnknown.size()))) {
        words << tr("%1 (%2)").arg(shortened(unknown.word), counted(unknown.count));
    }
    return words.join(tr(", "));
}

QString commonUnknownWarning(const release::TextSurvey& survey, release::UnknownPolicy policy) {
    const QString fate = fateOfUnknown(policy);
    const std::vector<release::WordCount> common = survey.commonUnknown();
    QStringList names;
    std::int64_t times = 0;
    for (const release::WordCount& word : common) {
        times += word.count;
        if (static_cast<std::size_t>(names.size()) < kShownUnknown) {
            names << tr("“%1”").arg(shortened(word.word));
        }
    }
    if (common.size() > kShownUnknown) {
        names << tr("%1 more").arg(counted(static_cast<qint64>(common.size() - kShownUnknown)));
    }
    if (common.empty()) {
        return {};
    }
    const QString question = tr("is this the right embedding or letter case?");
    return common.size() == 1 ? tr("⚠ %1, a common word of this text, is unknown and %2, %3 times: "
                                   "%4")
                                    .arg(names.front(), fate, counted(times), question)
                              : tr("⚠ %1 are common words of this text, unknown, and %2, %3 times "
                                   "in all: %4")
                                    .arg(names.join(tr(", ")), fate, counted(times), question);
}

}  // namespace epsilens::ui
