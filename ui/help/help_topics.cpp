#include "ui/help/help_topics.h"

#include <vector>

#include <QWidget>

namespace epsilens::ui {

namespace {

struct Topic {
    const char* topic;
    std::vector<const char*> controls;
};

/// The topics of controls by their object names.
const std::vector<Topic>& topics() {
    static const std::vector<Topic> all{
        {"choosing#ε-step-by-step",
         {"dialPanel", "epsilonSlider", "epsilonField", "firstLimit", "limitsSection"}},
        {"guarantees#looks-private-promises-little", {"promiseLabel"}},
        {"choosing#λ-step-by-step", {"lambdaSlider", "lambdaField"}},
        {"guarantees", {"mechanismComboBox"}},
        {"terms#draw-and-r", {"drawsField"}},
        {"terms#seed", {"seedField", "newSeedButton"}},
        {"terms#embedding", {"openButton"}},
        {"limits", {"sentenceEdit", "releaseDialog"}},
        {"keys#tables", {"wordFilterLineEdit", "curvesTableView", "wordsTableView"}},
        {"terms#density-sparse-and-dense-words",
         {"wordsPresetComboBox", "computeDensityPushButton"}},
        {"choosing#γ-step-by-step",
         {"metricComboBox", "gammaModeComboBox", "parameterGridLineEdit", "betaSlider", "betaField",
          "gammaSlider", "gammaField"}},
        {"choosing#hyperbolic-noise", {"noiseComboBox"}},
        {"choosing#draws-and-words",
         {"wordsComboBox", "wordCountField", "wordsColumnLineEdit", "wordsFileButton",
          "wordsDensityButton"}},
        {"choosing#which-mechanism", {"mechanismsPage"}},
        {"terms#kept-near-and-far", {"wordTableView", "livePanel"}},
        {"keys#plots", {"nwPlot", "swPlot"}},
        {"report#making-a-report", {"reportTrainedComboBox"}},
        {"limits#the-text-around-the-words",
         {"setupUnknownComboBox", "unknownComboBox", "letterCaseComboBox",
          "setupLetterCaseComboBox", "stopWordsLineEdit"}},
        {"report#typed-text", {"reportSentenceCheckBox"}},
        {"report#formats", {"reportExportPushButton"}},
        {"choosing", {"epsilonGridLineEdit", "setupPanel"}},
        {"messages", {"noticeLine", "logDialog"}},
        {"terms#n_w", {"curvesPanel", "wordsPanel"}},
        {"tradeoff#labelled-data",
         {"openLabelledPushButton", "textColumnLineEdit", "labelColumnLineEdit",
          "authorColumnLineEdit"}},
        {"tradeoff#what-a-text-is-still-good-for", {"utilityPlot"}},
        {"tradeoff#how-often-would-an-attacker-guess-the-word",
         {"reconstructCheckBox", "riskPlot"}},
        {"tradeoff#usefulness-against-risk", {"frontierPlot"}},
        {"tradeoff#more-attackers", {"membershipCheckBox", "authorshipCheckBox", "auditCheckBox"}},
        {"tradeoff", {"tradeOffPanel"}},
        {"terms#mechanism", {"spacePanel"}},
        {"report", {"reportPanel"}},
        {"terms", {"settingBar"}}};
    return all;
}

QString ownTopic(const QWidget& widget) {
    for (const auto& [topic, controls] : topics()) {
        for (const char* control : controls) {
            if (widget.objectName() == QLatin1String(control)) {
                return QString::fromUtf8(topic);
            }
        }
    }
    return {};
}

}  // namespace

QString helpTopicOf(const QWidget* widget) {
    for (; widget != nullptr; widget = widget->parentWidget()) {
        QString topic = ownTopic(*widget);
        if (!topic.isEmpty()) {
            return topic;
        }
    }
    return QStringLiteral("start");
}

QStringList controlsWithTopics() {
    QStringList names;
    for (const auto& [topic, controls] : topics()) {
        for (const char* control : controls) {
            names.append(QLatin1String(control));
        }
    }
    return names;
}

QString topicOfLink(const QString& link) {
    return link.startsWith(QLatin1String("help:")) ? link.section(QLatin1Char(':'), 1) : QString();
}

}  // namespace epsilens::ui
