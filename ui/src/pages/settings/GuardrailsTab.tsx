// What every plan is held to, and who has to be asked.
import { useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { guardrailsQuery, type Guardrails } from '../../api/administration';
import { ApiError } from '../../api/errors';
import { Loaded } from '../../components/Loaded';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Table } from '../../ui/Table';
import { count } from '../../util/numbers';
import css from './settings.module.css';

export function GuardrailsTab() {
  const query = useQuery(guardrailsQuery);
  if (query.error instanceof ApiError && query.error.status === 404) {
    return (
      <EmptyState title="This desk does not say what plans are held to">
        It is older than this page. The limits stand in the file of its scenario, the rules in the desk’s own.
      </EmptyState>
    );
  }
  return (
    <Loaded query={query} lines={8}>
      {(guardrails) => <InForce guardrails={guardrails} />}
    </Loaded>
  );
}

function InForce({ guardrails }: { guardrails: Guardrails }) {
  const { limits, passes, approvers, ownPlans, predicts } = guardrails;
  return (
    <div className={css.stack}>
      <p className={css.lead}>
        Every plan is held to these before anybody is asked, and again before it is carried out. They stand in
        the files of the desk and its scenario; nobody can loosen them from here.
      </p>
      <Card title="Limits" flush>
        <Table
          edged
          caption="Limits of every plan"
          rows={limits}
          rowKey={(limit) => `${limit.name}/${limit.value}`}
          columns={[
            { key: 'name', title: 'Name', cell: (limit) => <code>{limit.name}</code> },
            { key: 'value', title: 'Value', numeric: true, cell: (limit) => limit.value ?? 'no limit' },
            { key: 'says', title: 'What it means', cell: (limit) => limit.says },
          ]}
        />
      </Card>
      <div className={css.two}>
        <Card title="What passes without a person">
          {passes.length === 0 ? (
            <p className={css.muted}>
              No rule is written, so that the mode <code>rules</code> asks a person each time.
            </p>
          ) : (
            <dl className={css.stack}>
              {passes.map((pass) => (
                <div key={pass.name}>
                  <dt>{pass.name}</dt>
                  <dd>
                    <code className={css.rule}>{pass.rule}</code>
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </Card>
        <Card title="Who has to be asked">
          <ul className={css.rights}>
            <li>
              <Sign yes={ownPlans} /> People {ownPlans ? 'may' : 'do not'} approve plans that they made or
              changed themselves.
            </li>
            <li>
              <Sign yes={predicts} /> Effects are {predicts ? '' : 'not '}rehearsed before anybody is asked.
            </li>
          </ul>
          {approvers.length === 0 ? (
            <p className={css.muted}>One person is enough for every plan.</p>
          ) : (
            <dl className={css.stack}>
              {approvers.map((needed) => (
                <div key={needed.rule}>
                  <dt>{count(needed.people, 'person', 'people')}, if</dt>
                  <dd>
                    <code className={css.rule}>{needed.rule}</code>
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </Card>
      </div>
    </div>
  );
}

function Sign({ yes }: { yes: boolean }) {
  return yes ? <Check size={15} aria-hidden="true" /> : <X size={15} aria-hidden="true" />;
}
