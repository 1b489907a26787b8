"""The settings of the learners for type checkers. Written by tests/python/settings_test.py; do not edit."""

from typing import TypedDict

__all__ = [
    "CenteredQSettings",
    "DQNSettings",
    "DifferentialQSettings",
    "DifferentialSarsaSettings",
    "EEPolitexSettings",
    "LSPISettings",
    "MDPEXP2Settings",
    "MDPOOMDSettings",
    "NeuralEEPolitexSettings",
    "NeuralPolitexSettings",
    "OptimisticQSettings",
    "PSRLSettings",
    "PolitexSettings",
    "QLearningSettings",
    "RLSVISettings",
    "RVIQSettings",
    "UCRL2BSettings",
]


class EEPolitexSettings(TypedDict, total=False):
    estimator: str
    visits: str
    average: str
    horizon: int | str
    lspe: str
    lspe_iterations: int
    lspe_step: float
    eta: float | str
    q_max: float
    combine: str
    baseline: str
    ridge: float | str
    buffer: int
    solve: str
    solver: str
    tolerance: float
    solver_iterations: int
    path: str
    incumbent: str
    incumbent_weight: float
    rollouts: int
    follow: int | str
    exploration: str
    explore: int | str
    coprime: bool
    kind: str
    basis: bool
    bins: int
    memory: int
    tilings: int
    tiles: int
    groups: str
    order: int
    coupling: int
    degree: int
    centers: int
    width: float
    count: int
    scale: float
    frequency_seed: int
    file: str
    every: int


class PolitexSettings(TypedDict, total=False):
    estimator: str
    visits: str
    average: str
    horizon: int | str
    lspe: str
    lspe_iterations: int
    lspe_step: float
    eta: float | str
    q_max: float
    combine: str
    baseline: str
    ridge: float | str
    buffer: int
    solve: str
    solver: str
    tolerance: float
    solver_iterations: int
    path: str
    incumbent: str
    incumbent_weight: float
    rollouts: int
    follow: int | str
    kind: str
    basis: bool
    bins: int
    memory: int
    tilings: int
    tiles: int
    groups: str
    order: int
    coupling: int
    degree: int
    centers: int
    width: float
    count: int
    scale: float
    frequency_seed: int
    file: str
    every: int


class RLSVISettings(TypedDict, total=False):
    buffer: int
    solver: str
    tolerance: float
    solver_iterations: int
    prior: float
    noise: float
    path: str
    incumbent: str
    incumbent_weight: float
    rollouts: int
    follow: int | str
    kind: str
    basis: bool
    bins: int
    memory: int
    tilings: int
    tiles: int
    groups: str
    order: int
    coupling: int
    degree: int
    centers: int
    width: float
    count: int
    scale: float
    frequency_seed: int
    file: str
    every: int


class LSPISettings(TypedDict, total=False):
    ridge: float | str
    buffer: int
    solve: str
    solver: str
    tolerance: float
    solver_iterations: int
    epsilon: float
    path: str
    incumbent: str
    incumbent_weight: float
    rollouts: int
    follow: int | str
    kind: str
    basis: bool
    bins: int
    memory: int
    tilings: int
    tiles: int
    groups: str
    order: int
    coupling: int
    degree: int
    centers: int
    width: float
    count: int
    scale: float
    frequency_seed: int
    file: str
    every: int


class NeuralEEPolitexSettings(TypedDict, total=False):
    path: str
    explore: int | str
    phase_scale: float
    phase_steps: int
    follow_scale: float
    whole_episodes: bool
    kind: str
    network_kind: str
    hidden: int
    layers: int
    capacity: int
    replay_kind: str
    priority_exponent: float
    importance_exponent: float
    target: str
    double_q: bool
    mode: str
    discount: float
    gain_rate: float
    restarts: bool
    batch: int
    n_step: int
    transform: str
    cost_scale: float
    target_copy: int
    rate: float
    adam_epsilon: float
    clip: float
    n_step_explorer: int
    environments: int
    transitions_per_step: int
    threads: int
    policy_combine: str
    step_norm: str
    alpha: float
    ring: int


class NeuralPolitexSettings(TypedDict, total=False):
    path: str
    phase_scale: float
    phase_steps: int
    kind: str
    network_kind: str
    hidden: int
    layers: int
    capacity: int
    replay_kind: str
    priority_exponent: float
    importance_exponent: float
    target: str
    double_q: bool
    mode: str
    discount: float
    gain_rate: float
    restarts: bool
    batch: int
    n_step: int
    transform: str
    cost_scale: float
    target_copy: int
    rate: float
    adam_epsilon: float
    clip: float
    environments: int
    transitions_per_step: int
    threads: int
    policy_combine: str
    step_norm: str
    alpha: float
    ring: int


class DQNSettings(TypedDict, total=False):
    epsilon: float
    path: str
    phase_scale: float
    phase_steps: int
    kind: str
    network_kind: str
    hidden: int
    layers: int
    capacity: int
    replay_kind: str
    priority_exponent: float
    importance_exponent: float
    target: str
    double_q: bool
    mode: str
    discount: float
    gain_rate: float
    restarts: bool
    batch: int
    n_step: int
    transform: str
    cost_scale: float
    target_copy: int
    rate: float
    adam_epsilon: float
    clip: float
    environments: int
    transitions_per_step: int
    threads: int


class QLearningSettings(TypedDict, total=False):
    epsilon: float
    step_size: float
    gamma: float
    path: str
    incumbent: str
    incumbent_weight: float
    rollouts: int
    follow: int | str
    kind: str
    basis: bool
    bins: int
    memory: int
    tilings: int
    tiles: int
    groups: str
    order: int
    coupling: int
    degree: int
    centers: int
    width: float
    count: int
    scale: float
    frequency_seed: int
    file: str
    every: int


class DifferentialQSettings(TypedDict, total=False):
    epsilon: float
    step_size: float
    average_rate: float
    path: str
    incumbent: str
    incumbent_weight: float
    rollouts: int
    follow: int | str
    kind: str
    basis: bool
    bins: int
    memory: int
    tilings: int
    tiles: int
    groups: str
    order: int
    coupling: int
    degree: int
    centers: int
    width: float
    count: int
    scale: float
    frequency_seed: int
    file: str
    every: int


class CenteredQSettings(TypedDict, total=False):
    epsilon: float
    step_size: float
    gamma: float
    average_rate: float
    path: str
    incumbent: str
    incumbent_weight: float
    rollouts: int
    follow: int | str
    kind: str
    basis: bool
    bins: int
    memory: int
    tilings: int
    tiles: int
    groups: str
    order: int
    coupling: int
    degree: int
    centers: int
    width: float
    count: int
    scale: float
    frequency_seed: int
    file: str
    every: int


class RVIQSettings(TypedDict, total=False):
    epsilon: float
    step_size: float
    reference: str
    path: str
    incumbent: str
    incumbent_weight: float
    rollouts: int
    follow: int | str
    kind: str
    basis: bool
    bins: int
    memory: int
    tilings: int
    tiles: int
    groups: str
    order: int
    coupling: int
    degree: int
    centers: int
    width: float
    count: int
    scale: float
    frequency_seed: int
    file: str
    every: int


class DifferentialSarsaSettings(TypedDict, total=False):
    epsilon: float
    step_size: float
    average_rate: float
    lambda_: float
    path: str
    incumbent: str
    incumbent_weight: float
    rollouts: int
    follow: int | str
    kind: str
    basis: bool
    bins: int
    memory: int
    tilings: int
    tiles: int
    groups: str
    order: int
    coupling: int
    degree: int
    centers: int
    width: float
    count: int
    scale: float
    frequency_seed: int
    file: str
    every: int


class OptimisticQSettings(TypedDict, total=False):
    gamma: float
    bonus: float
    path: str
    incumbent: str
    incumbent_weight: float
    rollouts: int
    follow: int | str
    kind: str
    basis: bool
    bins: int
    memory: int
    tilings: int
    tiles: int
    groups: str
    order: int
    coupling: int
    degree: int
    centers: int
    width: float
    count: int
    scale: float
    frequency_seed: int
    file: str
    every: int


class MDPOOMDSettings(TypedDict, total=False):
    window: int
    update_every: int
    policy_rate: float
    path: str
    incumbent: str
    incumbent_weight: float
    rollouts: int
    follow: int | str
    kind: str
    basis: bool
    bins: int
    memory: int
    tilings: int
    tiles: int
    groups: str
    order: int
    coupling: int
    degree: int
    centers: int
    width: float
    count: int
    scale: float
    frequency_seed: int
    file: str
    every: int


class MDPEXP2Settings(TypedDict, total=False):
    ridge: float | str
    window: int
    policy_rate: float
    pieces: int
    path: str
    incumbent: str
    incumbent_weight: float
    rollouts: int
    follow: int | str
    kind: str
    basis: bool
    bins: int
    memory: int
    tilings: int
    tiles: int
    groups: str
    order: int
    coupling: int
    degree: int
    centers: int
    width: float
    count: int
    scale: float
    frequency_seed: int
    file: str
    every: int


class UCRL2BSettings(TypedDict, total=False):
    bonus: float
    delta: float
    path: str
    incumbent: str
    incumbent_weight: float
    rollouts: int
    follow: int | str
    kind: str
    basis: bool
    bins: int
    memory: int
    tilings: int
    tiles: int
    groups: str
    order: int
    coupling: int
    degree: int
    centers: int
    width: float
    count: int
    scale: float
    frequency_seed: int
    file: str
    every: int


class PSRLSettings(TypedDict, total=False):
    prior: float
    path: str
    incumbent: str
    incumbent_weight: float
    rollouts: int
    follow: int | str
    kind: str
    basis: bool
    bins: int
    memory: int
    tilings: int
    tiles: int
    groups: str
    order: int
    coupling: int
    degree: int
    centers: int
    width: float
    count: int
    scale: float
    frequency_seed: int
    file: str
    every: int
