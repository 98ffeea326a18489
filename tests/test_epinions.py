"""The paper's sample sizes (its appendix) on its own graph; THINVEIL_DATA says in which folder it is."""

import pytest

from thinveil.features import DegreeHistogram, Needs, label, observe
from thinveil.features.pairs import PairSampler
from thinveil.graph.reading import read_graph
from thinveil.schemes import detect_ego, make_scheme


@pytest.fixture(scope="module")
def epinions(data_dir):
    path = data_dir / "soc-Epinions1.txt.gz"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return read_graph(path)


@pytest.mark.parametrize(("scheme", "paper"), [("d4d-1", (579, 51_716, 1_910_868)), ("d4d-2", (959, 11_407, 46_830))])
def test_identical_pairs_are_as_many_as_the_papers(epinions, scheme, paper):
    release = make_scheme(scheme).publish(epinions, seed=0)
    view = observe(release.public, Needs((DegreeHistogram(),)))
    sampler = PairSampler(view.subgraph, label(release.secret, view))
    # over 40 draws of egos the 1-hop count went from 433 to 1,955
    for category, count in zip(("1-hop", "1,2-hop", "2-hop"), paper, strict=True):
        assert count / 5 < sampler.count(category) < count * 5
    assert (view.degree > 5).all()
    assert (view.vectors(DegreeHistogram().name).sum(axis=1) == view.degree).all()


def test_egos_of_large_egonets_can_be_told(epinions):
    release = make_scheme("d4d-2:egonets=40").publish(epinions, seed=0)
    egos = [detect_ego(public) for public in release.public]
    found = [secret.hops[ego] for ego, secret in zip(egos, release.secret, strict=True) if ego is not None]
    assert len(found) > 20  # "given a large egonet it is easy to detect" (Section 2.3); 30 of these 40
    assert set(found) == {0}
