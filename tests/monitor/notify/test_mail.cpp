// Tests with a script in place of sendmail, which stores its arguments and its input.

#include <catch2/catch.hpp>

#include "base/file_io.h"
#include "monitor/notify/mail.h"
#include "tests/monitor/notify/incidents.h"
#include "tests/temporary_folder.h"

namespace pssp {
namespace {

using Catch::Contains;

TEST_CASE("names from the fabric cannot change the header of a mail") {
  const MailOptions options{"", {"ops@example.org", "root"}, "monitor@example.org"};
  const std::string name = "leaf\r\nBcc: all@example.org\r\n\r\n\xc3\xa9\x1b[2J";
  const std::string text = mail_text(options, opened(test::faulty_cable("a", name), "", 5));
  CHECK_THAT(text, Catch::StartsWith("From: monitor@example.org\nTo: ops@example.org, root\n"
                                     "Subject: [fabric] leaf??Bcc: all@example.org????"));
  const std::string head = text.substr(0, text.find("\n\n") + 1);
  CHECK(std::count(head.begin(), head.end(), '\n') == 7);
  CHECK(head.find("\nBcc") == std::string::npos);
  CHECK(text.find('\r') == std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK_THAT(text, Contains("\nMeasured  70 in 1 h, a bit error rate of 2e-12, limit 1e-12\n") &&
                       Contains("\nSince     2023-11-14T22:13:20Z\n") &&
                       Contains("\nJobs      4711, 4712\n") &&
                       Contains("\nTo do     reseat the cable, then swap it\n"));
}

TEST_CASE("lines of a mail are at most 998 bytes long") {
  const std::string text =
      mail_text({"", {"a"}, ""}, opened(test::faulty_cable("a", std::string(5000, 'x')), "", 5));
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    CHECK(end - at <= 998);
    at = end + 1;
  }
}

TEST_CASE("addresses that are options, lists or more than one line are refused") {
  for (const char* each : {"root", "a.b+c@example.org", "x-y@h"}) {
    CHECK_NOTHROW(require_mail_address(each));
  }
  for (const char* each :
       {"", "-oQ/tmp", "a b", "a\nBcc: b", "<a@b>", "a,b", "|/bin/sh", "\xc3\xa9"}) {
    CHECK_THROWS_AS(require_mail_address(each), Error);
  }
}

TEST_CASE("sendmail gets the addresses as arguments and the message as input") {
  const test::TemporaryFolder folder;
  const auto program = folder.path() / "sendmail";
  write_file(program, std::string_view("#!/bin/sh\ncd \"${0%/*}\"\nprintf '%s|' \"$@\" >arguments\n"
                                       "cat >message\ncat code 2>/dev/null >&2\n"
                                       "exit $(cat code 2>/dev/null || echo 0)\n"));
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const MailOptions options{program.string(), {"a@b", "$(touch c)"}, "m@b"};
  const Notification notification = opened(test::faulty_cable("a"), "", 5);
  CHECK(send_mail(options, notification, {}).failure.empty());
  CHECK(read_file(folder.path() / "arguments") == "-i|-f|m@b|a@b|$(touch c)|");
  CHECK(read_file(folder.path() / "message") == mail_text(options, notification));
  write_file(folder.path() / "code", std::string_view("75"));
  const DeliveryResult busy = send_mail(options, notification, {});
  CHECK_THAT(busy.failure, Contains("75"));
  CHECK_FALSE(busy.is_refused);
  CHECK_THROWS_AS(send_mail({"/nonexistent/sendmail", {"a"}, ""}, notification, {}), Error);
}

TEST_CASE("a sendmail that hangs is ended by the timeout or by a stop request") {
  const test::TemporaryFolder folder;
  const auto program = folder.path() / "sendmail";
  write_file(program, std::string_view("#!/bin/sh\nsleep 1000\n"));
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  MailOptions options{program.string(), {"a"}, ""};
  options.time_out = std::chrono::milliseconds(50);
  CHECK_THROWS_AS(send_mail(options, opened(test::faulty_cable("a"), "", 5), {}), Error);
  options.time_out = std::chrono::hours(1);
  CHECK_THROWS_AS(
      send_mail(options, opened(test::faulty_cable("a"), "", 5), StopSignal([] { return true; })),
      Stopped);
}

}  // namespace
}  // namespace pssp
