"""Events from the input to the public half of an egonet, and the channels that count them."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import assert_follows, few
from tests.naive import events as naive
from thinveil.errors import InputError
from thinveil.features import EventHistogram, InSlots, component_words, make_channels
from thinveil.features.channels.events import KINDS, bin_range
from thinveil.features.channels.slots import Degree
from thinveil.graph import Graph
from thinveil.graph.events import check_events, cut_time, split_slots
from thinveil.schemes.egonets import publish_egonet

SLOTS = 3


@st.composite
def event_lists(draw, most=12):
    """Nodes, and events between different ones: (source, target, direction, weight, slot)."""
    nodes = draw(st.integers(2, most))
    node = st.integers(0, nodes - 1)
    event = st.tuples(node, node, st.integers(0, 1), st.integers(-1, 40), st.integers(0, SLOTS - 1))
    return nodes, [e for e in draw(st.lists(event, max_size=4 * nodes)) if e[0] != e[1]]


def graph_of(nodes, events):
    source, target, direction, weight, time = np.array(events, dtype=np.int64).reshape(-1, 5).T
    columns = {"direction": direction.astype(np.int8), "weight": weight, "time": time}
    return Graph.from_edges(source, target, node_count=nodes, columns=columns)


def events_of(graph, names=None):
    """The events of a graph as tuples, nodes renamed; which end of an undirected one comes first says nothing."""
    names = range(graph.node_count) if names is None else names
    columns = (graph.rows.columns[name].tolist() for name in ("direction", "weight", "time"))
    rows = zip(graph.rows.source.tolist(), graph.rows.target.tolist(), *columns, strict=True)
    ends = [((int(names[s]), int(names[t])), rest) for s, t, *rest in rows]
    return [(*(pair if rest[0] else sorted(pair)), *rest) for pair, rest in ends]


def all_nodes(graph):
    return np.arange(graph.node_count, dtype=np.int32)


@few
@given(event_lists())
def test_events_are_indexed_by_person(case):
    nodes, events = case
    starts, numbers = graph_of(nodes, events).events_of
    comp = [numbers[starts[v] : starts[v + 1]].tolist() for v in range(nodes)]
    assert comp == naive.incidence(events, nodes)


def test_a_graph_without_events_has_an_empty_index():
    starts, numbers = Graph.from_edges([0], [1]).events_of
    assert (starts.tolist(), numbers.size) == ([0, 0, 0], 0)


@few
@given(event_lists(), st.data(), st.booleans())
def test_an_egonet_shows_its_own_events_and_no_others(case, data, outer_edges):
    nodes, events = case
    ego = data.draw(st.integers(0, nodes - 1))
    graph = graph_of(nodes, events)
    public, secret = publish_egonet(graph, ego, outer_edges=outer_edges, rng=np.random.default_rng(0))
    shown = naive.published(naive.neighbors(events, nodes), events, ego, outer_edges)
    told = events_of(graph)
    assert Counter(events_of(public, secret.people)) == Counter(told[k] for k in shown)
    # the edges are those that the events make
    ends = public.rows.source, public.rows.target
    assert Graph.from_edges(*ends, node_count=public.node_count).digest() == public.digest()


def test_events_do_not_change_the_pseudonyms(crowd):
    source = np.repeat(np.arange(crowd.node_count), crowd.degrees)
    busy = Graph.from_edges(source, crowd.indices, columns={"time": np.arange(source.size)})
    plain, told = (publish_egonet(g, 5, outer_edges=False, rng=np.random.default_rng(1)) for g in (crowd, busy))
    assert plain.secret.people.tolist() == told.secret.people.tolist()
    assert plain.public.digest() == told.public.digest()


@pytest.mark.parametrize(("columns", "sources"), [({}, {0, 1}), ({"direction": 0}, {0, 1}), ({"direction": 1}, {0})])
def test_the_order_of_rows_and_ends_says_nothing(columns, sources):
    """A path 0 - 1 - 2 - 3 with the events 0 1, 1 2 and 2 3: all orders and, without direction, both ends."""
    columns = {name: np.full(3, value, dtype=np.int8) for name, value in columns.items()} | {"time": np.arange(3)}
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], columns=columns)
    orders, firsts = Counter(), Counter()
    for seed in range(300):
        public, secret = publish_egonet(graph, 1, outer_edges=True, rng=np.random.default_rng(seed))
        times = public.rows.columns["time"].tolist()
        orders[tuple(times)] += 1
        firsts[int(secret.people[public.rows.source[times.index(0)]])] += 1
    assert_follows(orders, dict.fromkeys([(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)], 1))
    assert set(firsts) == sources
    if len(sources) > 1:
        assert_follows(firsts, dict.fromkeys(sources, 1))


def test_a_direction_is_told_in_one_way():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], columns={"direction": np.array([1, -1, 0], dtype=np.int8)})
    assert (graph.rows.source.tolist(), graph.rows.target.tolist()) == ([0, 2, 2], [1, 1, 0])
    assert graph.rows.columns["direction"].tolist() == [1, 1, 0]


@few
@given(event_lists(), st.sampled_from(list(KINDS)), st.integers(2, 8))
def test_channels_equal_plain_twins(case, kind, bins):
    nodes, events = case
    graph = graph_of(nodes, events)
    comp = EventHistogram(kind, bins).extract(graph, all_nodes(graph))
    assert comp.tolist() == [naive.histogram(events, v, kind, bins) for v in range(nodes)]
    assert comp.sum(axis=1).tolist() == graph.degrees.tolist()


@few
@given(event_lists())
def test_turning_every_event_swaps_out_and_in(case):
    nodes, events = case
    turned = [(t, s, *rest) for s, t, *rest in events]
    for quantity in ("contacts", "weight"):
        there, back = (
            EventHistogram(f"{quantity}-{way}").extract(graph, all_nodes(graph))
            for graph, way in ((graph_of(nodes, events), "out"), (graph_of(nodes, turned), "in"))
        )
        assert (there == back).all()


def test_missed_calls_count_as_contacts_of_no_weight():
    calls = Graph.from_edges([0, 0, 0], [1, 1, 2], columns={"weight": np.array([-1, -1, 0.5])})
    node = np.array([0], dtype=np.int32)
    assert EventHistogram("weight", 3).extract(calls, node).tolist() == [[2, 0, 0]]
    assert EventHistogram("contacts", 3).extract(calls, node).tolist() == [[0, 1, 1]]


def test_bins_double():
    spans = [bin_range(k, 5) for k in range(5)]
    assert spans == [(0, 0), (1, 1), (2, 3), (4, 7), (8, None)]
    for total in range(20):
        pair = Graph.from_edges([0], [1], columns={"weight": np.array([total])})
        place = EventHistogram("weight", 5).extract(pair, np.array([0], dtype=np.int32))[0].argmax()
        assert spans[place][0] <= total <= (spans[place][1] or total)


@pytest.mark.parametrize(("kind", "bins"), [("calls", 20), ("contacts", 1)])
def test_bad_parameters_are_named(kind, bins):
    with pytest.raises(InputError, match=f"{bins} bins of '{kind}': give 2 or more, of contacts, contacts-out"):
        EventHistogram(kind, bins)


@few
@given(event_lists())
def test_slots_part_the_events(case):
    nodes, events = case
    graph = graph_of(nodes, events)
    parts = split_slots(graph, SLOTS)
    for slot, part in enumerate(parts):
        assert [part.neighbors(v).tolist() for v in range(nodes)] == naive.neighbors(events, nodes, slot)
        assert sorted(events_of(part)) == sorted(e for e in events_of(graph) if e[4] == slot)
    channel = EventHistogram("weight-out", 4)
    whole = InSlots(channel, SLOTS).extract(graph, all_nodes(graph)).reshape(nodes, SLOTS, 4)
    assert all((whole[:, k] == channel.extract(part, all_nodes(graph))).all() for k, part in enumerate(parts))
    degrees = InSlots(Degree(), SLOTS).extract(graph, all_nodes(graph))
    assert degrees.tolist() == np.stack([part.degrees for part in parts], axis=1).tolist()


@few
@given(st.lists(st.integers(-(10**9), 10**9), min_size=2, max_size=30), st.integers(2, 9), st.randoms())
def test_time_is_cut_into_equal_spans(times, slots, random):
    """The order of the rows does not matter: some files' times jump backwards."""
    if min(times) == max(times):
        times.append(max(times) + 1)
    low, high = min(times), max(times)
    random.shuffle(times)
    ends = np.arange(len(times))
    graph = Graph.from_edges(ends, ends + 1, columns={"time": np.array(times)})
    comp = cut_time(graph, slots).rows.columns["time"].tolist()
    for time, slot in zip(times, comp, strict=True):
        share = (time - low) / (high - low) * slots
        assert slot <= share + 1e-9
        assert share <= slot + 1 + 1e-9
    assert {0, slots - 1} <= set(comp) <= set(range(slots))


def test_exact_times_are_not_published():
    """One slot shows no times at all, and several show nothing finer."""
    graph = Graph.from_edges([0, 1], [1, 2], columns={"time": np.array([7, 9]), "weight": np.array([1, 2])})
    assert set(cut_time(graph, 1).rows.columns) == {"weight"}
    assert cut_time(graph, 2).rows.columns["time"].tolist() == [0, 1]
    plain = Graph.from_edges([0], [1])
    assert cut_time(plain, 1) is plain
    with pytest.raises(InputError, match="all events have the same time: there is nothing to cut into 3 slots"):
        cut_time(Graph.from_edges([0], [1], columns={"time": np.array([7])}), 3)


def test_missing_columns_are_named():
    plain, timed = Graph.from_edges([0], [1]), Graph.from_edges([0], [1], columns={"time": np.array([7])})
    with pytest.raises(InputError, match=r"feature contacts needs the events .* --directed, --time or --weight, and"):
        EventHistogram("contacts").extract(plain, np.array([0], dtype=np.int32))
    with pytest.raises(InputError, match=r"feature weight needs a weight of each event: .* --weight"):
        EventHistogram("weight").extract(timed, np.array([0], dtype=np.int32))
    with pytest.raises(InputError, match=r"feature contacts-in needs a direction of each event: .* --directed or"):
        EventHistogram("contacts-in").extract(timed, np.array([0], dtype=np.int32))
    with pytest.raises(InputError, match=r"time in slots needs the events .* read the graph with --time"):
        cut_time(plain, 4)
    assert check_events(timed, "this", "time") is timed.rows


def test_components_are_found_in_their_channel():
    channels = make_channels(["degrees", "contacts", "weight-in"], bins=7, bin_size=3)
    places = [(0, 0), (0, 6), (1, 0), (1, 19), (2, 0), (2, 19)]
    for component, (channel, place) in zip((0, 6, 7, 26, 27, 46), places, strict=True):
        assert component_words(component, channels) == channels[channel].words(place)
    with pytest.raises(InputError, match="component 47: the channels have 47"):
        component_words(47, channels)


def test_words_say_what_is_counted_and_what_of_the_events_is_used():
    assert EventHistogram("contacts-in", 5).words(4) == "contacts with 8 or more events got from them"
    assert EventHistogram("weight-out").words(2) == "contacts with a weight of 2 to 3 sent to them"
    assert EventHistogram("contacts").events == ("number of events",)
    assert EventHistogram("weight-in").events == ("weights", "directions")
    slots = InSlots(EventHistogram("contacts", 5), SLOTS)
    assert slots.events == ("number of events", "times in 3 slots")
    assert slots.words(6) == "contacts with 1 event, in slot 2"
