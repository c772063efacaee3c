// Scripts start programs on other machines through ssh, which passes its words to a remote shell:
// names from the fabric are quoted for that shell, and the whole command again for the local one.
// The functions of a script are constant text.

#include "operations/diagnosis/plan_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/printable.h"

namespace pssp {
namespace {

constexpr const char* write_bw_functions = R"(
# Prefix that runs a command on a node.
remote=${PSSP_REMOTE:-ssh -n -o BatchMode=yes --}
results=$(mktemp -d) || exit 1
trap 'rm -rf "$results"' EXIT

# pair NUMBER NODE COMMAND NODE COMMAND ROUND SOURCE DESTINATION: runs a server and a client, and
# writes a line with the rate
pair() {
  $remote "$4" "$5" >/dev/null 2>"$results/$1.server" &
  server=$!
  sleep 1
  $remote "$2" "$3" >"$results/$1.log" 2>&1
  wait "$server"
  rate=$(awk '$1 ~ /^[0-9]+$/ && NF >= 4 { rate = $4 } END { print rate }' "$results/$1.log")
  if [ -n "$rate" ]; then
    printf '%s %s %s %s\n' "$6" "$7" "$8" "$rate" >"$results/$1.rate"
  else
    printf 'no rate: %s to %s\n' "$7" "$8" >&2
    cat "$results/$1.log" "$results/$1.server" >&2
  fi
}

)";

constexpr const char* nccl_functions = R"(
# Processes per node, and the program; PSSP_MPIRUN: further options of mpirun.
gpus=${PSSP_GPUS:-8}
program=${PSSP_PROGRAM:-all_reduce_perf}
results=$(mktemp -d) || exit 1
trap 'rm -rf "$results"' EXIT

# pair NUMBER NODE NODE ADAPTERS: one run of two nodes
pair() {
  # shellcheck disable=SC2086
  mpirun ${PSSP_MPIRUN:-} -np $((2 * gpus)) -H "$2:$gpus,$3:$gpus" -x NCCL_IB_HCA="$4" "$program" -b 1G -e 1G -g 1 >"$results/$1.log" 2>&1
}

)";

class PlanWriter {
 public:
  PlanWriter(const MeasuredNodes& nodes, std::span<const MeasuredUnit> units, const RoundPlan& plan,
             const PlanOutputOptions& options)
      : nodes_(nodes), units_(units), plan_(plan), options_(options) {}

  std::vector<PlanText> write() const {
    switch (options_.format) {
      case PlanFormat::plain:
        return {{{}, plain()}};
      case PlanFormat::clusterkit:
        return {{{}, clusterkit()}};
      case PlanFormat::mpi:
        return mpi();
      case PlanFormat::nccl:
        return scripts(nccl_functions, &PlanWriter::nccl_line, "cat \"$results\"/*.log\n");
      case PlanFormat::ib_write_bw:
        return scripts(write_bw_functions, &PlanWriter::write_bw_line,
                       "echo '# unit Gbit/s'\ncat \"$results\"/*.rate\n");
    }
    return {};
  }

 private:
  /// A name without blanks, as required in lines of words.
  static std::string word(const std::string& name) {
    const bool is_word = !name.empty() && std::ranges::none_of(name, [](char c) {
      return static_cast<unsigned char>(c) <= ' ' || c == '\x7f' || c == '#';
    });
    if (!is_word) {
      throw Error(
          ErrorKind::usage,
          fmt::format(
              "the name '{}' cannot be written to a list, because it is empty or contains a blank, "
              "a control character or '#': select the part of the description that is the name "
              "with --node-names",
              excerpt(name)));
    }
    return name;
  }

  std::string unit_name(std::uint32_t u) const {
    return units_[u].ports.size() == 1 && !is_whole_node(u) ? nodes_.label(units_[u].ports[0].rank)
                                                            : node_name(u);
  }
  bool is_whole_node(std::uint32_t u) const {
    return units_[u].ports.size() == nodes_.nodes()[units_[u].node].rails.size();
  }
  const std::string& node_name(std::uint32_t u) const {
    return nodes_.nodes()[units_[u].node].name;
  }
  const EndPort& port_of(std::uint32_t rank) const {
    return nodes_.fabric().end_port(nodes_.fabric().endpoints()[rank]);
  }

  template <class Line>
  std::string lines(const Line& line) const {
    std::string text;
    for (std::size_t round = 0; round < plan_.rounds.size(); ++round) {
      for (const UnitPair pair : plan_.rounds[round]) text += line(round + 1, pair);
    }
    return text;
  }

  std::string plain() const {
    return "# round source destination; append the rate to each line for pssp locate-slow\n" +
           lines([&](std::size_t round, UnitPair pair) {
             std::string lids;
             if (units_[pair.from].ports.size() == 1 && units_[pair.to].ports.size() == 1) {
               lids = fmt::format(" # lid {} -> {}", port_of(units_[pair.from].ports[0].rank).lid,
                                  port_of(units_[pair.to].ports[0].rank).lid);
             }
             return fmt::format("{} {} {}{}\n", round, word(unit_name(pair.from)),
                                word(unit_name(pair.to)), lids);
           });
  }

  std::string clusterkit() const {
    return lines([&](std::size_t round, UnitPair pair) {
      return fmt::format("{} {} {}\n", round, word(node_name(pair.from)), word(node_name(pair.to)));
    });
  }

  std::vector<PlanText> mpi() const {
    std::string hosts;
    for (std::uint32_t u = 0; u < units_.size(); ++u) hosts += word(node_name(u)) + "\n";
    return {{"hostfile", hosts},
            {"pairs",
             "# round rank rank: the first rank sends; ranks are in the order of the hostfile\n" +
                 lines([](std::size_t round, UnitPair pair) {
                   return fmt::format("{} {} {}\n", round, pair.from, pair.to);
                 })}};
  }

  struct Device {
    std::string name;  // empty: the only one
    PortNumber port = 1;
  };
  Device device_of(std::uint32_t rank) const {
    const EndPortId id = nodes_.fabric().endpoints()[rank];
    const NodeRails::Node& node = nodes_.nodes()[*nodes_.rails().node_of(id)];
    const auto rail = std::ranges::find(node.rails, id, &NodeRails::Rail::port);
    const std::string adapter = rail->word.substr(0, rail->word.find('/'));
    std::string name = options_.device;
    const auto replace = [&name](std::string_view what, const std::string& by) {
      for (std::size_t at = name.find(what); at != std::string::npos;
           at = name.find(what, at + by.size())) {
        name.replace(at, what.size(), by);
      }
    };
    replace("{rail}", fmt::format("{}", rail->number));
    replace("{}", adapter);
    if (name.empty() && node.rails.size() > 1) {
      throw Error(ErrorKind::usage,
                  fmt::format("the descriptions of the adapters of {} contain no adapter names: "
                              "state the names, for example with --device mlx5_{{rail}}",
                              excerpt(node.name)));
    }
    return {name, port_of(rank).port};
  }

  std::string write_bw_command(std::uint32_t rank, const std::string& server,
                               unsigned number) const {
    constexpr unsigned first_port = 18515, ports = 4096;
    const Device device = device_of(rank);
    std::string command =
        fmt::format("ib_write_bw --report_gbits -F -D 5 -p {}", first_port + number % ports);
    if (!device.name.empty()) command += " -d " + shell_quoted(device.name);
    command += fmt::format(" -i {}", device.port);
    if (!server.empty()) command += " -- " + shell_quoted(server);
    return command;
  }

  std::string write_bw_line(std::size_t round, UnitPair pair, unsigned number) const {
    const std::string& from = node_name(pair.from);
    const std::string& to = node_name(pair.to);
    return fmt::format("pair {} {} {} {} {} {} {} {} &\n", number, shell_quoted(word(from)),
                       shell_quoted(write_bw_command(units_[pair.from].ports[0].rank, to, number)),
                       shell_quoted(word(to)),
                       shell_quoted(write_bw_command(units_[pair.to].ports[0].rank, {}, number)),
                       round, shell_quoted(word(nodes_.label(units_[pair.from].ports[0].rank))),
                       shell_quoted(word(nodes_.label(units_[pair.to].ports[0].rank))));
  }

  std::string nccl_line(std::size_t /*round*/, UnitPair pair, unsigned number) const {
    std::string adapters;
    for (const MeasuredUnit::Port& port : units_[pair.from].ports) {
      const Device device = device_of(port.rank);
      if (device.name.empty()) continue;
      adapters += fmt::format("{}{}:{}", adapters.empty() ? "=" : ",", device.name, device.port);
    }
    return fmt::format("pair {} {} {} {} &\n", number, shell_quoted(word(node_name(pair.from))),
                       shell_quoted(word(node_name(pair.to))), shell_quoted(adapters));
  }

  using ScriptLine = std::string (PlanWriter::*)(std::size_t, UnitPair, unsigned) const;

  std::vector<PlanText> scripts(const char* functions, ScriptLine line, const char* end) const {
    std::vector<PlanText> files;
    for (std::size_t round = 0; round < plan_.rounds.size(); ++round) {
      std::string text = fmt::format(
          "#!/bin/sh\n# Round {} of {}: {} pairs at once. Its output is input for pssp "
          "locate-slow.\n",
          round + 1, plan_.rounds.size(), plan_.rounds[round].size());
      text += functions;
      unsigned number = 0;
      for (const UnitPair pair : plan_.rounds[round])
        text += (this->*line)(round + 1, pair, ++number);
      text += std::string("wait\n") + end;
      files.push_back({fmt::format("round-{:02}.sh", round + 1), std::move(text)});
    }
    return files;
  }

  const MeasuredNodes& nodes_;
  std::span<const MeasuredUnit> units_;
  const RoundPlan& plan_;
  const PlanOutputOptions& options_;
};

}  // namespace

std::vector<PlanText> write_plan(const MeasuredNodes& nodes, std::span<const MeasuredUnit> units,
                                 const RoundPlan& plan, const PlanOutputOptions& options) {
  return PlanWriter(nodes, units, plan, options).write();
}

std::string shell_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
      throw Error(ErrorKind::usage,
                  fmt::format("the name '{}' contains a control character", excerpt(text)));
    }
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace pssp
