// One answer for several recommendations; each is answered as it was read, and each may be refused on its own.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { decideTogether } from '../../api/commands';
import type { BatchResult, Recommendation } from '../../api/types';
import { CommandLine } from '../../components/CommandLine';
import { ErrorNotice } from '../../components/ErrorNotice';
import { planTitle } from '../../components/planTitle';
import { RiskBadge } from '../../components/RiskBadge';
import { Route } from '../../components/Route';
import { useKey } from '../../components/useKey';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { TextField } from '../../ui/Field';
import { showToast } from '../../ui/toasts';
import { count } from '../../util/numbers';
import { commandLine } from '../../util/shell';
import { togetherRefusal } from './chosen';
import css from './BatchDialog.module.css';

interface Props {
  rows: Recommendation[];
  verdict: 'approve' | 'reject';
  onClose: () => void;
  onDone: () => void;
}

export function BatchDialog({ rows, verdict, onClose, onDone }: Props) {
  // What was read when the dialog opened is what is answered.
  const [read] = useState(rows);
  const { key, renewAfter } = useKey();
  const [note, setNote] = useState('');
  const blocked = useWriteBlock('decide');
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: () =>
      decideTogether(
        {
          verdict,
          note: note.trim() || null,
          items: read.map(({ id, planHash, version }) => ({ id, planHash, version })),
        },
        key,
      ),
    onSuccess: (results) => {
      // What was rehearsed for plans that are answered now would only be refused.
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'previews' });
      const refused = results.filter((result) => result.problem);
      if (refused.length > 0) return;
      showToast({
        tone: 'good',
        title: `${count(results.length, 'recommendation')} ${verdict === 'approve' ? 'approved' : 'rejected'}`,
      });
      onDone();
      onClose();
    },
    onError: renewAfter,
  });
  const results = new Map<string, BatchResult>(send.data?.map((result) => [result.id, result]));
  const refusal =
    blocked ??
    (verdict === 'approve'
      ? togetherRefusal(read)
      : note.trim()
        ? null
        : 'Say why: agents and colleagues see it.');
  const word = verdict === 'approve' ? 'Approve' : 'Reject';
  const command =
    verdict === 'approve'
      ? commandLine(
          'drover',
          'rec',
          'approve',
          ...read.map((row) => row.id),
          ...read.flatMap((row) => ['--plan-hash', row.planHash]),
        )
      : read
          .map((row) => commandLine('drover', 'rec', 'reject', row.id, '--reason', note.trim() || '…'))
          .join('; ');
  return (
    <Dialog
      wide
      title={`${word} ${count(read.length, 'recommendation')}`}
      note={send.data ? null : refusal}
      onClose={onClose}
      actions={
        send.data ? (
          <Button onClick={onClose}>Close</Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              look={verdict === 'approve' ? 'primary' : 'danger'}
              busy={send.isPending}
              disabledBecause={refusal}
              onClick={() => send.mutate()}
            >
              {word} all
            </Button>
          </>
        )
      }
    >
      <ul className={css.list}>
        {read.map((row) => {
          const result = results.get(row.id);
          return (
            <li key={row.id} className={css.row}>
              <b>{row.id}</b>
              <span className={css.title}>
                {planTitle(row)} <Route from={row.from} to={row.to} />
              </span>
              <RiskBadge risk={row.risk} />
              {result && (
                <span className={result.problem ? css.refused : css.done}>
                  {result.problem ? (
                    <X size={14} aria-hidden="true" />
                  ) : (
                    <Check size={14} aria-hidden="true" />
                  )}
                  {result.problem ? result.problem.detail : 'done'}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {!send.data && (
        <TextField
          label={verdict === 'reject' ? 'Why' : 'Note'}
          placeholder={verdict === 'reject' ? '' : 'optional; everybody sees it'}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      )}
      {send.error && <ErrorNotice error={send.error} />}
      <CommandLine command={command} />
    </Dialog>
  );
}
