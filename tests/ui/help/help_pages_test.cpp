#include "ui/help/help_pages.h"

#include <QRegularExpression>
#include <QSet>

#include "tests/ui/support/ui_test.h"
#include "ui/help/help_topics.h"
#include "ui/release/release_dialog.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/main_window.h"

using namespace epsilens::ui;

class HelpPagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPageHasATitleAndText() {
        for (const QString& id : m_pages.ids()) {
            QVERIFY2(m_pages.section({id, {}}) != nullptr, qPrintable(id));
            QVERIFY(m_pages.markdown(id).size() > 200);
        }
        QVERIFY(m_pages.markdown(QStringLiteral("nowhere")).isEmpty());
    }

    void everyHeadingOfAPageHasAKeyOfItsOwn() {
        QSet<QString> keys;
        for (const HelpSection& section : m_pages.sections()) {
            const QString key = section.page + QLatin1Char('#') + headingKey(section.title);
            QVERIFY2(!keys.contains(key), qPrintable(key));
            keys.insert(key);
        }
    }

    void everyLinkLeadsSomewhere() {
        static const QRegularExpression kLink(QStringLiteral("\\]\\(([^)]*)\\)"));
        int links = 0;
        for (const QString& id : m_pages.ids()) {
            auto found = kLink.globalMatch(m_pages.markdown(id));
            while (found.hasNext()) {
                const QString link = found.next().captured(1);
                const QString topic = topicOfLink(link);
                QVERIFY2(!topic.isEmpty(), qPrintable(link));
                QVERIFY2(m_pages.section(HelpTopic::parse(topic)) != nullptr, qPrintable(link));
                ++links;
            }
        }
        QVERIFY(links > 5);
    }

    void everyControlWithATopicFindsItsSection() {
        const auto window = std::make_unique<MainWindow>();
        const auto widgets = window->findChildren<QWidget*>();
        for (const QWidget* widget : widgets) {
            const QString topic = helpTopicOf(widget);
            QVERIFY2(m_pages.section(HelpTopic::parse(topic)) != nullptr, qPrintable(topic));
        }
        const auto* epsilon = window->findChild<QWidget*>(QStringLiteral("epsilonSlider"));
        QVERIFY(epsilon != nullptr);
        QCOMPARE(m_pages.section(HelpTopic::parse(helpTopicOf(epsilon)))->title,
                 QStringLiteral("ε step by step"));
        QCOMPARE(helpTopicOf(nullptr), QStringLiteral("start"));
    }

    void everyNameWithATopicIsThatOfSomething() {
        const auto window = std::make_unique<MainWindow>();
        const ReleaseDialog release(window->state(), window->limits(), window->jobs(),
                                    window->setup().guarantee());
        const QStringList names = controlsWithTopics();
        for (const QString& name : names) {
            bool found = false;
            for (const QWidget* top : {static_cast<const QWidget*>(window.get()),
                                       static_cast<const QWidget*>(&release)}) {
                found =
                    found || top->objectName() == name || top->findChild<QWidget*>(name) != nullptr;
            }
            QVERIFY2(found, qPrintable(name));
        }
    }

private:
    HelpPages m_pages;
};

EPSILENS_UI_TEST(HelpPagesTest)
#include "help_pages_test.moc"
