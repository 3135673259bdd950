// Counts the cases of a Catch2 program. A case that its data let down says so by WARN("SKIPPED: …")
// and counts as skipped. cases.sh reads the line, and packaging/test.sh adds the lines up.

#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <cstddef>
#include <cstdio>

#include <catch2/catch.hpp>

namespace {

class CaseCount : public Catch::TestEventListenerBase {
public:
    using TestEventListenerBase::TestEventListenerBase;

    void testCaseStarting(const Catch::TestCaseInfo& info) override {
        TestEventListenerBase::testCaseStarting(info);
        m_skips = false;
    }
    bool assertionEnded(const Catch::AssertionStats& stats) override {
        const auto& result = stats.assertionResult;
        m_skips = m_skips || (result.getResultType() == Catch::ResultWas::Warning &&
                              Catch::startsWith(result.getMessage(), "SKIPPED:"));
        return true;
    }
    void testCaseEnded(const Catch::TestCaseStats& stats) override {
        if (stats.totals.testCases.failed > 0) {
            ++m_failed;
        } else if (m_skips) {
            ++m_skipped;
            std::printf("skipped: %s\n", stats.testInfo.name.c_str());
        } else {
            ++m_passed;
        }
        TestEventListenerBase::testCaseEnded(stats);
    }
    void testRunEnded(const Catch::TestRunStats& stats) override {
        std::printf("cases: %zu passed, %zu failed, %zu skipped\n", m_passed, m_failed, m_skipped);
        TestEventListenerBase::testRunEnded(stats);
    }

private:
    std::size_t m_passed = 0;
    std::size_t m_failed = 0;
    std::size_t m_skipped = 0;
    bool m_skips = false;
};

CATCH_REGISTER_LISTENER(CaseCount)

}  // namespace
