// Rejecting. A reason is asked for, because agents and colleagues learn from it.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { guardrailsQuery } from '../../api/administration';
import type { RecommendationDetail } from '../../api/types';
import { CommandLine } from '../../components/CommandLine';
import { ErrorNotice } from '../../components/ErrorNotice';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { TextArea } from '../../ui/Field';
import { commandLine } from '../../util/shell';
import { refusalOf } from './deeds';
import { SettledActions, SettledNotice } from './Settled';
import { settledWhile, useAnswer } from './useAnswer';
import css from './RejectDialog.module.css';

const USUAL = [
  'Too risky now',
  'The evidence is not convincing',
  'Another change is planned',
  'The target is wrong',
  'It would cost too much',
];

interface Props {
  detail: RecommendationDetail;
  onClose: () => void;
  onRollBack: () => void;
}

export function RejectDialog({ detail, onClose, onRollBack }: Props) {
  const [reason, setReason] = useState('');
  const blocked = useWriteBlock('decide');
  const reject = useAnswer(detail, { title: `${detail.id} is rejected`, onDone: onClose });
  const settled = settledWhile(reject, detail);
  const rest = useQuery(guardrailsQuery).data?.limits.find(
    (limit) => limit.name === 'ask_again_after',
  )?.value;
  const refusal =
    refusalOf(detail, 'reject', blocked) ?? (reason.trim() ? null : 'Say why: agents and colleagues see it.');
  return (
    <Dialog
      title={`Reject ${detail.id}`}
      note={settled ? null : refusal}
      onClose={onClose}
      actions={
        settled ? (
          <SettledActions detail={detail} onClose={onClose} onRollBack={onRollBack} />
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              look="danger"
              busy={reject.isPending}
              disabledBecause={refusal}
              onClick={() => reject.mutate({ verdict: 'reject', note: reason.trim() })}
            >
              Reject
            </Button>
          </>
        )
      }
    >
      {settled && <SettledNotice words={settled} />}
      <div className={css.usual}>
        {USUAL.map((one) => (
          <Button key={one} size="s" onClick={() => setReason(one)}>
            {one}
          </Button>
        ))}
      </div>
      <TextArea
        label="Why"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        error={reject.error ? undefined : null}
      />
      {rest && rest !== '0s' && <p className={css.rest}>No agent recommends the same again within {rest}.</p>}
      {reject.error && !settled && <ErrorNotice error={reject.error} />}
      <CommandLine
        command={commandLine('drover', 'rec', 'reject', detail.id, '--reason', reason.trim() || '…')}
      />
    </Dialog>
  );
}
