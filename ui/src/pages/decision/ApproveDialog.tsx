// Approving. The higher the risk, the more has to be read and done; the button never has the focus at first.
import { useState } from 'react';
import type { RecommendationDetail } from '../../api/types';
import { CommandLine } from '../../components/CommandLine';
import { ErrorNotice } from '../../components/ErrorNotice';
import { planTitle } from '../../components/planTitle';
import { RiskBadge } from '../../components/RiskBadge';
import { Route } from '../../components/Route';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { TextField } from '../../ui/Field';
import { commandLine } from '../../util/shell';
import { Changed, isAnother } from './Changed';
import { refusalOf } from './deeds';
import { Reading } from './Reading';
import { SettledActions, SettledNotice } from './Settled';
import { settledWhile, useAnswer } from './useAnswer';
import { WayOn } from './WayOn';
import css from './ApproveDialog.module.css';

interface Props {
  detail: RecommendationDetail;
  onClose: () => void;
  onRollBack: () => void;
}

export function ApproveDialog({ detail, onClose, onRollBack }: Props) {
  const [read, setRead] = useState(detail);
  const [note, setNote] = useState('');
  const [typed, setTyped] = useState('');
  const blocked = useWriteBlock('decide');
  const another = isAnother(read, detail);
  // The same plan in a newer version is what was read, with a fresher prediction.
  const approve = useAnswer(another ? read : detail, { title: `${detail.id} is approved`, onDone: onClose });
  const target = detail.to ?? detail.from ?? '';
  const mustType = detail.risk === 'high';
  const settled = settledWhile(approve, detail);
  const refusal =
    refusalOf(detail, 'approve', blocked) ??
    (another ? 'Read what changed first.' : null) ??
    (mustType && typed.trim() !== target ? `Type ${target} to confirm.` : null);
  const command = commandLine(
    'drover',
    'rec',
    'approve',
    detail.id,
    '--plan-hash',
    detail.planHash,
    mustType && '--confirm',
    mustType && target,
    note.trim() && '--note',
    note.trim(),
  );
  return (
    <Dialog
      title={`Approve ${detail.id}`}
      note={settled ? null : refusal}
      onClose={onClose}
      actions={
        settled ? (
          <SettledActions detail={detail} onClose={onClose} onRollBack={onRollBack} />
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              look={mustType ? 'danger' : 'primary'}
              busy={approve.isPending}
              disabledBecause={refusal}
              onClick={() => approve.mutate({ verdict: 'approve', note: note.trim() || null })}
            >
              Approve plan {detail.planHash.slice(0, 6)}…
            </Button>
          </>
        )
      }
    >
      <p className={css.plan}>
        <b>{planTitle(detail)}</b> {detail.kind === 'migrate' && <Route from={detail.from} to={detail.to} />}{' '}
        <RiskBadge long risk={detail.risk} />
      </p>
      {settled ? (
        <SettledNotice words={settled} />
      ) : (
        <Changed read={read} now={detail} onRead={() => setRead(detail)} />
      )}
      {detail.risk !== 'low' && <Reading detail={detail} />}
      {!detail.isPredicted && !settled && (
        <p role="note">Its effect is not predicted: whoever approves it now does not know what it brings.</p>
      )}
      <TextField
        label="Note"
        placeholder="optional; everybody sees it"
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {mustType && (
        <TextField
          label={
            <>
              Type <code>{target}</code>, the cluster that it goes to
            </>
          }
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      {approve.error && !settled && <ErrorNotice error={approve.error} />}
      <WayOn error={approve.error} detail={detail} />
      <CommandLine command={command} />
    </Dialog>
  );
}
