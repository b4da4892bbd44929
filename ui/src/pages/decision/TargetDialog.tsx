// What else was looked at, and another target if somebody knows a better one.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { changeTarget } from '../../api/commands';
import { clustersQuery } from '../../api/queries';
import type { RecommendationDetail } from '../../api/types';
import { CommandLine } from '../../components/CommandLine';
import { ErrorNotice } from '../../components/ErrorNotice';
import { useKey } from '../../components/useKey';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { SelectField, TextField } from '../../ui/Field';
import { Table } from '../../ui/Table';
import { showToast } from '../../ui/toasts';
import { percent } from '../../util/numbers';
import { commandLine } from '../../util/shell';
import { refusalOf } from './deeds';
import { SettledActions, SettledNotice } from './Settled';
import { settledWhile } from './useAnswer';

interface Props {
  detail: RecommendationDetail;
  onClose: () => void;
  onRollBack: () => void;
}

export function TargetDialog({ detail, onClose, onRollBack }: Props) {
  const [to, setTo] = useState('');
  const [reason, setReason] = useState('');
  const { key, renewAfter } = useKey();
  const { data: clusters = [] } = useQuery(clustersQuery);
  const blocked = useWriteBlock('decide');
  const client = useQueryClient();
  const navigate = useNavigate();
  const others = clusters.filter((cluster) => cluster.name !== detail.from && cluster.name !== detail.to);
  const change = useMutation({
    mutationFn: () => changeTarget(detail, to, reason.trim(), key),
    onSuccess: (made) => {
      void client.invalidateQueries({ queryKey: ['recommendations'] });
      showToast({
        tone: 'good',
        title: `${made.id} goes to ${to} instead`,
        detail: 'Somebody else approves it: whoever changed a plan does not.',
      });
      onClose();
      void navigate({ to: '/recommendations/$id', params: { id: made.id } });
    },
    onError: (error) => {
      renewAfter(error);
      // Whatever was refused, the page should show what is there now.
      void client.invalidateQueries({ queryKey: ['recommendations'] });
    },
  });
  const settled = settledWhile(change, detail);
  const refusal =
    refusalOf(detail, 'change_target', blocked) ??
    (others.length === 0
      ? 'There is no other cluster that it could go to.'
      : to
        ? null
        : 'Choose a cluster.');
  return (
    <Dialog
      title="Alternatives"
      wide
      note={settled ? null : refusal}
      onClose={onClose}
      actions={
        settled ? (
          <SettledActions detail={detail} onClose={onClose} onRollBack={onRollBack} />
        ) : (
          <>
            <Button onClick={onClose}>Close</Button>
            <Button
              look="primary"
              busy={change.isPending}
              disabledBecause={refusal}
              onClick={() => change.mutate()}
            >
              Make a new plan
            </Button>
          </>
        )
      }
    >
      {settled && <SettledNotice words={settled} />}
      <Table
        caption="What the agent looked at and did not propose"
        rows={detail.alternatives}
        rowKey={(one) => one.option}
        columns={[
          { key: 'option', title: 'Looked at', cell: (one) => one.option },
          { key: 'because', title: 'Not proposed because', cell: (one) => one.rejectedBecause },
        ]}
      />
      {others.length > 0 && (
        <>
          <SelectField
            label="Another target"
            value={to}
            onChange={(event) => setTo(event.target.value)}
            help="Makes a new plan, checked and rehearsed like any other; this one ends."
          >
            <option value="">Choose…</option>
            {others.map((cluster) => (
              <option key={cluster.name} value={cluster.name}>
                {cluster.name} ({percent(cluster.load, 0)} full, {cluster.podsPending} pods waiting)
              </option>
            ))}
          </SelectField>
          <TextField
            label="Why"
            placeholder="optional; everybody sees it"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </>
      )}
      {change.error && !settled && <ErrorNotice error={change.error} />}
      <CommandLine command={commandLine('drover', 'rec', 'target', detail.id, to || '…')} />
    </Dialog>
  );
}
