// The parameters of an agent's strategy.
import { Card } from '../../ui/Card';
import { Table } from '../../ui/Table';
import { parametersOf } from './parameterLines';
import css from './Parameters.module.css';

export function Parameters({ parameters }: { parameters: unknown }) {
  const rows = parametersOf(parameters);
  return (
    <Card title="Parameters" flush={rows.length > 0}>
      {rows.length === 0 ? (
        <p className={css.none}>
          {parameters ? 'Its strategy has none.' : 'What it goes by is known to itself alone.'}
        </p>
      ) : (
        <Table
          dense
          edged
          caption="Parameters of its strategy"
          rows={rows}
          rowKey={(row) => row.name}
          columns={[
            { key: 'name', title: 'Parameter', cell: (row) => row.name },
            {
              key: 'value',
              title: 'Value',
              numeric: true,
              cell: (row) => <span className={css.value}>{row.value}</span>,
            },
          ]}
        />
      )}
    </Card>
  );
}
