// The secret of a new token, once.
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import type { IssuedToken } from '../../api/administration';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { scopeWords } from './scope';
import css from './settings.module.css';

export function SecretOnce({ token, onClose }: { token: IssuedToken; onClose: () => void }) {
  const [copied, setCopied] = useState(false);
  const copy = () =>
    void navigator.clipboard?.writeText(token.secret).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <Dialog
      title={`${token.id} for ${token.name}`}
      onClose={onClose}
      actions={
        <>
          <Button
            icon={copied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy secret'}
          </Button>
          <Button look="primary" onClick={onClose}>
            I have kept it
          </Button>
        </>
      }
    >
      <p>
        The secret is shown <b>only now</b>; the desk keeps nothing but its hash. Give it to its holder by a
        safe way.
      </p>
      <p className={css.secret}>
        <code>{token.secret}</code>
      </p>
      <p className={css.help} role="status">
        {token.role}, may touch {scopeWords(token.scope)}. {copied && 'The secret is in the clipboard.'}
      </p>
    </Dialog>
  );
}
