#include "ui/present/presentation_text.h"

#include <algorithm>

#include <QCoreApplication>
#include <QStringList>

#include "core/report/limit_words.h"
#include "ui/dial/dial_model.h"
#include "ui/live/attacker_guesses.h"
#include "ui/live/live_model.h"
#include "ui/state/analysis_state.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Presentation", text);
}

/// Paragraphs of rich texts, without the empty ones.
QString paragraphs(QStringList texts) {
    texts.removeAll(QString());
    return texts.isEmpty() ? QString()
                           : QStringLiteral("<p>%1</p>").arg(texts.join(QStringLiteral("</p><p>")));
}

/// The sampled sentence with the words that changed in bold.
QString markedText(const live::SampledSentence& sentence) {
    QString marked;
    int done = 0;
    for (const live::SampledWord& word : sentence.words) {
        marked += sentence.text.mid(done, word.begin - done).toHtmlEscaped();
        const QString output = sentence.text.mid(word.begin, word.length).toHtmlEscaped();
        marked +=
            output == word.typed.toHtmlEscaped() ? output : QStringLiteral("<b>%1</b>").arg(output);
        done = word.begin + word.length;
    }
    return marked + sentence.text.mid(done).toHtmlEscaped();
}

QString textStep(const live::LiveModel& live) {
    const QString& sentence = live.state().sentence();
    if (sentence.trimmed().isEmpty()) {
        return paragraphs({tr("No text has been typed on Choose.")});
    }
    return paragraphs({tr("What was written: %1").arg(sentence.toHtmlEscaped()),
                       tr("What is released, for example: %1").arg(markedText(live.output()))});
}

QString guessText(const live::LiveModel& live, const live::AttackerGuesses& guesses) {
    const auto shown = guesses.shownFor(live.output());
    if (!shown || shown->empty() ||
        std::any_of(shown->begin(), shown->end(),
                    [](const live::ShownGuess& guess) { return guess.text.isEmpty(); })) {
        return {};
    }
    const auto right = std::count_if(shown->begin(), shown->end(),
                                     [](const live::ShownGuess& guess) { return guess.isRight; });
    return tr("Of the %1 words of the example an attacker guesses %2.")
        .arg(counted(static_cast<qint64>(shown->size())), counted(right));
}

QString limitsStep(DialModel& dial) {
    QStringList texts;
    for (const calibration::Limit& limit : dial.state().limits()) {
        texts.append(toQString(report::limitWords(limit, dial.state().draws())).toHtmlEscaped());
    }
    if (texts.isEmpty()) {
        return paragraphs({tr("No limits are set.")});
    }
    texts.append(QStringLiteral("<b>%1</b>").arg(dial.reading().limits.toHtmlEscaped()));
    return paragraphs(texts);
}

}  // namespace

QString presentationTitle(PresentationStep step) {
    switch (step) {
        case PresentationStep::text:
            return tr("The text");
        case PresentationStep::leaks:
            return tr("What leaks");
        case PresentationStep::promise:
            return tr("What is promised");
        case PresentationStep::limits:
            return tr("The limits");
        case PresentationStep::choice:
            break;
    }
    return tr("The choice");
}

QString presentationText(PresentationStep step, DialModel& dial, const live::LiveModel& live,
                         const live::AttackerGuesses& guesses) {
    const DialReading& reading = dial.reading();
    switch (step) {
        case PresentationStep::text:
            return textStep(live);
        case PresentationStep::leaks:
            return paragraphs({reading.survive.toHtmlEscaped(), reading.replaced.toHtmlEscaped(),
                               guessText(live, guesses), reading.attacker});
        case PresentationStep::promise:
            return paragraphs({reading.promise});
        case PresentationStep::limits:
            return limitsStep(dial);
        case PresentationStep::choice:
            break;
    }
    const mechanism::Setting setting = dial.state().setting();
    return paragraphs({tr("%1, ε = %2")
                           .arg(shortTitle(setting.mechanism), shortest(setting.epsilon))
                           .toHtmlEscaped(),
                       QStringLiteral("<b>%1</b>").arg(reading.survive.toHtmlEscaped()),
                       reading.promise});
}

}  // namespace epsilens::ui
