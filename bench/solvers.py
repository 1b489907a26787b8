"""The same least squares by scikit-learn's Ridge(sparse_cg) and by SciPy's lsqr and cg: 10,000 rows of 16 tiles, as in
solver_bench.cpp, one thread. Prints milliseconds per phase; `micro_benchmarks --benchmark_filter=solve_phase` prints ours."""

import time

import numpy as np
import scipy.sparse
import scipy.sparse.linalg
from sklearn.linear_model import Ridge

ROWS, TILINGS = 10_000, 16


def rows_of(columns, rng):
    side = max(2, int((columns / TILINGS) ** 0.5))
    walk = np.empty((ROWS, 2))
    at = np.array([0.5, 0.5])
    for r in range(ROWS):
        at = np.clip(at + 0.02 * rng.standard_normal(2), 0, 1)
        walk[r] = at
    index = np.empty((ROWS, TILINGS), dtype=np.int64)
    for tiling in range(TILINGS):
        shift = np.array([tiling % TILINGS, 3 * tiling % TILINGS]) / TILINGS
        cell = np.minimum(side - 1, (walk * (side - 1) + shift).astype(int))
        index[:, tiling] = tiling * side * side + cell[:, 0] * side + cell[:, 1]
    shape = (ROWS, TILINGS * side * side)
    x = scipy.sparse.csr_matrix((np.ones(ROWS * TILINGS), index.ravel(), np.arange(0, ROWS * TILINGS + 1, TILINGS)), shape)
    return x, rng.standard_normal(ROWS) + 10 * walk[:, 0]


def milliseconds(solve):
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        solve()
        best = min(best, time.process_time() - begin)
    return 1000 * best


def main():
    print(f"{'features':>10}{'Ridge(sparse_cg)':>20}{'lsqr':>10}{'cg':>10}   (ms per phase)")
    for columns in (100, 1000, 10_000, 100_000, 1_000_000):
        x, y = rows_of(columns, np.random.default_rng(1))
        normal = scipy.sparse.linalg.LinearOperator((x.shape[1],) * 2, lambda w, x=x: x.T @ (x @ w) + w)
        ridge = Ridge(alpha=1.0, solver="sparse_cg", fit_intercept=False, tol=1e-6)
        times = [
            milliseconds(lambda: ridge.fit(x, y)),
            milliseconds(lambda: scipy.sparse.linalg.lsqr(x, y, damp=1.0, atol=1e-6, btol=1e-6)),
            milliseconds(lambda: scipy.sparse.linalg.cg(normal, x.T @ y, **cg_tolerance())),
        ]
        print(f"{x.shape[1]:>10}" + f"{times[0]:>20.1f}" + "".join(f"{each:>10.1f}" for each in times[1:]))


def cg_tolerance():
    major, minor = (int(part) for part in scipy.__version__.split(".")[:2])
    return {"rtol": 1e-6} if (major, minor) >= (1, 12) else {"tol": 1e-6}


if __name__ == "__main__":
    main()
