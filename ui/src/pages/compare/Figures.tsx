// The laboratory's own figures, as they stand in its report. They are pictures: nothing in them runs.
import { ExternalLink, Maximize2 } from 'lucide-react';
import { figureAddress, type Figure } from '../../api/laboratory';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Dialog } from '../../ui/Dialog';
import { count } from '../../util/numbers';
import css from './Figures.module.css';

interface Props {
  id: string;
  figures: Figure[];
  /** The name of the one that is open large. */
  open: string | undefined;
  onOpen: (name: string | undefined) => void;
}

export function Figures({ id, figures, open, onOpen }: Props) {
  const large = figures.find((figure) => figure.name === open);
  if (figures.length === 0) return null;
  return (
    <Card title="Figures" aside={count(figures.length, 'figure')}>
      <ul className={css.figures}>
        {figures.map((figure) => (
          <li key={figure.name}>
            <figure className={css.figure}>
              <img
                src={figureAddress(id, figure.name)}
                alt={figure.description}
                loading="lazy"
                className={css.picture}
              />
              <figcaption className={css.caption}>
                <h3>{figure.title}</h3>
                <p>{figure.note}</p>
                <Button
                  size="s"
                  look="quiet"
                  icon={<Maximize2 size={13} aria-hidden="true" />}
                  aria-label={`Open large: ${figure.title}`}
                  onClick={() => onOpen(figure.name)}
                >
                  Open large
                </Button>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
      {large && (
        <Dialog
          title={large.title}
          wide
          onClose={() => onOpen(undefined)}
          actions={
            <a href={figureAddress(id, large.name)} target="_blank" rel="noreferrer" className={css.file}>
              <ExternalLink size={14} aria-hidden="true" /> The file alone (SVG)
            </a>
          }
        >
          <img src={figureAddress(id, large.name)} alt={large.description} className={css.large} />
          <p>{large.note}</p>
          <p className={css.description}>{large.description}</p>
        </Dialog>
      )}
    </Card>
  );
}
