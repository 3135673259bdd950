#include <catch2/catch.hpp>

#include "core/report/verification_report.h"

using namespace epsilens;
using Catch::Matchers::Contains;

TEST_CASE("A verification lists what differs and names what it does not compare") {
    CHECK_THAT(report::differencesText({}),
               Contains("others up to a part in 1,000,000,000, as processors round sums "
                        "differently\nnot compared: what the analyst says"));
    CHECK_THAT(report::differencesText({}, document::kOfExactSums),
               Contains("others up to a part in 100,000 of them or of 1, and up to which words "
                        "have an equal N_w, as processors round sums differently\n"));
    CHECK_THAT(report::differencesText({{"cells[0].kept", "1", "2"}}),
               Contains("1 value differs\ncells[0].kept: stored 1, found 2\nnot compared"));
}
