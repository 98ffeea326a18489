"""Every table and figure of the paper, and what it proposed: one file for each family."""

from thinveil.paper.experiments import (
    adhoc,
    chains,
    evidence,
    globally,
    parameters,
    strong,
    teaching,
    twographs,
    validation,
)
from thinveil.paper.experiments.base import Experiment, Outcome

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for family in (adhoc, validation, twographs, globally, parameters, evidence, teaching, chains, strong)
    for experiment in family.EXPERIMENTS
}
"""All experiments by name, in the order of the page."""

__all__ = ["EXPERIMENTS", "Experiment", "Outcome"]
