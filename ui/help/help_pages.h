#pragma once

#include <vector>

#include <QList>
#include <QString>
#include <QStringList>

namespace epsilens::ui {

/// A place in the help: "page" or "page#heading", with headings as headingKey() names them:
/// "terms#λ-lambda".
struct HelpTopic {
    QString page{};
    QString heading{};  ///< empty for the top of the page

    [[nodiscard]] static HelpTopic parse(const QString& text);
};

/// A heading of a page.
struct HelpSection {
    QString page{};  ///< id
    QString title{};
    qsizetype level = 1;  ///< 1 for the page itself
};

/// The pages of the help, from the resources of the program.
class HelpPages {
public:
    HelpPages();

    /// In the order of the list of pages.
    [[nodiscard]] const QStringList& ids() const { return m_ids; }
    /// Markdown of a page; empty for an unknown one.
    [[nodiscard]] static QString markdown(const QString& id);
    [[nodiscard]] const std::vector<HelpSection>& sections() const { return m_sections; }
    /// The section of a topic; null when there is none.
    [[nodiscard]] const HelpSection* section(const HelpTopic& topic) const;

private:
    QStringList m_ids;
    std::vector<HelpSection> m_sections;
};

/// How a topic names a heading: its words in lower case, joined: "ε-epsilon" for "ε, epsilon".
[[nodiscard]] QString headingKey(const QString& title);

}  // namespace epsilens::ui
