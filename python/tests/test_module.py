"""Tests properties that notebooks rely on: views, object lifetimes, memory, invalid input, interruption."""

import gc
import os
import random
import signal
import sys
import threading
import time

import numpy as np
import pssp
import pytest


@pytest.fixture(scope="module")
def tree():
    return pssp.make("xgft 4,4 1,2 --kill-links 1")


@pytest.fixture(scope="module")
def routed(tree):
    return tree.route("pssp")


def views(fabric, tables):
    names = "hosts", "switches", "channels", "destinations", "guids", "lids"
    return [getattr(fabric, name) for name in names] + [tables.table, tables.loads]


def test_views_are_read_only(tree, routed):
    for view in views(tree, routed):
        assert view.flags.writeable is False and view.flags.owndata is False and len(view) > 0
        with pytest.raises(ValueError):
            view[0] = view[0]
        with pytest.raises(ValueError):
            view.setflags(write=True)
        with pytest.raises(ValueError):
            view[1:].setflags(write=True)


def test_views_keep_their_owner(tree, routed):
    before = [view.copy() for view in views(tree, routed)]
    fabric = pssp.make("xgft 4,4 1,2 --kill-links 1")
    tables = fabric.route("pssp")
    after = views(fabric, tables)
    of_tables = tables.fabric
    assert of_tables is fabric
    del fabric, tables, of_tables
    gc.collect()
    # Would overwrite the memory of the views if it had been freed.
    others = [pssp.make("xgft 4,4 1,2").route("updown") for _ in range(20)]
    assert all((one == other).all() for one, other in zip(before, after))
    del others


def test_no_copies(routed):
    assert routed.table.ctypes.data == routed.table.ctypes.data
    assert routed.loads.ctypes.data == routed.loads.ctypes.data


def test_arrays_agree(tree, routed):
    hosts, switches, channels = tree.hosts, tree.switches, tree.channels
    assert routed.table.dtype == np.uint8 and routed.loads.dtype == np.uint32
    assert routed.table.shape == (len(switches), tree.destinations["lid"].max() + 1)
    assert routed.loads.shape == channels.shape
    assert (tree.guids == hosts["guid"]).all() and (tree.lids == hosts["lid"]).all()
    assert (np.diff(tree.guids.astype(object)) > 0).all()
    assert (np.bincount(hosts["switch"], minlength=len(switches)) == switches["hosts"]).all()
    assert len(tree.names) == len(hosts) and len(tree.switch_names) == len(switches)
    back = channels[channels["reverse"]]
    assert (back["tail"] == channels["head"]).all() and (back["out_port"] == channels["in_port"]).all()
    # The entry for the LID of a host at its switch must be the port of the host.
    assert (routed.table[hosts["switch"], hosts["lid"]] == hosts["port"]).all()
    own = tree.destinations[tree.destinations["port"] == 0]
    assert (np.sort(own["lid"]) == np.sort(switches["lid"])).all()


def loads_by_hand(fabric, table):
    """Computes the loads by following every route hop by hop."""
    channel = {(c["tail"], c["out_port"]): i for i, c in enumerate(fabric.channels)}
    loads = np.zeros(len(fabric.channels), dtype=int)
    for source in fabric.hosts:
        for target in fabric.hosts:
            at = source["switch"]
            while target["guid"] != source["guid"] and at != target["switch"]:
                hop = channel[at, table[at, target["lid"]]]
                loads[hop] += 1
                at = fabric.channels["head"][hop]
    return loads


def test_loads_by_hand(tree, routed):
    assert (routed.loads == loads_by_hand(tree, routed.table)).all()


def test_coordinates(tree):
    positions = tree.coordinates()
    assert (positions["level"] == np.where(tree.switches["hosts"] > 0, 0, 1)).all()
    for level in 0, 1:
        assert positions["column"][positions["level"] == level].min() == 0
    with pytest.raises(pssp.UnsuitableError):
        pssp.make("hypercube 4").coordinates()


def test_networkx(tree, routed):
    networkx = pytest.importorskip("networkx")
    graph = tree.to_networkx()
    assert graph.number_of_nodes() == len(tree.hosts) + len(tree.switches)
    assert graph.number_of_edges() == len(tree.channels) + 2 * len(tree.hosts)
    assert networkx.is_strongly_connected(graph)
    of_channels = {d["channel"]: (a, b) for a, b, d in graph.edges(data=True) if "channel" in d}
    assert sorted(of_channels) == list(range(len(tree.channels)))
    # The graph also has the paths of the routes, so some node is at least two hops away.
    length = networkx.shortest_path_length(graph, tree.to_networkx() and of_channels[0][0])
    assert max(length.values()) >= 2 and routed.loads.sum() > 0


def test_path(tree, routed):
    path = routed.path(tree.names[0], tree.names[-1])
    assert path["outcome"] == "arrives"
    with pytest.raises(pssp.UsageError):
        routed.path(tree.names[0], "nobody")


def test_with_tables_takes_any_layout(tree, routed):
    table = routed.table
    strided = np.zeros((table.shape[0], 2 * table.shape[1]), dtype=np.uint8)[:, ::2]
    strided[:] = table
    swapped = table.astype(np.dtype(">i4"))
    layouts = [table, np.asfortranarray(table), strided, swapped, table.astype(np.uint64)]
    layouts += [np.flip(np.flip(table, 1).copy(), 1), table.astype(np.int16)]
    for layout in layouts:
        made = tree.with_tables(layout, name="mine")
        assert (made.table == table).all() and made.name == "mine"
        assert made.evaluate(runs=20) == routed.evaluate(runs=20)
    # The tables are a copy, so later changes of the array have no effect.
    mine = table.copy()
    made = tree.with_tables(mine)
    mine[:] = 0
    assert (made.table == table).all()


def test_with_tables_refuses(tree, routed):
    table = routed.table
    for wrong in table[:-1], table[:, :-1], table[None], table[0], np.array(7, dtype=np.uint8):
        with pytest.raises(pssp.MismatchError) as raised:
            tree.with_tables(wrong)
        assert str(table.shape) in str(raised.value) and raised.value.exit_code == 4
    for kind in float, complex, bool, object, "S1", "U1", "datetime64[s]", [("a", np.uint8)]:
        with pytest.raises(pssp.UsageError):
            tree.with_tables(np.zeros(table.shape, dtype=kind))
    for value in -1, 256, 2**63 - 1, -(2**63):
        wrong = table.astype(np.int64)
        wrong[1, 2] = value
        with pytest.raises(pssp.UsageError, match=rf"\[1, 2\] is {value};"):
            tree.with_tables(wrong)
    wrong = table.astype(np.uint64)
    wrong[1, 2] = 2**64 - 1
    with pytest.raises(pssp.UsageError, match=r"is 18446744073709551615;"):
        tree.with_tables(wrong)
    wrong = table.copy()
    wrong[1, 0] = 3
    with pytest.raises(pssp.UsageError, match=r"\[1, 0\] is 3;.*LID 0"):
        tree.with_tables(wrong)
    for wrong in None, "table", 7, table.tolist():
        with pytest.raises(TypeError):
            tree.with_tables(wrong)


def random_array(draw, shape):
    """Returns an array of random type, order and stride. Four of five have the given shape, the others a random shape."""
    if draw.random() < 0.2:
        shape = tuple(draw.randrange(12) for _ in range(draw.randrange(4)))
    kinds = ["u1"] * 6 + ["i1", "u2", ">i2", "i4", "u8", "i8", "f4", "f8", "?", "O", "c8", "S3", "m8"]
    kind = np.dtype(draw.choice(kinds))
    numbers = np.random.default_rng(draw.randrange(2**32))
    most = draw.choice([5, 12, 120, 255, 256])
    values = numbers.integers(0, most, size=shape)
    if draw.random() < 0.3:
        values = np.where(numbers.random(shape) < 0.5, values, 255)
    if len(shape) == 2 and shape[1] and draw.random() < 0.95:
        values[:, 0] = 255
    array = values.astype("i8").astype(kind) if kind.kind not in "m" else values.astype("m8[s]")
    layout = draw.randrange(4)
    if layout == 1:
        array = np.asfortranarray(array)
    elif layout == 2 and array.ndim:
        array = np.flip(np.flip(array, 0).copy(), 0)
    elif layout == 3 and array.ndim:
        array = np.repeat(array, 2, axis=-1)[..., ::2]
    if draw.random() < 0.3:
        array.setflags(write=False)
    return array


def test_random_arrays_never_crash(tree, tmp_path):
    draw = random.Random(34)
    shape = len(tree.switches), int(tree.destinations["lid"].max()) + 1
    taken = broken = 0
    for _ in range(1000):
        array = random_array(draw, shape)
        try:
            tables = tree.with_tables(array)
        except pssp.Error as error:
            assert error.exit_code in (2, 4)
            continue
        taken += 1
        assert (tables.table == array).all()
        assert tables.loads.shape == tree.channels.shape
        report = tables.evaluate(runs=2)
        verdict = tables.verify()
        assert report["usable"] == verdict["usable"]
        tables.evaluate("bisect", 2)
        tables.samples("tree", 2)
        if taken % 10 == 0:
            tables.structured(runs=2)
            assert len(tables.structured_suite) > 3
        assert tables.path(tree.names[0], tree.names[-1])["outcome"]
        if not verdict["usable"]:
            broken += 1
            with pytest.raises(pssp.VerificationError):
                tables.write(tmp_path / "t.lft")
            assert not os.path.exists(tmp_path / "t.lft")
    assert taken > 300 and broken > 300


def test_wrong_arguments(tree, routed):
    for wrong in (
        lambda: routed.evaluate(runs=-1),
        lambda: routed.evaluate(runs=2.5),
        lambda: tree.route(),
        lambda: tree.route(7),
        lambda: tree.route("pssp", 2),
        lambda: pssp.compare([routed, None]),
        lambda: routed.application("incast,1", compare=[None]),
        lambda: routed.application("incast,1", ranks=-1),
        lambda: pssp.Tables.verify(None),
        lambda: pssp.Tables.table.fget(None),
        lambda: pssp.Tables.fabric.fget(routed.fabric),
        lambda: pssp.Fabric.coordinates(None),
        lambda: pssp.Fabric.route(None, "pssp"),
        lambda: pssp.Fabric.to_networkx(None),
        lambda: pssp.Fabric(),
        lambda: pssp.Tables(),
    ):
        with pytest.raises(TypeError):
            wrong()
    for wrong in (
        lambda: pssp.make("nosuch 3"),
        lambda: pssp.make(""),
        lambda: tree.route("pssp", nosuch=1),
        lambda: tree.route("pssp", max_extra_hops="many"),
        lambda: routed.structured("nosuch"),
        lambda: routed.evaluate("tree", metrics=["nosuch"]),
        lambda: routed.evaluate("tree", ranks=10**6),
        lambda: pssp.compare([]),
        lambda: routed.application(),
        lambda: routed.application("incast,1", goal="a.goal"),
        lambda: routed.application("incast,1", order="nosuch"),
        lambda: routed.application("incast,1", sharing="nosuch"),
        lambda: routed.application("incast,1", ranks=1),
        lambda: routed.application("incast,1", ranks=2**32 - 1),
    ):
        with pytest.raises(pssp.UsageError) as raised:
            wrong()
        assert raised.value.exit_code == 2 and isinstance(raised.value, pssp.Error)
    other = pssp.make("mesh 2x2").route("updown")
    with pytest.raises(pssp.MismatchError):
        pssp.compare([routed, other], runs=2)
    with pytest.raises(pssp.MismatchError):
        routed.application("incast,1", compare=[other])


def test_names_that_are_no_utf8(tmp_path):
    topology = tmp_path / "f.net"
    topology.write_bytes(b'Switch 4 "S\xff"\n[1] "H1"[1]\n[2] "H2"[1]\n\nHca 1 "H1"\n[1] "S\xff"[1]\n\n'
                         b'Hca 1 "H2"\n[1] "S\xff"[2]\n')
    fabric = pssp.Fabric.read(topology)
    assert fabric.switch_names == ("S\ufffd",)
    assert fabric.route("pssp").path("H1", "H2")["outcome"] == "arrives"
    assert "S\ufffd" in fabric.to_networkx() if "networkx" in sys.modules else True


def test_runs_from_several_threads(tree):
    wanted = tree.route("best").evaluate(runs=50)
    tables = tree.route("best")
    found = []
    threads = [
        threading.Thread(target=lambda: found.append((tables.loads.sum(), tables.evaluate(runs=50))))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [report for _, report in found] == [wanted] * 4


# Takes many seconds of processor time, and the results would take 50 megabytes.
MANY = 1_000_000
LONG = {
    "bisections": lambda tables, runs: tables.evaluate(runs=runs),
    "pattern": lambda tables, runs: tables.samples("bisect", runs=runs),
    "compare": lambda tables, runs: pssp.compare([tables], runs=runs),
    "application": lambda tables, runs: tables.application(
        f"alltoall:linear,1MiB,{runs // 10_000},window=16", ranks=24, sharing="max-min"
    ),
}


def processor_time(work):
    before = time.process_time()
    work()
    return time.process_time() - before


def threads_now():
    """Returns the number of threads of this process, including threads of C++."""
    return len(os.listdir("/proc/self/task"))


def until_there_are(threads):
    """Waits until interrupted work has ended, which the caller does not wait for. Checks the number of threads, because on a
    busy machine threads may use no processor time for long without having ended."""
    for _ in range(1200):
        if threads_now() <= threads:
            return
        time.sleep(0.05)
    raise AssertionError("the interrupted work is still running")


@pytest.mark.parametrize("name", LONG)
def test_interruption(name):
    """The module releases the interpreter lock, so that another thread can interrupt the work. The rest of the work is skipped."""
    tables = pssp.make("chic").route("pssp")
    whole = 100 * processor_time(lambda: LONG[name](tables, MANY // 100))
    threads = threads_now()

    def interrupt():
        os.kill(os.getpid(), signal.SIGINT)

    def interrupted():
        timer = threading.Timer(0.1, interrupt)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            LONG[name](tables, MANY)
        timer.join()
        until_there_are(threads)

    # The test runner may have installed another handler.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        used = processor_time(interrupted)
    finally:
        signal.signal(signal.SIGINT, before)
    assert used < whole / 3
    assert tables.evaluate(runs=2)["usable"]
