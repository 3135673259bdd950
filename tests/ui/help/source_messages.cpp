#include "tests/ui/help/source_messages.h"

#include <QDirIterator>
#include <QRegularExpression>

#include "tests/ui/support/ui_test.h"

namespace epsilens::test {

namespace {

/// Where the literal ends that begins at a place.
qsizetype endOfLiteral(const QString& text, qsizetype begin) {
    qsizetype at = begin + 1;
    while (at < text.size() && text.at(at) != QLatin1Char('"')) {
        at += text.at(at) == QLatin1Char('\\') ? 2 : 1;
    }
    return at;
}

/// Where a bracket that is open at a place is closed; literals are passed over.
qsizetype endOfBracket(const QString& text, qsizetype from) {
    int depth = 1;
    for (qsizetype at = from; at < text.size(); ++at) {
        const QChar character = text.at(at);
        if (character == QLatin1Char('"')) {
            at = endOfLiteral(text, at);
        } else if (QStringLiteral("({").contains(character)) {
            ++depth;
        } else if (QStringLiteral(")}").contains(character) && --depth == 0) {
            return at;
        }
    }
    return text.size();
}

/// Without what stands in braces: the buttons of a notice.
QString withoutBraces(const QString& arguments) {
    QString rest;
    for (qsizetype at = 0; at < arguments.size(); ++at) {
        const qsizetype begin = at;
        if (arguments.at(at) == QLatin1Char('"')) {
            at = endOfLiteral(arguments, at);
        } else if (arguments.at(at) == QLatin1Char('{')) {
            at = endOfBracket(arguments, at + 1);
            continue;
        }
        rest += arguments.mid(begin, at + 1 - begin);
    }
    return rest;
}

/// Whether a literal is a sentence: three words at least, beside the values put into it. Others are
/// pieces of one.
bool isSentence(const QString& literal) {
    static const QRegularExpression kWord(QStringLiteral("\\b[^\\W\\d_]+\\b"));
    constexpr int kFewestWords = 3;
    int words = 0;
    auto found = kWord.globalMatch(literal);
    while (found.hasNext()) {
        found.next();
        ++words;
    }
    return words >= kFewestWords;
}

/// The sentences in a piece of code.
QStringList literalsOf(const QString& code) {
    static const QRegularExpression kLiteral(QStringLiteral("\"((?:[^\"\\\\]|\\\\.)*)\""));
    QStringList literals;
    auto found = kLiteral.globalMatch(code);
    while (found.hasNext()) {
        const QString literal =
            found.next().captured(1).replace(QLatin1String("\\\""), QLatin1String("\""));
        if (isSentence(literal)) {
            literals.append(literal);
        }
    }
    return literals;
}

/// The literals in the arguments behind each place that a pattern finds.
QStringList literalsBehind(const QString& text, const QRegularExpression& pattern) {
    QStringList literals;
    auto places = pattern.globalMatch(text);
    while (places.hasNext()) {
        const qsizetype begin = places.next().capturedEnd();
        literals += literalsOf(withoutBraces(text.mid(begin, endOfBracket(text, begin) - begin)));
    }
    return literals;
}

/// The literals in the bodies of the member functions of a name that take nothing.
QStringList literalsOfBody(const QString& text, const QString& name) {
    const QRegularExpression head(QStringLiteral("\\b%1\\(\\) const \\{").arg(name));
    QStringList literals;
    auto places = head.globalMatch(text);
    while (places.hasNext()) {
        const qsizetype begin = places.next().capturedEnd();
        literals += literalsOf(text.mid(begin, endOfBracket(text, begin) - begin));
    }
    return literals;
}

/// What a constant or a function that stands in the place of a text says.
QStringList literalsByName(const QString& text) {
    static const QRegularExpression kNamed(
        QStringLiteral("ErrorCode::\\w+,\\s*(\\w+)(\\(\\))?\\)"));
    QStringList literals;
    auto places = kNamed.globalMatch(text);
    while (places.hasNext()) {
        const auto place = places.next();
        if (place.capturedLength(2) > 0) {
            literals += literalsOfBody(text, place.captured(1));
        } else {
            const QRegularExpression constant(
                QStringLiteral("\\b%1 =\\s*(\"[^\"]*\")").arg(place.captured(1)));
            literals += literalsOf(constant.match(text).captured(1));
        }
    }
    return literals;
}

/// Calls of the functions of the file that make errors, and of those that complain of a row or an
/// option.
QStringList literalsOfMakers(const QString& text) {
    static const QRegularExpression kMaker(
        QStringLiteral("\\bError>? (\\w+)\\(|\\b(skip|refused)\\("));
    QStringList names;
    auto makers = kMaker.globalMatch(text);
    while (makers.hasNext()) {
        const auto maker = makers.next();
        const QString name = maker.captured(1) + maker.captured(2);
        // What exactly is damaged makes no difference to what can be done.
        if (!name.startsWith(QStringLiteral("damaged"))) {
            names.append(name);
        }
    }
    names.removeDuplicates();
    QStringList literals;
    for (const QString& name : names) {
        literals += literalsBehind(text, QRegularExpression(QStringLiteral("\\b%1\\(").arg(name)));
    }
    return literals;
}

}  // namespace

QString sourceText(const QString& path) {
    static const QRegularExpression kBetweenParts(QStringLiteral("\"\\s*\\n\\s*\""));
    return QString::fromUtf8(contentOf(path)).remove(kBetweenParts);
}

QStringList messagesOfSources(const QString& folder) {
    static const QRegularExpression kText(
        QStringLiteral("(?:ErrorCode|Severity)::\\w+,|\\b(?:complain|invalidArgument)\\("));
    QStringList messages;
    QDirIterator files(folder, {QStringLiteral("*.cpp")}, QDir::Files);
    while (files.hasNext()) {
        const QString text = sourceText(files.next());
        messages += literalsBehind(text, kText) + literalsByName(text) + literalsOfMakers(text) +
                    literalsOfBody(text, QStringLiteral("obstacle"));
    }
    messages.removeDuplicates();
    return messages;
}

}  // namespace epsilens::test
