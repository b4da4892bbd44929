// What a comparison showed: in words, in numbers, over time, in figures.
import { getRouteApi } from '@tanstack/react-router';
import { Download, TriangleAlert } from 'lucide-react';
import { resultsAddress, type Comparison, type ComparisonResults } from '../../api/laboratory';
import { Badge } from '../../ui/Badge';
import { Card } from '../../ui/Card';
import { Segments } from '../../ui/Segments';
import { Courses } from './Courses';
import { Figures } from './Figures';
import { Matrix } from './Matrix';
import type { CompareSearch } from './search';
import css from './Results.module.css';

const route = getRouteApi('/inside/compare');

export function Results({ comparison, results }: { comparison: Comparison; results: ComparisonResults }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: CompareSearch) => void navigate({ search: { ...search, ...next }, replace: true });
  const several = results.arms.length > 1;
  const view = several ? (search.view ?? 'absolute') : 'absolute';
  return (
    <>
      <Card
        title="What can be said"
        aside={
          results.tooFewSeeds && (
            <Badge tone="warn" icon={<TriangleAlert size={13} aria-hidden="true" />}>
              too few seeds
            </Badge>
          )
        }
      >
        <ul className={css.sentences}>
          {results.conclusions.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {results.caveats.length > 0 && (
          <ul className={css.caveats}>
            {results.caveats.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
      </Card>
      <Courses arms={results.arms} />
      <Card
        title="Metrics"
        flush
        aside={
          <>
            {several && (
              <Segments
                label="Numbers"
                value={view}
                onChange={(next) => change({ view: next === 'absolute' ? undefined : next })}
                options={[
                  { value: 'absolute', title: 'Absolute' },
                  { value: 'relative', title: `Relative to ${results.baseline}` },
                ]}
              />
            )}
            <a
              className={css.download}
              href={resultsAddress(comparison.id)}
              download={`${comparison.scenario}-${comparison.id}.json`}
            >
              <Download size={13} aria-hidden="true" /> All numbers as JSON
            </a>
          </>
        }
      >
        <Matrix
          results={results}
          view={view}
          dots={search.dots}
          onDots={(key) => change({ dots: key === search.dots ? undefined : key })}
        />
        <p className={css.legend}>
          Mean over seeds with its 95 % interval. Bold is what is shown to be best: its difference to the next
          excludes zero. Runs that failed or took too long are counted in no mean.
        </p>
      </Card>
      <Figures
        id={comparison.id}
        figures={results.figures}
        open={search.figure}
        onOpen={(figure) => change({ figure })}
      />
    </>
  );
}
