#include "ui/help/help_pages.h"

#include <algorithm>

#include <QFile>
#include <QRegularExpression>

namespace epsilens::ui {

HelpTopic HelpTopic::parse(const QString& text) {
    return {text.section(QLatin1Char('#'), 0, 0), text.section(QLatin1Char('#'), 1)};
}

QString headingKey(const QString& title) {
    static const QRegularExpression kBetweenWords(QStringLiteral("\\W+"),
                                                  QRegularExpression::UseUnicodePropertiesOption);
    return title.toLower().split(kBetweenWords, Qt::SkipEmptyParts).join(QLatin1Char('-'));
}

HelpPages::HelpPages()
    : m_ids{QStringLiteral("start"),    QStringLiteral("terms"),      QStringLiteral("choosing"),
            QStringLiteral("tradeoff"), QStringLiteral("guarantees"), QStringLiteral("limits"),
            QStringLiteral("report"),   QStringLiteral("messages"),   QStringLiteral("keys")} {
    static const QRegularExpression kHeading(QStringLiteral("^(#+) (.*)$"),
                                             QRegularExpression::MultilineOption);
    for (const QString& id : std::as_const(m_ids)) {
        const QString text = markdown(id);
        for (auto found = kHeading.globalMatch(text); found.hasNext();) {
            const auto heading = found.next();
            m_sections.push_back({id, heading.captured(2), heading.capturedLength(1)});
        }
    }
}

QString HelpPages::markdown(const QString& id) {
    QFile file(QStringLiteral(":/help/%1.md").arg(id));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

const HelpSection* HelpPages::section(const HelpTopic& topic) const {
    const auto found = std::find_if(m_sections.begin(), m_sections.end(), [&](const auto& section) {
        return section.page == topic.page &&
               (topic.heading.isEmpty()
                    ? section.level == 1
                    : section.level > 1 && headingKey(section.title) == topic.heading);
    });
    return found == m_sections.end() ? nullptr : &*found;
}

}  // namespace epsilens::ui
