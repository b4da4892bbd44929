// Making a token. Its secret is shown once.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { makeToken, tokensQuery, type Role } from '../../api/administration';
import { ApiError } from '../../api/errors';
import { clustersQuery } from '../../api/queries';
import { CommandLine } from '../../components/CommandLine';
import { ErrorNotice } from '../../components/ErrorNotice';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { SelectField, TextField } from '../../ui/Field';
import { periodSeconds } from '../../util/period';
import { commandLine } from '../../util/shell';
import { ROLES } from './roles';
import { namesIn } from './scope';
import { SecretOnce } from './SecretOnce';
import css from './settings.module.css';

export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [clusters, setClusters] = useState<string[]>([]);
  const [namespaces, setNamespaces] = useState('');
  const [period, setPeriod] = useState('30d');
  const { data: known = [] } = useQuery(clustersQuery);
  const client = useQueryClient();
  const blocked = useWriteBlock('administer');
  const seconds = periodSeconds(period);
  const make = useMutation({
    mutationFn: () =>
      makeToken({
        name: name.trim(),
        role,
        seconds,
        scope: { clusters, namespaces: namesIn(namespaces) },
      }),
    onSuccess: () => void client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  if (make.data) return <SecretOnce token={make.data} onClose={onClose} />;
  const missing = !name.trim()
    ? 'Say whose it is.'
    : seconds === null
      ? 'Write the period like 12h or 30d.'
      : null;
  const problem = make.error instanceof ApiError ? make.error : null;
  const command = commandLine(
    'drover',
    'token',
    'create',
    '--name',
    name.trim() || '…',
    '--role',
    role,
    '--expires',
    period.trim(),
    ...clusters.flatMap((cluster) => ['--cluster', cluster]),
    ...namesIn(namespaces).flatMap((namespace) => ['--namespace', namespace]),
  );
  return (
    <Dialog
      title="New token"
      onClose={onClose}
      note={blocked ?? missing}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            busy={make.isPending}
            disabledBecause={blocked ?? missing}
            onClick={() => make.mutate()}
          >
            Make token
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        autoComplete="off"
        maxLength={63}
        value={name}
        onChange={(event) => setName(event.target.value)}
        help="Whoever holds it decides or proposes under this name; the record keeps it."
        error={problem?.field('name')}
      />
      <SelectField
        label="Role"
        value={role}
        onChange={(event) => setRole(event.target.value as Role)}
        help={ROLES.find((one) => one.role === role)?.says}
      >
        {ROLES.map((one) => (
          <option key={one.role}>{one.role}</option>
        ))}
      </SelectField>
      <fieldset className={css.choices}>
        <legend>Only in these clusters</legend>
        {known.map((cluster) => (
          <label key={cluster.name} className={css.check}>
            <input
              type="checkbox"
              checked={clusters.includes(cluster.name)}
              onChange={(event) =>
                setClusters(
                  event.target.checked
                    ? [...clusters, cluster.name]
                    : clusters.filter((one) => one !== cluster.name),
                )
              }
            />{' '}
            {cluster.name}
          </label>
        ))}
        <p className={css.help}>In all of them if none is chosen.</p>
      </fieldset>
      <TextField
        label="Only in these namespaces"
        autoComplete="off"
        placeholder="all"
        value={namespaces}
        onChange={(event) => setNamespaces(event.target.value)}
        help="With commas between them."
      />
      <TextField
        label="Counts for"
        value={period}
        onChange={(event) => setPeriod(event.target.value)}
        help="12h, 7d, 30d; at most what the desk’s file allows."
        error={seconds === null ? 'Write the period like 12h or 30d.' : problem?.field('seconds')}
      />
      {make.error && <ErrorNotice error={make.error} />}
      <CommandLine command={command} />
    </Dialog>
  );
}
