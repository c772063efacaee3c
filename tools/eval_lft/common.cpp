#include "tools/eval_lft/common.h"

#include "tools/kit/endpoint_options.h"

namespace pssp {

void Common::add_inputs(QuestionLine& line) {
  line.of_all()
      .option("files", files,
              "Tables and topology (routing.lft topo.osm), or one file that has both (dot); the "
              "kinds are recognised; - is standard input")
      .required()
      .values(1, 2)
      .type_name("FILE")
      .reads();
  add_endpoint_options(line.of_all(), builder.roles);
  line.of_all()
      .option("--capacity", capacity,
              "File of links that have less capacity than their rate says; those at 0 have 1 %")
      .type_name("FILE")
      .reads();
  line.of_all()
      .option("--kinds", kinds, "File that says of which kind hosts are, where names do not")
      .type_name("FILE")
      .reads();
  line.of_all()
      .option("-j,--threads", threads, "Threads of a process (default: all cores)")
      .range(1, 4096);
  line.option({{Question::compare, Question::compare_patterns},
               "compares the report or the simulation of a pattern; neither was asked for"},
              report_group, "--compare", compared,
              "Further tables of this fabric (several times for several): one table of all, each "
              "against the first, under the same traffic")
      .one_at_a_time()
      .reads();
}

void Common::add_outputs(QuestionLine& line) {
  const char* const group = "Answers";
  const char* const runs_elsewhere = "needs runs or bisections; there are none here";
  const Place runs{
      {Question::score, Question::compare, Question::pattern, Question::compare_patterns},
      runs_elsewhere};
  const Place rows_or_runs{
      {Question::score, Question::compare, Question::pattern, Question::compare_patterns,
       Question::adaptive, Question::adaptive_pattern},
      runs_elsewhere};
  line.of_all().option("--seed", seed, "Seed of all that is random").show_default().group(group);
  line.flag(
      {{Question::score, Question::compare, Question::pattern, Question::compare_patterns,
        Question::adaptive, Question::adaptive_pattern, Question::application, Question::paths},
       "is for figures; --printptrn prints a pattern as text"},
      group, "--json", json, "One JSON object instead of text");
  line.of_all()
      .option("-o,--output", output, "File for the answer; - is standard output")
      .show_default()
      .group(group)
      .writes();
  line.option(rows_or_runs, group, "--csv", csv,
              "File with a line for each run or bisection (--compare, --adaptive: for each row)")
      .writes();
  line.option(runs, group, "--plot", plot, "Histogram as a picture: FILE.svg or FILE.png").writes();
  line.option({{Question::score, Question::pattern},
               "shows the load of one set of tables, from the report or from a pattern"},
              group, "--map", map,
              "The fabric, its channels coloured by load: FILE.svg, FILE.png or FILE.dot")
      .writes();
}

}  // namespace pssp
