// A person proposes a move. It is checked, rehearsed and answered like any other.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { propose } from '../../api/commands';
import { ApiError } from '../../api/errors';
import { clustersQuery } from '../../api/queries';
import type { Workload } from '../../api/types';
import { ErrorNotice } from '../../components/ErrorNotice';
import { useKey } from '../../components/useKey';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { Copyable } from '../../ui/Copyable';
import { Dialog } from '../../ui/Dialog';
import { SelectField, TextField } from '../../ui/Field';
import { showToast } from '../../ui/toasts';
import { count, percent } from '../../util/numbers';
import { requestLine } from '../../util/shell';
import { fitOf, moveDraft, type Fit } from './proposal';
import css from './ProposeDialog.module.css';

const FITS: Record<Fit, string> = { fits: 'fits now', tight: 'little room', unknown: 'not seen now' };

export function ProposeDialog({ workload, onClose }: { workload: Workload; onClose: () => void }) {
  const [from, setFrom] = useState(workload.placements[0]?.cluster ?? '');
  const [to, setTo] = useState('');
  const [reason, setReason] = useState('');
  const { key, renew, renewAfter } = useKey();
  const { data: clusters = [] } = useQuery(clustersQuery);
  const blocked = useWriteBlock('propose');
  const client = useQueryClient();
  const navigate = useNavigate();
  const pods = workload.placements.find((placement) => placement.cluster === from)?.pods ?? 0;
  const draft = moveDraft(workload, from, to || '…', reason.trim() || '…');
  const send = useMutation({
    mutationFn: async () => {
      const answered = await propose(moveDraft(workload, from, to, reason.trim()), key);
      const result = answered.results[0];
      // A draft that the guardrails refuse comes back inside a success; here it is an error like any other.
      if (result?.problem) throw new ApiError(result.problem);
      return result;
    },
    onSuccess: (result) => {
      renew();
      void client.invalidateQueries();
      showToast({
        tone: 'good',
        title:
          result?.outcome === 'kept'
            ? `${result.id} asks for the same already`
            : `${result?.id ?? 'The plan'} waits for an answer`,
      });
      onClose();
      if (result?.id) void navigate({ to: '/recommendations/$id', params: { id: result.id } });
    },
    onError: renewAfter,
  });
  const refusal =
    blocked ?? (!to ? 'Choose where to.' : !reason.trim() ? 'Say why; everybody sees it.' : null);
  return (
    <Dialog
      title={`Propose a move of ${workload.name}`}
      note={refusal}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            busy={send.isPending}
            disabledBecause={refusal}
            onClick={() => send.mutate()}
          >
            Propose it
          </Button>
        </>
      }
    >
      <p className={css.note}>
        Nothing moves yet: the plan is checked against the guardrails, rehearsed, and waits for an answer,
        usually of somebody else.
      </p>
      <SelectField label="From" value={from} onChange={(event) => setFrom(event.target.value)}>
        {workload.placements.map((placement) => (
          <option key={placement.cluster} value={placement.cluster}>
            {placement.cluster} ({count(placement.replicas, 'replica')})
          </option>
        ))}
      </SelectField>
      <SelectField
        label="To"
        value={to}
        onChange={(event) => setTo(event.target.value)}
        help={`All ${count(pods, 'pod')} there go. Room is reckoned by requests, as they stand now.`}
      >
        <option value="">Choose…</option>
        {clusters
          .filter((cluster) => cluster.name !== from)
          .map((cluster) => (
            <option key={cluster.name} value={cluster.name}>
              {cluster.name} ({percent(cluster.load, 0)} full, {FITS[fitOf(workload.each, pods, cluster)]})
            </option>
          ))}
      </SelectField>
      <TextField label="Why" value={reason} onChange={(event) => setReason(event.target.value)} />
      {send.error && <ErrorNotice error={send.error} />}
      <div className={css.same}>
        <span className={css.label}>The same from a terminal</span>
        <Copyable
          block
          text={requestLine(`${location.origin}/api/v1/recommendations`, { drafts: [draft] })}
          label="Copy request"
        />
      </div>
    </Dialog>
  );
}
