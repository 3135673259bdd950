#include "ui/state/pin_state.h"

#include <QSignalSpy>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_state.h"

using namespace epsilens;
using namespace epsilens::ui;

class PinStateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsTheMechanismAsItIsUsed() {
        AnalysisState state;
        state.setEmbedding(test::toyEmbedding(), nullptr);
        state.chooseMechanism(mechanism::Laplace());
        state.setEpsilon(12.0);
        const QSignalSpy changed(&state.pins(), &PinState::pinChanged);
        state.pinCurrent();
        state.pinCurrent();
        QCOMPARE(changed.count(), 1);
        const auto& pin = state.pins().pin();
        QVERIFY(pin.has_value());
        // Laplace has no lambda, whatever is set for others.
        QCOMPARE(pin->mechanism.lambda(), 0.0);
        QCOMPARE(pinTitle(*pin), QStringLiteral("Laplace, ε 12.0"));
        state.setEpsilon(3.0);
        state.chooseMechanism(mechanism::Mahalanobis());
        QCOMPARE(pin->epsilon, 12.0);
        QVERIFY(pin->mechanism.as<mechanism::Laplace>());
        state.pins().setPin(std::nullopt);
        QVERIFY(!state.pins().pin());
        QCOMPARE(changed.count(), 2);
    }

    /// Epsilon has the unit of the vectors, so a pin means nothing for others.
    void isForgottenWithOtherVectorsOnly() {
        AnalysisState state;
        state.setEmbedding(test::toyEmbedding(), nullptr);
        state.pinCurrent();
        state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(state.pins().pin().has_value());
        auto other = std::make_shared<embedding::PreparedEmbedding>(*test::toyEmbedding());
        other->embedding.name = "other.txt";
        state.setEmbedding(other, nullptr);
        QVERIFY(!state.pins().pin());
    }
};

EPSILENS_UI_TEST(PinStateTest)
#include "pin_state_test.moc"
