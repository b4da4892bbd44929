// Ending a token for good.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { revokeToken, tokensQuery, type Token } from '../../api/administration';
import { CommandLine } from '../../components/CommandLine';
import { ErrorNotice } from '../../components/ErrorNotice';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { showToast } from '../../ui/toasts';
import { commandLine } from '../../util/shell';

export function RevokeDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const client = useQueryClient();
  const blocked = useWriteBlock('administer');
  const revoke = useMutation({
    mutationFn: () => revokeToken(token.id),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: tokensQuery.queryKey });
      showToast({ tone: 'good', title: `${token.id} of ${token.name} counts no more` });
      onClose();
    },
  });
  return (
    <Dialog
      title={`Revoke ${token.id}`}
      onClose={onClose}
      note={blocked}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="danger"
            busy={revoke.isPending}
            disabledBecause={blocked}
            onClick={() => revoke.mutate()}
          >
            Revoke
          </Button>
        </>
      }
    >
      <p>
        The token of <b>{token.name}</b> ({token.role}) counts no more at once, and every session that was
        opened with it ends, yours included if you came with it. This cannot be undone; a new token can be
        made.
      </p>
      {revoke.error && <ErrorNotice error={revoke.error} />}
      <CommandLine command={commandLine('drover', 'token', 'revoke', token.id)} />
    </Dialog>
  );
}
