"""The kernels of collective linkage beside their plain twins."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import as_pairs, few, linked, ordered
from tests.naive import linkage as naive
from tests.naive import margins as naive_margins
from tests.scenes import bare, scenes
from thinveil.attacks.collective import Links
from thinveil.attacks.collective.anchors import first_clusters, list_alike
from thinveil.attacks.collective.assignment import assign
from thinveil.attacks.collective.candidates import find_candidates
from thinveil.attacks.collective.clusters import list_clusters
from thinveil.attacks.collective.columns import USED, WORDS, Evidence, Lead, Verdict
from thinveil.attacks.collective.evidence import weigh_pairs
from thinveil.attacks.collective.lessons import is_right
from thinveil.attacks.collective.margins import Best, add_margins, margin
from thinveil.attacks.collective.merging import Clustering, merge
from thinveil.attacks.collective.notes import make_notes
from thinveil.attacks.collective.presence import largest_visible, list_presence, meeting, sum_by_subgraph
from thinveil.features import Neighbors
from thinveil.graph import Graph

small = st.integers(0, 9)


@given(st.lists(st.tuples(small, small).filter(lambda e: e[0] < e[1]), unique=True), st.sets(small))
def test_neighbors_among_appearances(edges, nodes):
    nodes = sorted(nodes)
    graph = Graph.from_edges([u for u, _ in edges], [v for _, v in edges], node_count=10)
    part = Neighbors.among(graph, np.array(nodes, dtype=np.int32))
    ref = naive.rows_among(edges, nodes)
    assert [part.of(k).tolist() for k in range(len(nodes))] == ref
    twice = Neighbors.join([part, part])
    assert [twice.of(k).tolist() for k in range(2 * len(nodes))] == ref + [[r + len(nodes) for r in row] for row in ref]
    circles = [set(graph.neighbors(v).tolist()) for v in range(10)]
    shared = [len(circles[nodes[k]] & circles[nodes[other]]) for k, row in enumerate(ref) for other in row]
    assert twice.shared.tolist() == shared * 2


@given(linked(), st.lists(st.tuples(st.integers(0, 23), st.integers(0, 23), st.integers(1, 6)), max_size=20))
def test_merging(case, links):
    subgraph = case[0]
    links = [link for link in links if max(link[:2]) < subgraph.size and subgraph[link[0]] != subgraph[link[1]]]
    links.sort(key=lambda link: -link[2])
    sure = [float(link[2]) for link in links]
    cluster, kept = merge(as_pairs(links), np.array(sure), subgraph)
    ref, followed = naive.merge([link[:2] for link in links], sure, subgraph.tolist())
    assert kept.tolist() == followed
    for row in range(subgraph.size):
        mine = set(np.flatnonzero(cluster == cluster[row]).tolist()) if cluster[row] >= 0 else {row}
        assert mine == ref[row]


@few
@given(scenes())
def test_clusters_and_their_contacts(scene):
    clusters, cluster = scene.clusters, scene.case["cluster"]
    groups = [scene.members(c) for c in range(clusters.sizes.size)]
    assert sorted(group for group in groups if group) == sorted(naive.clusters(cluster))
    # the same clusters under other numbers
    names = {int(new): int(old) for new, old in zip(clusters.merged, cluster, strict=True)}
    assert all((old < 0) == (new < 0) for new, old in names.items())
    knowers = np.zeros(clusters.merged_count)
    for c, members in enumerate(groups):
        part = slice(clusters.starts[c], clusters.starts[c + 1])
        met = naive.known_contacts(members, scene.knows, scene.case)
        assert {names[int(g)] for g in clusters.contacts[part]} == set(met)
        columns = (
            clusters.contacts, clusters.times, clusters.most, clusters.second, clusters.trust, clusters.next_trust
        )  # fmt: skip
        for g, times, *two in zip(*(column[part].tolist() for column in columns), strict=True):
            ties, trust = (sorted(values, reverse=True) for values in zip(*met[names[g]], strict=True))
            assert (times, *two) == (len(ties), *[*ties, -1][:2], *[*trust, 0.0][:2])
            knowers[g] += 1
        degrees = sorted((scene.case["degree"][row] for row in members), reverse=True)
        assert clusters.degrees[c].tolist() == ([*degrees, 0, 0])[:2]
    assert np.diff(clusters.ends).tolist() == knowers.tolist()
    assert clusters.weight == pytest.approx(1 / np.log2(2 + knowers))


@given(
    st.lists(st.tuples(st.integers(0, 199), st.integers(-1, 2), st.booleans()), min_size=1, max_size=40),
    st.lists(st.integers(0, 2), min_size=3, max_size=3),
)
def test_presence(drawn, known):
    """Up to 200 sub-graphs: bits in several words; three merged clusters, and every other appearance alone."""
    subgraph, merged, inner = (np.array(column) for column in zip(*drawn, strict=True))
    merged, subgraph = merged.astype(np.int32), subgraph.astype(np.int32)
    cluster = np.where(merged >= 0, merged, 3 + np.arange(merged.size)).astype(np.int32)
    presence = list_presence(merged, cluster, inner, subgraph, (3, 3 + merged.size))
    case = {"cluster": merged.tolist(), "subgraph": subgraph.tolist(), "inner": inner.tolist()}
    known, worth = np.unique(known).astype(np.int32), np.arange(1, np.unique(known).size + 1, dtype=np.float32)
    sums = np.empty((64 * presence.merged.shape[1], 2), dtype=np.float32)
    sum_by_subgraph(known, worth, presence, sums)
    for c in range(3 + merged.size):
        others = np.flatnonzero(cluster == c).tolist()
        for g, home in itertools.product(range(3), (0, 64, int(subgraph[0]))):
            ref = naive.met_elsewhere(g, [row for row in others if subgraph[row] != home], home, case)
            assert meeting(g, c, home, presence) == sum(ref)
        each = [naive.met_elsewhere(g, [row], -1, case)[1] for row in others for g in known.tolist()]
        totals = np.reshape(each, (len(others), known.size)) @ worth if others else np.zeros(1)
        assert largest_visible(c, presence, sums) == pytest.approx(totals.max())


def weigh_all(scene):
    """The evidence for every appearance with every cluster, as {(appearance, cluster): line}."""
    lines = {}
    members = np.flatnonzero(scene.clusters.sizes).astype(np.int32)
    for first, last in scene.seen.spans():
        row, cluster = np.repeat(np.arange(first, last), members.size), np.tile(members, last - first)
        table = np.full((row.size, len(Evidence)), np.nan, dtype=np.float32)
        notes = make_notes(scene.clusters.merged_count)
        weigh_pairs((first, last), row, cluster, scene.seen, scene.clusters, scene.anchors, notes, table)
        lines.update(zip(zip(row.tolist(), cluster.tolist(), strict=True), table, strict=True))
    return lines


def assert_equal_evidence(scene, row, cluster, line):
    ref = naive.evidence(row, scene.members(cluster), *scene.twin(), scene.alike)
    assert ref.keys() == set(Evidence.__members__)
    wanted = np.array([ref[name] for name in Evidence.__members__], dtype=float)
    assert line[: len(Evidence)] == pytest.approx(wanted, rel=1e-5, abs=1e-6)


@few
@given(scenes())
def test_evidence_is_that_of_the_cluster_without_the_appearance(scene):
    for (row, cluster), line in weigh_all(scene).items():
        assert_equal_evidence(scene, row, cluster, line)


def test_columns_are_named_once():
    """Names are unique, the numbers are those of the table, and the words of a comparison fit its columns."""
    for table in (Evidence, Lead, Verdict):
        assert [int(column) for column in table] == list(range(len(table.__members__)))
    used = [name for name, column in Evidence.__members__.items() if column.used]
    assert tuple(Evidence[name] for name in used) == USED
    names = [*used, *Lead.__members__, *Verdict.__members__]
    assert len(set(names)) == len(names)
    assert len(WORDS) == 2 * len(names) + 1


@few
@given(scenes())
def test_candidates_hold_the_best_and_none_of_the_sub_graph(scene):
    seen, clusters = scene.seen, scene.clusters
    for span in seen.spans():
        found = find_candidates(span, seen, clusters, scene.anchors)
        for row in range(*span):
            mine = found.cluster[found.appearance == row].tolist()
            assert len(set(mine)) == len(mine) <= 12
            assert all(clusters.home[c] != seen.subgraph[row] for c in mine)
            support = {}
            for c in np.flatnonzero(clusters.sizes).tolist():
                if c != clusters.cluster[row] and clusters.home[c] != seen.subgraph[row]:
                    held, net = naive.net_support(row, scene.members(c), *scene.twin())
                    if held:
                        support[c] = net
            if support:
                best = max(support.values())
                assert any(support.get(c, -np.inf) == pytest.approx(best, abs=1e-5) for c in mine)
            for c, line in zip(mine, found.evidence[found.appearance == row], strict=True):
                assert_equal_evidence(scene, row, c, line)


@few
@given(scenes())
def test_a_short_reach_ends_with_the_rarest_contact(scene):
    seen, clusters = scene.seen, scene.clusters._replace(reach=0)
    for span in seen.spans():
        found = find_candidates(span, seen, clusters, scene.anchors)
        for row in range(*span):
            known = [g for g in clusters.guess[seen.indices[seen.indptr[row] : seen.indptr[row + 1]]] if g >= 0]
            ends = clusters.ends[min(known) :][:2] if known else [0, 0]
            allowed = {clusters.cluster[row], *(clusters.cluster[two] for one, two, _ in scene.alike if one == row)}
            allowed |= set(clusters.known_to[ends[0] : ends[1]].tolist())
            assert set(found.cluster[found.appearance == row].tolist()) <= allowed


pairs_of_numbers = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from([-1.0, 0.0, 0.25, 2.0, 2.0 + 1e-8])), max_size=12
)


@given(pairs_of_numbers, pairs_of_numbers)
def test_margins(group, asked):
    key, value = np.array([k for k, _ in group], dtype=np.int64), np.array([v for _, v in group])
    for k, lead in enumerate(margin(key, value)):
        others = [value[j] for j in range(key.size) if j != k and key[j] == key[k]]
        assert lead == pytest.approx(naive_margins.margin(value[k], others))
    wanted, said = np.array([k for k, _ in asked], dtype=np.int64), np.array([v for _, v in asked])
    for k, lead in enumerate(Best.of(key, value).margin(wanted, said)):
        rivals = [v for j, v in group if j == wanted[k]]
        assert lead == pytest.approx(naive_margins.margin_among(said[k], rivals))


def named(line):
    return {name: float(line[column]) for name, column in Evidence.__members__.items()}


@few
@given(scenes())
def test_leads_are_added_to_the_evidence(scene):
    for span in scene.seen.spans():
        found = find_candidates(span, scene.seen, scene.clusters, scene.anchors)
        evidence = found.evidence[:, : len(Evidence)]
        table = add_margins(found.appearance, found.cluster, evidence)
        assert (table == found.evidence).all()
        assert table.shape[1] == len(Evidence) + len(Lead)
        said = zip(found.appearance.tolist(), found.cluster.tolist(), map(named, evidence), strict=True)
        for line, ref in zip(table, naive_margins.leads(list(said)), strict=True):
            assert ref == pytest.approx(
                {name: line[len(Evidence) + k] for name, k in Lead.__members__.items()}, abs=1e-5
            )


def judge_plain(appearance, line):
    """Any smooth function of some evidence and of some leads."""
    odds = line["NET_WEIGHT"] + 0.5 * line["NET_OF_CLUSTER"] - 0.25 * line["COSINE_OF_APPEARANCE"] + appearance % 3
    return 1 / (1 + np.exp(-odds / 4))


def judge(appearance, evidence):
    leads = {name: evidence[:, len(Evidence) + column] for name, column in Lead.__members__.items()}
    return judge_plain(appearance, {"NET_WEIGHT": evidence[:, Evidence.NET_WEIGHT], **leads}).astype(np.float64)


def judged_candidates(scene):
    """The candidates of each sub-graph with their probability, for the plain twin."""
    every = []
    for span in scene.seen.spans():
        found = find_candidates(span, scene.seen, scene.clusters, scene.anchors)
        lines = [named(line) for line in found.evidence]
        said = list(zip(found.appearance.tolist(), found.cluster.tolist(), lines, strict=True))
        leads = naive_margins.leads(said)
        every.append([(*one, judge_plain(one[0], {**one[2], **lead})) for one, lead in zip(said, leads, strict=True)])
    return every


@few
@given(scenes(), st.data())
def test_links_compare_pairs_like_their_plain_twin(scene, data):
    seen, clusters = scene.seen, scene.clusters
    row = st.integers(0, seen.degree.size - 1)
    pairs = data.draw(st.lists(st.tuples(row, row), max_size=12))
    left, right = (np.array([pair[k] for pair in pairs], dtype=np.int64) for k in (0, 1))
    table = Links.of(seen, clusters, scene.anchors, judge).compare(left, right)
    assert table.shape == (len(pairs), len(WORDS))
    evidence, found = weigh_all(scene), judged_candidates(scene)
    unused = [name for name, column in Evidence.__members__.items() if not column.used]

    def side(one, two):
        cluster = int(clusters.cluster[two])
        line = named(evidence[one, cluster])
        return naive_margins.one_side(one, cluster, line, found[seen.subgraph[one]], judge_plain)

    for (p, q), line in zip(pairs, table, strict=True):
        ref = naive_margins.compare(side(p, q), side(q, p), unused)
        same = scene.case["cluster"][p] == scene.case["cluster"][q] >= 0
        assert line.tolist() == pytest.approx([*ref, float(same)], abs=1e-4)


@given(
    st.lists(st.tuples(st.integers(1, 30), st.integers(0, 2), st.booleans()), max_size=12),
    st.sampled_from([0.3, 0.5, 0.9, 1.0]),
)
def test_alike(drawn, ratio):
    degree, subgraph, inner = (np.array([one[k] for one in drawn]) for k in range(3))
    seen = bare(subgraph.astype(np.int32))._replace(inner=inner.astype(bool), degree=degree.astype(np.int32))
    ref = [
        (x, y) for y in range(len(drawn)) for x in range(y)
        if min(degree[x], degree[y]) >= ratio * max(degree[x], degree[y]) - 1e-9
        and subgraph[x] != subgraph[y] and inner[x] and inner[y]
    ]  # fmt: skip
    assert sorted(ordered(list_alike(seen, ratio=ratio))) == sorted(ref)  # 20 for each are enough here


def test_the_surest_of_both_is_followed():
    pairs, subgraph = as_pairs([(0, 2), (0, 3), (1, 3)]), np.array([0, 0, 1, 1], dtype=np.int32)
    assert first_clusters(pairs, np.array([0.9, 0.8, 0.6]), subgraph, 0.5).cluster.tolist() == [0, -1, 0, -1]
    assert first_clusters(pairs, np.array([0.9, 0.5, 0.6]), subgraph, 0.5).cluster.tolist() == [0, 1, 0, 1]
    assert first_clusters(pairs, np.array([0.9, 0.5, 0.6]), subgraph, 0.7).cluster.tolist() == [0, -1, 0, -1]


def test_what_is_not_sure_is_guessed():
    """0 and 1 become a cluster; 2 looks like 0, 3 too but less; 4 is where that cluster is present already."""
    seen = bare(np.array([0, 1, 2, 2, 1, 3], dtype=np.int32))
    clusters = list_clusters(seen, Clustering.empty(6), np.random.default_rng(0))
    appearance, sure = np.array([1, 2, 3, 4, 5, 5]), np.array([0.9, 0.4, 0.3, 0.4, 0.2, 0.2])

    def assigned(others, sure, threshold):
        return assign(appearance, clusters.cluster[others].astype(np.int64), sure, seen, clusters, threshold)

    made = assigned([0, 0, 0, 0, 0, 2], sure, 0.5)
    assert made.cluster.tolist() == [0, 0, -1, -1, -1, -1]
    assert made.guess.tolist() == [0, 0, 0, -1, -1, 0]  # 2 has no cluster: 5 can only be guessed to be with 0
    assert made.trust.tolist() == pytest.approx([0.9, 0.9, 0.4, 0, 0, 0.2])
    clash = assigned([0, 0, 0, 0, 0, 2], np.full(6, 0.3), 0.5)
    assert clash.guess.tolist() == [-1] * 6  # no links, no clusters to be guessed
    assert assigned([0] * 6, np.array([0.9, 0.4, 0.4, 0.4, 0.6, 0.2]), 0.7).guess[2:4].tolist() == [-1, -1]


def test_one_of_two_that_stays_keeps_the_other():
    """0 and 1 are a cluster of two: one that stays is enough, and 2 may join them, or one of them may join 2."""
    seen = bare(np.arange(3, dtype=np.int32))
    before = np.array([0, 0, -1], dtype=np.int32)
    made = Clustering(before, before, np.ones(3, dtype=np.float32))
    clusters = list_clusters(seen, made, np.random.default_rng(0))
    two, third = clusters.cluster[[0, 2]].tolist()

    def joined(*links):
        appearance, cluster = (np.array(side, dtype=np.int64) for side in zip(*links, strict=True))
        return assign(appearance, cluster, np.full(len(links), 0.9), seen, clusters, 0.5).cluster.tolist()

    assert joined((0, two)) == [0, 0, -1]
    assert joined((0, two), (2, two)) == [0, 0, 0]
    assert joined((2, two)) == [-1, -1, -1]  # both have left
    assert joined((1, third)) == [-1, 0, 0]


def test_the_answer_is_that_of_most_other_appearances():
    cluster_of, person = np.array([0, 0, 0, 1], dtype=np.int32), np.array([5, 5, 6, 5], dtype=np.int32)
    appearance, cluster = np.array([0, 2, 3, 0]), np.array([0, 0, 0, 1], dtype=np.int32)
    # 0 beside 1 and 2: one of two is not most; 3 beside 0, 1 and 2: two of three are
    assert is_right(appearance, cluster, cluster_of, person).tolist() == [False, False, True, True]
