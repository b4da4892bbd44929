"""Makes reference.json: what SciPy says about a few samples, for the test beside it.

    python3 -m venv env && env/bin/pip install scipy==1.17.1 numpy==2.4.6
    env/bin/python reference.py > reference.json
"""

import json

import numpy
import scipy
from scipy import stats

generator = numpy.random.default_rng(2026)


def rounded(values):
    return [round(float(value), 3) for value in values]


samples = {
    "two": ([1.0, 2.0], [0.5, 3.5]),
    "five": ([1.25, 1.12, 1.36, 1.3, 1.2], [4.62, 4.5, 4.7, 4.61, 4.62]),
    "ten": (rounded(generator.normal(10, 2, 10)), rounded(generator.normal(9, 2, 10))),
    "skewed": (rounded(generator.exponential(3, 23)), rounded(generator.exponential(3, 23))),
    "ties": ([1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 5, 2, 3, 8, 5, 10]),
    "zeros": ([1, 2, 3, 4, 5, 6, 7], [1, 2, 1, 3, 4, 4, 9]),
    "wide": ([1e-9, 1e9, 3.0, -2e8, 5.5, 1e3], [0.0, 0.9e9, 4.0, -2.1e8, 5.0, 1.1e3]),
    "many": (rounded(generator.normal(0, 1, 80)), rounded(generator.normal(0.3, 1, 80))),
}


def describe(values):
    values = numpy.array(values, dtype=float)
    low, high = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
    return {
        "mean": values.mean(),
        "low": low,
        "high": high,
        "standard_deviation": values.std(ddof=1),
        "median": numpy.median(values),
        "interquartile_mean": stats.trim_mean(values, 0.25),
        "quantile_10": numpy.quantile(values, 0.1),
    }


def test(ours, theirs):
    differences = numpy.array(ours, dtype=float) - numpy.array(theirs, dtype=float)
    kept = differences[differences != 0]
    if len(kept) > 50:
        result = stats.wilcoxon(kept, method="approx", correction=False)
        return {"statistic": result.statistic, "p": result.pvalue}
    # SciPy's exact method does not know ties; all sign patterns, weighed one by one, do.
    ranks = stats.rankdata(numpy.abs(kept))
    positive = ranks[kept > 0].sum()
    statistic = min(positive, ranks.sum() - positive)
    sums = {0.0: 1}
    for rank in ranks:
        more = dict(sums)
        for key, ways in sums.items():
            more[key + rank] = more.get(key + rank, 0) + ways
        sums = more
    below = sum(ways for key, ways in sums.items() if key <= statistic)
    p = min(1.0, 2 * below / 2 ** len(kept))
    if len(set(numpy.abs(kept))) == len(kept):
        assert abs(p - stats.wilcoxon(kept, method="exact").pvalue) < 1e-12
    return {"statistic": statistic, "p": p}


def bootstrap(ours, theirs):
    differences = numpy.array(ours, dtype=float) - numpy.array(theirs, dtype=float)
    result = stats.bootstrap(
        (differences,), numpy.mean, n_resamples=200_000, method="percentile", rng=numpy.random.default_rng(1)
    )
    return {"low": result.confidence_interval.low, "high": result.confidence_interval.high}


probabilities = [0.01, 0.04, 0.03, 0.005, 0.5, 0.03]
order = numpy.argsort(probabilities, kind="stable")
running = 0.0
corrected = [0.0] * len(probabilities)
for place, index in enumerate(order):
    running = max(running, min(1.0, probabilities[index] * (len(probabilities) - place)))
    corrected[index] = running

print(
    json.dumps(
        {
            "made_with": f"scipy {scipy.__version__}, numpy {numpy.__version__}",
            "samples": {
                name: {
                    "ours": ours,
                    "theirs": theirs,
                    "estimate": describe(ours),
                    "signed_rank": test(ours, theirs),
                    "bootstrap": bootstrap(ours, theirs),
                }
                for name, (ours, theirs) in samples.items()
            },
            "student": [
                {"degrees": degrees, "quantile": stats.t.ppf(0.975, degrees)}
                for degrees in [1, 2, 3, 4, 9, 29, 99, 1000]
            ],
            "holm": {"probabilities": probabilities, "corrected": corrected},
        },
        indent=1,
        default=float,
    )
)
