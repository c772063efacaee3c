#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

// A sanitizer ends the process at the first error, before Catch2 can report the current test case.
// This listener reports it.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#include <sanitizer/common_interface_defs.h>

#include <cstdio>
#include <string>

namespace {

std::string running;

void report_where() { std::fprintf(stderr, "in the test case '%s'\n", running.c_str()); }

struct CaseAtDeath : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;

  void testRunStarting(const Catch::TestRunInfo& /*run*/) override {
    __sanitizer_set_death_callback(report_where);
  }
  void testCaseStarting(const Catch::TestCaseInfo& test) override { running = test.name; }
};

CATCH_REGISTER_LISTENER(CaseAtDeath)

}  // namespace
#endif
#endif
