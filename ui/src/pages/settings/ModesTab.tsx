// Who answers where.
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { modesQuery, type Mode } from '../../api/administration';
import { Loaded } from '../../components/Loaded';
import { StillFor } from '../../components/StillFor';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Table } from '../../ui/Table';
import { ClearModeDialog } from './ClearModeDialog';
import { ModeDialog } from './ModeDialog';
import { limitsOf, MODES, placeKey, whereOf } from './modes';
import css from './settings.module.css';

export function ModesTab() {
  const query = useQuery(modesQuery);
  const blocked = useWriteBlock('administer');
  const [setting, setSetting] = useState<Partial<Mode> | null>(null);
  const [clearing, setClearing] = useState<Mode | null>(null);
  return (
    <div className={css.stack}>
      <Card title="Where nothing else is set">
        <Loaded query={query} lines={2}>
          {({ otherwise, limits }) => (
            <div className={css.cards}>
              {MODES.map(({ mode, title, says }) => (
                <div key={mode} className={css.option} data-on={mode === otherwise || undefined}>
                  <h3>
                    {title} {mode === otherwise && <Badge tone="accent">in force</Badge>}
                  </h3>
                  {says}
                  {mode === otherwise && limits && <p>{limitsOf(limits)}</p>}
                </div>
              ))}
            </div>
          )}
        </Loaded>
      </Card>
      <Card
        title="Set for a part or an agent"
        flush
        aside={
          <Button
            size="s"
            look="primary"
            icon={<Plus size={14} aria-hidden="true" />}
            disabledBecause={blocked}
            onClick={() => setSetting({})}
          >
            Set a mode…
          </Button>
        }
      >
        <Loaded query={query} lines={3}>
          {({ otherwise, settings }) =>
            settings.length === 0 ? (
              <EmptyState title="Nothing is set for a part">
                <p>
                  Everywhere and for every agent, {otherwise} holds. Where several settings fit, the most
                  careful holds.
                </p>
              </EmptyState>
            ) : (
              <Table
                edged
                caption="Modes that are set"
                rows={settings}
                rowKey={placeKey}
                columns={[
                  { key: 'where', title: 'Where', cell: whereOf },
                  {
                    key: 'agent',
                    title: 'Whose recommendations',
                    cell: (mode) => mode.agent ?? 'everybody’s',
                  },
                  {
                    key: 'mode',
                    title: 'Mode',
                    cell: (mode) => (
                      <Badge tone={mode.mode === 'auto' ? 'warn' : 'neutral'}>{mode.mode}</Badge>
                    ),
                  },
                  { key: 'limits', title: 'Within', cell: (mode) => limitsOf(mode) || '—' },
                  {
                    key: 'until',
                    title: 'Still for',
                    cell: (mode) => <StillFor until={mode.until} otherwise="until it is changed" />,
                  },
                  {
                    key: 'do',
                    title: <span className="visually-hidden">Do</span>,
                    numeric: true,
                    cell: (mode) => (
                      <span className={css.buttons}>
                        <Button
                          size="s"
                          disabledBecause={blocked}
                          aria-label={`Change ${mode.mode} for ${mode.agent ?? 'everybody'} in ${whereOf(mode)}…`}
                          onClick={() => setSetting(mode)}
                        >
                          Change…
                        </Button>
                        <Button
                          size="s"
                          look="quiet"
                          disabledBecause={blocked}
                          aria-label={`Take back ${mode.mode} for ${mode.agent ?? 'everybody'} in ${whereOf(mode)}…`}
                          onClick={() => setClearing(mode)}
                        >
                          Take back…
                        </Button>
                      </span>
                    ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Card>
      {setting && <ModeDialog from={setting} onClose={() => setSetting(null)} />}
      {clearing && <ClearModeDialog mode={clearing} onClose={() => setClearing(null)} />}
    </div>
  );
}
