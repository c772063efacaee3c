#include "tools/eval_lft/common.h"

#include "tools/kit/fabric_options.h"

namespace pssp {

void Common::add_inputs(QuestionLine& line) {
  add_tables_and_topology(line.of_all(), files).required();
  add_endpoint_options(line.of_all(), builder.roles);
  line.of_all()
      .option("--capacity", capacity,
              "File with the capacities of degraded links; capacity 0 counts as 1 %")
      .reads();
  line.of_all()
      .option("--node-types", node_types,
              "Roles of hosts (compute, storage, ...), overriding what their names suggest")
      .reads();
  line.of_all()
      .option("-j,--threads", threads, "Threads per process (default: all cores)")
      .range(1, 4096);
  line.option({{Question::compare, Question::compare_patterns},
               "is for the report or the simulation of a pattern"},
              report_group, "--compare", compared,
              "Compare these tables of the same fabric with the first, under the same traffic; "
              "repeatable")
      .one_at_a_time()
      .reads();
}

void Common::add_outputs(QuestionLine& line) {
  const char* const group = "Output";
  const char* const runs_elsewhere = "needs bisections or runs of a pattern";
  const Position runs{
      {Question::score, Question::compare, Question::pattern, Question::compare_patterns},
      runs_elsewhere};
  const Position rows_or_runs{
      {Question::score, Question::compare, Question::pattern, Question::compare_patterns,
       Question::adaptive, Question::adaptive_pattern},
      runs_elsewhere};
  line.of_all().option("--seed", seed, "Seed of all random choices").show_default().group(group);
  line.flag(
      {{Question::score, Question::compare, Question::pattern, Question::compare_patterns,
        Question::adaptive, Question::adaptive_pattern, Question::application, Question::paths},
       "cannot be combined with --printptrn, which prints text"},
      group, "--json", json, "Write one JSON object instead of text");
  line.of_all().output(output, "Write the report to FILE; - is standard output").group(group);
  line.option(
          rows_or_runs, group, "--csv", csv,
          "Write a line for each run or bisection to FILE (--compare, --adaptive: for each row)")
      .writes();
  line.option(runs, group, "--plot", plot, "Draw the histogram: FILE.svg or FILE.png").writes();
  line.option({{Question::score, Question::pattern},
               "draws one set of tables, for the report or a pattern"},
              group, "--map", map,
              "Draw the fabric with its channels colored by load: FILE.svg, FILE.png or FILE.dot")
      .writes();
}

}  // namespace pssp
