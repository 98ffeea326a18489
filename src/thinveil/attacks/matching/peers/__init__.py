"""Published attacks that name people, to compare with: one file each, with its reference."""

from thinveil.attacks.matching.peers.bumblebee import Bumblebee
from thinveil.attacks.matching.peers.expand_when_stuck import ExpandWhenStuck
from thinveil.attacks.matching.peers.faq import Faq
from thinveil.attacks.matching.peers.korula_lattanzi import KorulaLattanzi
from thinveil.attacks.matching.peers.narayanan_shmatikov import NarayananShmatikov
from thinveil.attacks.matching.peers.percolation import Percolation
from thinveil.attacks.matching.peers.scores import names_from_scores

PEERS = (NarayananShmatikov, Bumblebee, KorulaLattanzi, Percolation, ExpandWhenStuck, Faq)
"""All of them; ``names_from_scores`` stands for those whose scores come in a file."""

__all__ = [
    "PEERS", "Bumblebee", "ExpandWhenStuck", "Faq", "KorulaLattanzi", "NarayananShmatikov", "Percolation",
    "names_from_scores",
]  # fmt: skip
