// Giving up what is under way, or proposing the way back of what was done.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { abortExecution, rollBack } from '../../api/commands';
import type { RecommendationDetail } from '../../api/types';
import { CommandLine } from '../../components/CommandLine';
import { ErrorNotice } from '../../components/ErrorNotice';
import { useKey } from '../../components/useKey';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { TextField } from '../../ui/Field';
import { showToast } from '../../ui/toasts';
import { commandLine } from '../../util/shell';
import { refusalOf } from './deeds';

const WORDS = {
  abort: {
    title: 'Abort',
    button: 'Abort',
    text: 'The federation takes back what it can; the source stays until the target is ready, so nothing is lost on the way.',
  },
  rollback: {
    title: 'Roll back',
    button: 'Propose the way back',
    text: 'The way back becomes a recommendation of its own, which has to be approved like any other.',
  },
};

interface Props {
  detail: RecommendationDetail;
  deed: 'abort' | 'rollback';
  onClose: () => void;
}

export function ReasonDialog({ detail, deed, onClose }: Props) {
  const [reason, setReason] = useState('');
  const { key, renewAfter } = useKey();
  const blocked = useWriteBlock('decide');
  const client = useQueryClient();
  const navigate = useNavigate();
  const send = useMutation({
    mutationFn: async () =>
      deed === 'abort'
        ? (await abortExecution(detail.id, reason.trim(), key), null)
        : await rollBack(detail.id, reason.trim(), key),
    onSuccess: (made) => {
      void client.invalidateQueries();
      showToast({
        tone: 'good',
        title: made ? `${made.id} is the way back; it waits for an answer` : `${detail.id} is being aborted`,
      });
      onClose();
      if (made) void navigate({ to: '/recommendations/$id', params: { id: made.id } });
    },
    onError: renewAfter,
  });
  const words = WORDS[deed];
  const refusal =
    refusalOf(detail, deed === 'abort' ? 'abort' : 'roll_back', blocked) ??
    (reason.trim() ? null : 'Say why; everybody sees it.');
  return (
    <Dialog
      title={`${words.title} ${detail.id}`}
      note={refusal}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look={deed === 'abort' ? 'danger' : 'primary'}
            busy={send.isPending}
            disabledBecause={refusal}
            onClick={() => send.mutate()}
          >
            {words.button}
          </Button>
        </>
      }
    >
      <p>{words.text}</p>
      {deed === 'rollback' && (
        <p>
          Way back: <b>{detail.wayBack}</b>
        </p>
      )}
      <TextField label="Why" value={reason} onChange={(event) => setReason(event.target.value)} />
      {send.error && <ErrorNotice error={send.error} />}
      <CommandLine
        command={commandLine('drover', 'exec', deed, detail.id, '--reason', reason.trim() || '…')}
      />
    </Dialog>
  );
}
