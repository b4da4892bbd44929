// Deciding later.
import { useState } from 'react';
import type { RecommendationDetail } from '../../api/types';
import { CommandLine } from '../../components/CommandLine';
import { ErrorNotice } from '../../components/ErrorNotice';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { TextField } from '../../ui/Field';
import { Segments } from '../../ui/Segments';
import { periodSeconds } from '../../util/period';
import { commandLine } from '../../util/shell';
import { refusalOf } from './deeds';
import { SettledActions, SettledNotice } from './Settled';
import { settledWhile, useAnswer } from './useAnswer';

const USUAL = ['2m', '5m', '15m', '1h'];

interface Props {
  detail: RecommendationDetail;
  onClose: () => void;
  onRollBack: () => void;
}

export function DeferDialog({ detail, onClose, onRollBack }: Props) {
  const [period, setPeriod] = useState('5m');
  const [note, setNote] = useState('');
  const blocked = useWriteBlock('decide');
  const seconds = periodSeconds(period);
  const defer = useAnswer(detail, { title: `${detail.id} is put off for ${period}`, onDone: onClose });
  const settled = settledWhile(defer, detail);
  const refusal =
    refusalOf(detail, 'defer', blocked) ?? (seconds === null ? 'Write the period like 10m or 1h.' : null);
  return (
    <Dialog
      title={`Decide later about ${detail.id}`}
      note={settled ? null : refusal}
      onClose={onClose}
      actions={
        settled ? (
          <SettledActions detail={detail} onClose={onClose} onRollBack={onRollBack} />
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              look="primary"
              busy={defer.isPending}
              disabledBecause={refusal}
              onClick={() =>
                defer.mutate({ verdict: 'defer', deferSeconds: seconds, note: note.trim() || null })
              }
            >
              Put off
            </Button>
          </>
        )
      }
    >
      {settled && <SettledNotice words={settled} />}
      <Segments
        label="For how long"
        value={period}
        onChange={setPeriod}
        options={USUAL.map((value) => ({ value, title: value }))}
      />
      <TextField
        label="For how long"
        value={period}
        onChange={(event) => setPeriod(event.target.value)}
        help="In the federation’s own time. Its life begins anew then."
      />
      <TextField
        label="Note"
        placeholder="optional; everybody sees it"
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {defer.error && !settled && <ErrorNotice error={defer.error} />}
      <CommandLine
        command={commandLine(
          'drover',
          'rec',
          'defer',
          detail.id,
          '--for',
          period.trim() || '…',
          note.trim() && '--note',
          note.trim(),
        )}
      />
    </Dialog>
  );
}
