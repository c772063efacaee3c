"""Compares the results of the module with those of the tools."""

import re
import warnings

import pssp
import pytest
from conftest import refused, run, run_json, warnings_of

FABRICS = [
    "k-ary-n-tree 4 2",
    "xgft 6,4 1,3 --kill-links 2 --seed 3",
    "xgft 4,4 1,4 --permute-ports --shuffle-guids --seed 5",
    "mesh 3x3 --hosts 2",
    "torus 4x3 --hosts 1",
    "hyperx 3x3 --hosts 2",
    "random-regular 12 --degree 3 --hosts 2",
    "k-ary-n-tree 3 2 --mixed-rate 4xSDR --rate 4xQDR",
]
PATTERNS = [None, "bisect", "neighbor:2", "tree"]


@pytest.fixture(scope="module", params=FABRICS)
def case(request, tmp_path_factory):
    """A fabric and its tables, both in the module and as files for the tools."""
    folder = tmp_path_factory.mktemp("fabric")
    topology, tables = folder / "f.net", folder / "f.lft"
    run("make_topo", *request.param.split(), "--lids", "-o", topology)
    run("route_lft", "--engine", "pssp", topology, "-o", tables)
    fabric = pssp.Fabric.read(topology)
    return fabric, fabric.route("pssp"), topology, tables, request.param


def test_the_same_bytes(case, tmp_path):
    fabric, routed, topology, tables, specification = case
    routed.write(tmp_path / "r.lft")
    assert (tmp_path / "r.lft").read_bytes() == tables.read_bytes()
    made = pssp.make(specification)
    made.route("pssp", threads=1).write(tmp_path / "m.lft")
    assert (tmp_path / "m.lft").read_bytes() == tables.read_bytes()
    fabric.write(tmp_path / "f.net")
    assert (pssp.Fabric.read(tmp_path / "f.net").route("pssp").table == routed.table).all()


@pytest.mark.parametrize("pattern", PATTERNS)
def test_evaluate_is_eval_lft(case, pattern):
    fabric, routed, topology, tables, _ = case
    read = fabric.tables(tables)
    assert read.fabric is fabric
    if pattern is None:
        wanted = run_json("eval_lft", tables, topology, "-n", 200, "--seed", 7)
    else:
        wanted = run_json(
            "eval_lft", tables, topology, "--ptrn", pattern, "--num-runs", 50, "--seed", 7
        )
    runs = 200 if pattern is None else 50
    for each in routed, read:
        found = each.evaluate(pattern=pattern, runs=runs, seed=7)
        assert found == wanted
        assert list(found) == list(wanted)


def test_defaults_are_those_of_eval_lft(tmp_path):
    fabric = pssp.make("k-ary-n-tree 2 2 --lids")
    routed = fabric.route("pssp")
    fabric.write(tmp_path / "f.net")
    routed.write(tmp_path / "f.lft")
    files = tmp_path / "f.lft", tmp_path / "f.net"
    assert routed.evaluate() == run_json("eval_lft", *files)
    assert routed.evaluate("bisect") == run_json("eval_lft", *files, "--ptrn", "bisect")
    metrics = ["dep_max_delay", "bounds", "sum_max_cong"]
    asked = [word for metric in metrics for word in ("--metric", metric)]
    assert routed.evaluate("tree", ranks=3, metrics=metrics) == run_json(
        "eval_lft", *files, "--ptrn", "tree", "--commsize", 3, *asked
    )


def test_structured_and_paths(case):
    fabric, routed, topology, tables, _ = case
    wanted = run_json("eval_lft", tables, topology, "-n", 100, "--structured-suite")["structured_suite"]
    assert routed.structured(runs=100) == wanted
    assert routed.structured_suite == {each["name"]: each["slowdown"] for each in wanted["patterns"]}
    ends = fabric.names[0], fabric.names[-1]
    assert [routed.path(*ends)] == run_json("eval_lft", tables, topology, "--path", *ends)["paths"]
    leaf = run_json(
        "eval_lft", tables, topology, "-n", 50, "--structured-suite", "--host-order", "leaf", "--all-phases"
    )
    assert routed.structured("leaf", all_phases=True, runs=50) == leaf["structured_suite"]


APPLICATIONS = [
    ("alltoall:pairwise,64KiB", {}),
    ("alltoall:linear,4KiB,2,window=3,calc=1ms", {"order": "random", "seed": 9}),
    ("allreduce:rabenseifner,1MiB", {"ranks": 5, "order": "random"}),
    ("barrier:dissemination,1", {"sharing": "max-min"}),
]


@pytest.mark.filterwarnings("ignore:.*of the messages were eager")
@pytest.mark.parametrize("application, given", APPLICATIONS, ids=lambda each: str(each).split(",")[0])
def test_application_is_simulate_application(case, tmp_path, application, given):
    fabric, routed, topology, tables, _ = case
    other = tmp_path / "u.lft"
    run("route_lft", "--engine", "updown", topology, "-o", other)
    options = [word for name, value in given.items() for word in (f"--{name}", value)]
    wanted = run_json(
        "simulate_application", tables, topology, "--compare", other, "-a", application, *options
    )
    found = fabric.tables(tables).application(application, compare=[fabric.tables(other)], **given)
    assert found == wanted
    assert list(found) == list(wanted) and list(found["runs"][1]) == list(wanted["runs"][1])
    # Tables that were not read from a file differ only in their name.
    alone = routed.application(application, **given)["runs"]
    assert alone == [wanted["runs"][0] | {"tables": "pssp"}]


@pytest.mark.filterwarnings("ignore:.*of the messages were eager")
@pytest.mark.parametrize("given", [{"seeds": 4, "seed": 7}, {"until_precision": 0.05}], ids=str)
def test_random_orders_are_those_of_the_tool(case, given):
    fabric, routed, topology, tables, _ = case
    application = "alltoall:pairwise,16KiB"
    options = [word for name, value in given.items() for word in ("--" + name.replace("_", "-"), value)]
    wanted = run_json("simulate_application", tables, topology, "-a", application, "--order", "random", *options)
    found = fabric.tables(tables).application(application, order="random", **given)
    assert found == wanted and list(found) == list(wanted)
    assert found["seeds"] > 1 and len(found["runs"]) == found["seeds"]
    for wrong in ({"order": "switch"}, {"seeds": 0}, {"seeds": 10001}, {"until_precision": 1.0}, {"until_precision": float("nan")}):
        with pytest.raises(pssp.UsageError, match="until_precision|seeds"):
            routed.application(application, **({"order": "random"} | given | wrong))


def test_goal_files_and_warnings(tmp_path):
    fabric = pssp.make("k-ary-n-tree 4 2 --lids")
    routed = fabric.route("pssp")
    topology, tables, goal = tmp_path / "f.net", tmp_path / "f.lft", tmp_path / "a.goal"
    fabric.write(topology)
    routed.write(tables)
    run("simulate_application", tables, topology, "-a", "halo:4x2x2,16KiB,3", "--write-goal", goal)
    wanted = run_json("simulate_application", tables, topology, "--goal", goal)
    with pytest.warns(UserWarning) as warned:
        found = fabric.tables(tables).application(goal=goal)
    assert found == wanted
    said = warnings_of("simulate_application", tables, topology, "--goal", goal)
    assert [str(each.message) for each in warned] == said and len(said) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            routed.application(goal=str(goal))
        assert routed.application(goal=goal, sharing="max-min")["sharing"] == "max-min"


def test_errors_of_applications(tmp_path):
    fabric = pssp.make("k-ary-n-tree 4 2 --lids")
    topology, path = tmp_path / "f.net", tmp_path / "f.lft"
    fabric.write(topology)
    fabric.route("pssp").write(path)
    tables = fabric.tables(path)
    waits, bad = tmp_path / "waits.goal", tmp_path / "bad.goal"
    waits.write_text("num_ranks 2\nrank 0 {\nrecv 5b from 1\n}\nrank 1 {\n}\n")
    bad.write_text("num_ranks 2\nrank 0 {\nsend 5b to 7\n}\n")
    for kind, given in (
        (pssp.UsageError, {"application": "nosuch,1"}),
        (pssp.UsageError, {"application": "incast"}),
        (pssp.UsageError, {"application": "halo:2x2x2,1"}),
        (pssp.UsageError, {"application": "incast,1", "ranks": 17}),
        (pssp.UsageError, {"goal": waits, "ranks": 2}),
        (pssp.InputError, {"goal": bad}),
        (pssp.InputError, {"goal": tmp_path / "nowhere.goal"}),
        (pssp.VerificationError, {"goal": waits}),
    ):
        options = [word for name, value in given.items() for word in (f"--{name}", value)]
        with pytest.raises(kind) as raised:
            tables.application(**given)
        assert (raised.value.exit_code, str(raised.value)) == refused(
            "simulate_application", path, topology, *options
        )


def test_compare_is_eval_lft(case, tmp_path):
    fabric, routed, topology, tables, _ = case
    other = tmp_path / "u.lft"
    run("route_lft", "--engine", "updown", topology, "-o", other)
    found = pssp.compare([fabric.tables(tables), fabric.tables(other)], runs=100, seed=3)
    assert found == run_json(
        "eval_lft", tables, topology, "--compare", other, "-n", 100, "--seed", 3
    )


def test_samples(case):
    _, routed, topology, tables, _ = case
    bandwidths = routed.samples(runs=100, seed=5)
    assert bandwidths.dtype == "float64" and bandwidths.shape == (100,)
    assert bandwidths.mean() == pytest.approx(routed.evaluate(runs=100, seed=5)["ebb"]["mean"])
    of_pattern = routed.samples("neighbor:2", 30)
    report = routed.evaluate("neighbor:2", 30)
    assert of_pattern.mean() == pytest.approx(report["hist_acc_band"]["mean"])


def test_loads_and_verify(case):
    fabric, routed, _, _, _ = case
    report = routed.evaluate(runs=1)
    index = report["edge_forwarding_index"]
    assert (routed.loads * fabric.channels["cost"]).max() == index["max"]
    found = routed.verify()
    assert found["usable"] and not found["examples"]
    for key in "unreachable_pairs", "separated_pairs", "forwarding_loops", "credit_loop":
        assert found[key] == report[key]
    assert len(found["credit_loop_channels"]) == len(report["credit_loop_channels"])


def test_options_and_lmc(tmp_path):
    plain = tmp_path / "p.net"
    run("make_topo", "k-ary-n-tree", 3, 2, "-o", plain)
    run("route_lft", "--engine", "best", "--set", "slack=3", "--lmc", 1, plain, "-o", tmp_path / "t")
    fabric = pssp.Fabric.read(plain, lmc=1)
    for threads in 1, 2:
        fabric.route("best", slack=3, threads=threads).write(tmp_path / "p")
        assert (tmp_path / "p").read_bytes() == (tmp_path / "t").read_bytes()
    # A topology without LIDs gets its LIDs from the tables.
    read = pssp.Fabric.read(plain).tables(tmp_path / "t")
    assert (read.fabric.lids == fabric.lids).all() and read.fabric.hosts["lmc"].max() == 1


def test_errors_are_those_of_the_tools(tmp_path):
    fabric = pssp.make("mesh 3x3 --hosts 1 --lids")
    topology = tmp_path / "f.net"
    fabric.write(topology)

    def same(raised, status_and_text):
        assert (raised.value.exit_code, str(raised.value)) == status_and_text

    nowhere = tmp_path / "nowhere.net"
    with pytest.raises(pssp.InputError) as raised:
        pssp.Fabric.read(nowhere)
    same(raised, refused("route_lft", nowhere, "--engine", "pssp"))
    garbled = tmp_path / "garbled.net"
    garbled.write_text('Switch 4 "S1"\n[1 "H1"\n')
    with pytest.raises(pssp.InputError) as raised:
        pssp.Fabric.read(garbled)
    same(raised, refused("route_lft", garbled, "--engine", "pssp"))
    with pytest.raises(pssp.UnsuitableError) as raised:
        fabric.route("dmodk")
    same(raised, refused("route_lft", topology, "--engine", "dmodk"))
    with pytest.raises(pssp.UsageError) as raised:
        fabric.route("nosuch")
    same(raised, refused("route_lft", topology, "--engine", "nosuch"))
    other = tmp_path / "o.lft"
    pssp.make("k-ary-n-tree 2 2").route("pssp").write(other)
    with pytest.raises(pssp.MismatchError) as raised:
        fabric.tables(other)
    same(raised, refused("eval_lft", other, topology))
    with pytest.raises(pssp.UsageError) as raised:
        fabric.route("pssp").evaluate("nosuch")
    fabric.route("pssp").write(tmp_path / "f.lft")
    same(raised, refused("eval_lft", tmp_path / "f.lft", topology, "--ptrn", "nosuch"))
    with pytest.raises(pssp.OutputError) as raised:
        fabric.route("pssp").write(tmp_path / "no" / "folder")
    status, text = refused(
        "route_lft", topology, "--engine", "pssp", "-o", tmp_path / "no" / "folder"
    )
    # The names of temporary files contain the process id.
    assert raised.value.exit_code == status
    assert re.sub(r"\d+-\d+\.tmp", "", str(raised.value)) == re.sub(r"\d+-\d+\.tmp", "", text)
