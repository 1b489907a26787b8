"""Exploration-Enhanced Politex: no-regret reinforcement learning for average-cost problems that never reset.

    politex.EEPolitex(env, ...)           a learner (Politex, RLSVI, LSPI as well): learn, predict, save; politex.load
    politex.NeuralEEPolitex(env, ...)     the same with networks (NeuralPolitex, DQN as well), also on vector environments
    politex.DifferentialQ(env, ...)       what people compare with: politex.baselines.__all__ has all classes
    politex.run(FILE, overrides={...})    a whole run from a configuration file, as the program does it
    politex.MDP(P, cost)                  a finite MDP from arrays, or from a toy-text environment of Gymnasium
    politex.exact(env_or_mdp)             gain, bias, optimal policy, stationary distribution, kappa, sigma: computed, not learned
    politex.evaluate_policy(agent, env)   average cost of a policy with an interval, compared with another policy
    politex.evaluate_log(policy, log)     the same from a log, without running it
    politex.export_policy(agent, file)    as a table, thresholds or a C header
    politex.Guard(env, incumbent, limit)  hands control to the policy that runs today while a limit is exceeded
    gymnasium.make("politex/DeepSea-v0")  our environments; import politex registers them
    politex.callbacks                     what learn(callback=...) may call: Every, Save, Evaluate
    politex.PolitexWarning                every warning of ours: InputWarning, LearningWarning, EnvironmentWarning
    politex.Error                         every error of ours, a ValueError; its `key` names what was wrong
"""
try:
    from politex._core import Error, __version__
except ImportError as error:
    from politex import missing

    raise missing.explained(error) from error
from politex import baselines, callbacks, environments
from politex.agents import LSPI, RLSVI, EEPolitex, Politex, load
from politex.baselines import *
from politex.evaluation import evaluate_policy
from politex.exporting import export_policy
from politex.guard import Guard
from politex.logs import evaluate_log
from politex.mdp import MDP, exact
from politex.neural import DQN, NeuralEEPolitex, NeuralPolitex
from politex.notices import EnvironmentWarning, InputWarning, LearningWarning, PolitexWarning
from politex.runs import run

environments.register()

__all__ = ["DQN", "EEPolitex", "Error", "Guard", "LSPI", "MDP", "NeuralEEPolitex", "NeuralPolitex", "Politex", "RLSVI", "__version__", "evaluate_log", "evaluate_policy", "exact", "export_policy", "load", "run"]
__all__ += ["EnvironmentWarning", "InputWarning", "LearningWarning", "PolitexWarning", "baselines", "callbacks", "environments"]
__all__ += baselines.__all__
