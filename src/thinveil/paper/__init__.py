"""The paper, table by table: everything it prints, measured again, and what it proposed."""

from thinveil.paper.experiments import EXPERIMENTS, Experiment
from thinveil.paper.lab import FULL, QUICK, Effort
from thinveil.paper.running import PAGE, Finished, choose, reproduce

__all__ = ["EXPERIMENTS", "FULL", "PAGE", "QUICK", "Effort", "Experiment", "Finished", "choose", "reproduce"]
