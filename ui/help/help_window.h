#pragma once

#include <memory>
#include <vector>

#include <QStringList>
#include <QTextDocument>
#include <QWidget>

class QListWidget;
class QTextBrowser;
class QToolButton;

namespace epsilens::ui {

/// "page" or "page#heading", with headings as headingKey() names them: "terms#λ-lambda".
struct HelpTopic {
    QString page{};
    QString heading{};  ///< empty for the top of the page

    [[nodiscard]] static HelpTopic parse(const QString& text);
    [[nodiscard]] bool operator==(const HelpTopic&) const = default;
};

struct HelpSection {
    QString page{};  ///< id
    QString title{};
    qsizetype level = 1;  ///< 1 for the page itself
};

/// How a topic names a heading: its words in lower case, joined: "ε-epsilon" for "ε, epsilon".
[[nodiscard]] QString headingKey(const QString& title);
[[nodiscard]] QString helpMarkdown(const QString& id);
[[nodiscard]] const std::vector<HelpSection>& helpSections();
[[nodiscard]] const HelpSection* helpSection(const HelpTopic& topic);

[[nodiscard]] QString helpTopicOf(const QWidget* widget);
[[nodiscard]] QStringList controlsWithTopics();
[[nodiscard]] QString topicOfLink(const QString& link);

/// The pages of the help, in a window of their own.
class HelpWindow : public QWidget {
    Q_OBJECT

public:
    explicit HelpWindow(QWidget* parent = nullptr);

    void showTopic(const QString& topic);
    void bringUp(const QString& topic);
    [[nodiscard]] QString shownPage() const { return m_shown.page; }

protected:
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QWidget* buildSide();
    void display(const HelpTopic& topic);
    void scrollToHeading();

    QListWidget* m_list;
    QToolButton* m_back;
    QTextBrowser* m_text;
    std::unique_ptr<QTextDocument> m_document;  ///< of the page shown
    HelpTopic m_shown;
    QList<HelpTopic> m_before;
};

/// Brings the help of what asks, a window or a dialog, to the front: a dialog blocks every window
/// that is not its own.
void showHelp(QWidget& asking, const QString& topic);

}  // namespace epsilens::ui
