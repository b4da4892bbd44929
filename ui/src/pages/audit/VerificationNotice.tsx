// What a check of the record found, and what to do with it.
import type { UseMutationResult } from '@tanstack/react-query';
import { ShieldAlert, ShieldCheck, X } from 'lucide-react';
import type { Verification } from '../../api/record';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Button } from '../../ui/Button';
import { Copyable } from '../../ui/Copyable';
import { IconButton } from '../../ui/IconButton';
import { count } from '../../util/numbers';
import css from './VerificationNotice.module.css';

interface Props {
  verification: UseMutationResult<Verification, Error, void>;
  onOpen: (seq: number) => void;
}

export function VerificationNotice({ verification, onOpen }: Props) {
  const { data, error, reset } = verification;
  if (error) return <ErrorNotice error={error} onRetry={() => verification.mutate()} />;
  if (!data) return null;
  const Icon = data.intact ? ShieldCheck : ShieldAlert;
  const brokenAt = data.brokenAt ?? null;
  return (
    <div className={css.notice} data-intact={data.intact} role={data.intact ? 'status' : 'alert'}>
      <Icon size={18} aria-hidden="true" className={css.icon} />
      {data.intact ? (
        <div className={css.words}>
          <p>
            <b>All {count(data.entries, 'entry', 'entries')} are intact.</b> Note the hash of the end
            somewhere else: with it, anybody can tell later that nothing before it was changed or cut off.
          </p>
          {data.hash && (
            <div className={css.lines}>
              <Copyable block text={data.hash} label="Copy hash of the end" />
              <Copyable
                block
                text={`drover audit verify --noted ${data.hash}`}
                shown={`drover audit verify --noted ${data.hash.slice(0, 12)}…`}
                label="Copy command"
              />
            </div>
          )}
        </div>
      ) : (
        <div className={css.words}>
          <p>
            <b>The chain breaks{brokenAt === null ? '' : ` at entry ${brokenAt}`}.</b> {data.finding} The{' '}
            {count(data.entries, 'entry', 'entries')} before it are intact.
          </p>
          <p>Take the record away before anything else is written, and compare it with a backup.</p>
          {brokenAt !== null && (
            <Button size="s" onClick={() => onOpen(brokenAt)}>
              Open entry {brokenAt}
            </Button>
          )}
        </div>
      )}
      <IconButton label="Dismiss" icon={<X size={15} />} onClick={reset} />
    </div>
  );
}
