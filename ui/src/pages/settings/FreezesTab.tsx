// What stands still: who said so, why, and until when.
import { useQuery } from '@tanstack/react-query';
import { Snowflake } from 'lucide-react';
import { useState } from 'react';
import { freezesQuery } from '../../api/queries';
import type { Freeze } from '../../api/types';
import { Loaded } from '../../components/Loaded';
import { FreezeDialog } from '../../components/shell/FreezeDialog';
import { LiftDialog } from '../../components/shell/LiftDialog';
import { StillFor } from '../../components/StillFor';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Table } from '../../ui/Table';
import { moment } from '../../util/time';
import { whereOf } from './modes';

export function FreezesTab() {
  const query = useQuery(freezesQuery);
  const [freezing, setFreezing] = useState(false);
  const [lifting, setLifting] = useState<Freeze | null>(null);
  const mayFreeze = useWriteBlock('steer');
  const mayLift = useWriteBlock('administer');
  return (
    <Card
      title="Freezes"
      flush
      aside={
        <Button
          size="s"
          look="primary"
          icon={<Snowflake size={14} aria-hidden="true" />}
          disabledBecause={mayFreeze}
          onClick={() => setFreezing(true)}
        >
          New freeze…
        </Button>
      }
    >
      <Loaded query={query} lines={3}>
        {(freezes) =>
          freezes.length === 0 ? (
            <EmptyState icon={<Snowflake size={20} />} title="Nothing stands still">
              A freeze stops everything, a cluster, a namespace, a workload or an agent. An operator may
              freeze; lifting takes an admin.
            </EmptyState>
          ) : (
            <Table
              edged
              caption="What stands still"
              rows={freezes}
              rowKey={(freeze) => freeze.id}
              columns={[
                { key: 'id', title: 'Freeze', cell: (freeze) => freeze.id },
                { key: 'what', title: 'What', cell: whereOf },
                { key: 'why', title: 'Why', cell: (freeze) => freeze.reason },
                { key: 'by', title: 'By', cell: (freeze) => freeze.by },
                { key: 'since', title: 'Since', cell: (freeze) => moment(freeze.since) },
                {
                  key: 'until',
                  title: 'Still for',
                  cell: (freeze) => <StillFor until={freeze.until} otherwise="until it is lifted" />,
                },
                {
                  key: 'do',
                  title: <span className="visually-hidden">Do</span>,
                  numeric: true,
                  cell: (freeze) => (
                    <Button
                      size="s"
                      disabledBecause={mayLift}
                      aria-label={`Lift ${freeze.id}…`}
                      onClick={() => setLifting(freeze)}
                    >
                      Lift…
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {freezing && <FreezeDialog onClose={() => setFreezing(false)} />}
      {lifting && <LiftDialog freeze={lifting} onClose={() => setLifting(null)} />}
    </Card>
  );
}
