// What agents learned, as far as the desk keeps it: weights, policies, forecasters, each with its card.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { modelsQuery } from '../../api/queries';
import type { LearnedModel } from '../../api/types';
import { NotRenewed } from '../../components/NotRenewed';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Copyable } from '../../ui/Copyable';
import { Dialog } from '../../ui/Dialog';
import { Table } from '../../ui/Table';
import { Tree } from '../../ui/Tree';
import { bytes } from '../../util/numbers';
import { wallMoment } from '../../util/time';
import { actorName } from '../../util/workload';
import css from './ModelsCard.module.css';

export function ModelsCard() {
  const query = useQuery(modelsQuery);
  const [open, setOpen] = useState<LearnedModel | null>(null);
  const models = query.data ?? [];
  // Most desks keep none, and nothing is missing there.
  if (models.length === 0) return null;
  return (
    <Card title="What agents learned" flush className={css.card}>
      <NotRenewed query={query} />
      <Table
        edged
        caption="Models that the desk keeps, newest first"
        rows={models}
        rowKey={({ hash }) => hash}
        columns={[
          { key: 'name', title: 'Model', cell: ({ name }) => name },
          { key: 'kind', title: 'Kind', cell: ({ kind }) => kind },
          {
            key: 'hash',
            title: 'Hash',
            cell: ({ hash }) => <Copyable text={hash} label={`Copy hash ${hash}`} />,
          },
          { key: 'size', title: 'Size', numeric: true, cell: ({ size }) => bytes(size) },
          {
            key: 'kept',
            title: 'Kept',
            cell: ({ createdWall, createdBy }) => `${wallMoment(createdWall)} by ${actorName(createdBy)}`,
          },
          {
            key: 'card',
            title: <span className="visually-hidden">Card</span>,
            numeric: true,
            cell: (model) => (
              <Button
                size="s"
                look="quiet"
                aria-label={`How ${model.name} was trained`}
                onClick={() => setOpen(model)}
              >
                How it was trained
              </Button>
            ),
          },
        ]}
      />
      {open && (
        <Dialog wide title={`${open.name}: how it was trained`} onClose={() => setOpen(null)}>
          <Tree value={open.card} open={3} />
        </Dialog>
      )}
    </Card>
  );
}
