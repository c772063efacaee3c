#include <array>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <sstream>
#include <tuple>

#include "fabric/formats/orcs/dot_graph.h"
#include "fabric/formats/orcs/dot_writer.h"
#include "tests/fabric/formats/format_testing.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

using test::error_of;

/// An edge as text: tail, head, key, comment.
using EdgeText = std::tuple<std::string, std::string, std::string, std::string>;

std::vector<EdgeText> edges_of(const DotGraph& graph) {
  std::vector<EdgeText> edges;
  for (const DotGraph::Edge& edge : graph.edges) {
    edges.emplace_back(graph.nodes[edge.tail].name, graph.nodes[edge.head].name,
                       graph.value(edge, "key").value_or(""),
                       graph.value(edge, "comment").value_or(""));
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

/// The same edges as Boost.Graph reads them.
std::vector<EdgeText> edges_by_boost(const std::string& text) {
  struct Vertex {
    std::string name;
  };
  struct EdgeData {
    std::string key, comment;
  };
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, Vertex, EdgeData>;
  Graph graph;
  boost::dynamic_properties properties(boost::ignore_other_properties);
  properties.property("node_id", boost::get(&Vertex::name, graph));
  properties.property("key", boost::get(&EdgeData::key, graph));
  properties.property("comment", boost::get(&EdgeData::comment, graph));
  std::istringstream stream(text);
  REQUIRE(boost::read_graphviz(stream, graph, properties));
  std::vector<EdgeText> edges;
  for (auto [e, end] = boost::edges(graph); e != end; ++e) {
    edges.emplace_back(graph[boost::source(*e, graph)].name, graph[boost::target(*e, graph)].name,
                       graph[*e].key, graph[*e].comment);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

void check_like_boost(const std::string& text) {
  INFO(text.substr(0, 300));
  CHECK(edges_of(parse_dot_graph(text, "graph")) == edges_by_boost(text));
}

TEST_CASE("the DOT reader reads the same edges as Boost.Graph") {
  check_like_boost(
      "digraph network {\n\"S1\" -> \"H1\" [ comment = \"H1\" ];\nH1->S1[comment=\"*\"]}");
  check_like_boost("digraph{a->b->c->a [key=1, comment=x]; b -> c [comment=y key=2]}");
  check_like_boost(
      "digraph g { edge [comment=\"*\"]; a -> b; subgraph s { edge [comment=z]; a -> c; "
      "subgraph { b -> c } } a -> d [comment=\"\"]; }");
  check_like_boost(
      "digraph g { a:p:n -> b:s [comment=x]; size=\"7,8\"; node [shape=box]; "
      "graph [label=x]; -3.5 -> .25; a -> -7 }");
  check_like_boost(
      "digraph g { // one\n/* two -> three */ a -> b\n# a line of the preprocessor\n; }");
  check_like_boost("digraph g { a -> b [comment=\"H1, \" + \"H2\", comment=\"last\"] }");
  check_like_boost("digraph g { a -> a; a -> b; a -> b; a -> b [key=5] }");
}

TEST_CASE("Boost.Graph reads the same edges from written graphs as the DOT reader") {
  for (const char* const kind : {"k-ary-n-tree 4 2", "mesh 3x3 --hosts 2 --parallel 2"}) {
    const Fabric fabric = make_fabric(std::string(kind) + " --lids");
    ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
    std::mt19937 random = test::repeatable_random(5);
    for (PortNumber& entry : tables.entries()) entry = static_cast<PortNumber>(1 + random() % 6);
    check_like_boost(to_dot(fabric, &tables));
    check_like_boost(to_dot(fabric, nullptr));
  }
}

TEST_CASE("the DOT reader handles quotes, escapes, line ends and trailing NUL bytes") {
  const DotGraph graph = parse_dot_graph(
      "digraph \"a \\\" b\" { \"n\\\"1\" [label=\"two\\\nlines\\nx\\\\\"]; \"n 2\"; n\xC3\xBC_3 }",
      "graph");
  REQUIRE(graph.nodes.size() == 3);
  CHECK(graph.nodes[0].name == "n\"1");
  CHECK(graph.value(graph.nodes[0], "label") == "twolines\\nx\\\\");
  CHECK(graph.nodes[1].name == "n 2");
  CHECK(graph.nodes[2].name == "n\xC3\xBC_3");
  CHECK(parse_dot_graph("digraph{a[x=<i<b>y</b>>]}", "graph").nodes[0].fields[0].value ==
        "<i<b>y</b>>");
  CHECK(parse_dot_graph(std::string("digraph{a}\n\0", 12), "graph").nodes.size() == 1);
  CHECK(parse_dot_graph("\xEF\xBB\xBF\r\ndigraph{a\r\n}\r\n", "graph").nodes.size() == 1);
  CHECK(parse_dot_graph("DIGRAPH{ \"node\" ; Node [x=y] }", "graph").nodes.size() == 1);
}

TEST_CASE("graphs with invalid syntax are refused with the line") {
  const std::array<std::pair<std::string, std::string>, 16> expected{{
      {"", "graph: this is not a graph: it looks like an empty file"},
      {"Switch 8 \"a\"\n", "this is not a graph: it looks like a topology"},
      {"digraph", "graph:1: the file ends here, but '{' was expected"},
      {"digraph {\n\na -> b",
       "graph:3: the file ends here, but '}' was expected; check that the file is complete"},
      {"digraph {\na ->", "graph:2: the file ends here, but a node was expected"},
      {"digraph {\na -- b }", "graph:2: '--': '->' was expected"},
      {"digraph {\na [x=\n\"y }", "graph:3: a quoted text begins here and does not end"},
      {"digraph {\n/* a }", "graph:2: a comment begins here and does not end"},
      {"digraph { a [x=<<b>] }", "graph:1: an HTML text begins here"},
      {"digraph { a [x=] }", "graph:1: ']': the value of the attribute was expected"},
      {"digraph { a -> {b c} }", "graph:1: an edge to a subgraph"},
      {"digraph { {b c} -> a }", "graph:1: an edge from a subgraph"},
      {"digraph { } }", "graph:1: '}': the end of the file was expected"},
      {"digraph { @ }", "graph:1: '@ }' is not part of the dot language"},
      {std::string("digraph { \0 }", 13), "graph:1: NUL byte at offset 10"},
      {"digraph " + std::string(100'000, '{'), "graph:1: more than 64 levels of subgraphs"},
  }};
  for (const auto& [text, message] : expected) {
    INFO(text.substr(0, 100));
    CHECK_THAT(error_of([&, &text = text] { parse_dot_graph(text, "graph"); }),
               Catch::StartsWith("3: ") && Catch::Contains(message));
  }
}

TEST_CASE("the cost of hostile graphs is at most linear in their size") {
  std::string chain = "digraph { n0", defaults = "digraph {", attributes = "digraph { a [";
  for (unsigned i = 1; i < 200'000; ++i) chain += " -> n" + std::to_string(i % 1000);
  CHECK(parse_dot_graph(chain + "[comment=x] }", "graph").edges.size() == 199'999);
  for (unsigned i = 0; i < 5000; ++i) defaults += "edge [a" + std::to_string(i) + "=b]";
  CHECK_THAT(error_of([&] { parse_dot_graph(defaults + "}", "graph"); }),
             Catch::Contains("too many attributes are stated for all edges"));
  for (unsigned i = 0; i < 200'000; ++i) attributes += "x=y ";
  CHECK(parse_dot_graph(attributes + "]}", "graph").nodes[0].fields.size() == 200'000);
}

}  // namespace
}  // namespace pssp
