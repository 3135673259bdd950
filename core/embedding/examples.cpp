#include "core/embedding/examples.h"

namespace epsilens::embedding {

const std::array<std::string_view, 3>& exampleSentences() {
    static constexpr std::array<std::string_view, 3> kSentences{
        "My doctor moved the appointment at the hospital to Friday morning",
        "We will take the early train from Paris to London tomorrow",
        "Please send the money for the rent to my bank today"};
    return kSentences;
}

const std::array<ExamplePair, 5>& examplePairs() {
    static constexpr std::array<ExamplePair, 5> kPairs{{{"paris", "london"},
                                                        {"doctor", "nurse"},
                                                        {"car", "bus"},
                                                        {"salmon", "trout"},
                                                        {"monday", "friday"}}};
    return kPairs;
}

}  // namespace epsilens::embedding
