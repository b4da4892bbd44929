// Sending something to somebody who is told: a test, or what was given up.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { retryDelivery, testWebhook, type Delivery } from '../../api/webhooks';
import { CommandLine } from '../../components/CommandLine';
import { ErrorNotice } from '../../components/ErrorNotice';
import { useKey } from '../../components/useKey';
import { useWriteBlock } from '../../components/useWriteBlock';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { showToast } from '../../ui/toasts';
import { requestLine } from '../../util/shell';
import { eventName } from './webhookState';

export type Errand = { do: 'test'; name: string } | { do: 'retry'; name: string; delivery: Delivery };

function addressOf(errand: Errand): string {
  const hook = `${location.origin}/api/v1/webhooks/${encodeURIComponent(errand.name)}`;
  return errand.do === 'test'
    ? `${hook}/test`
    : `${hook}/deliveries/${encodeURIComponent(errand.delivery.id)}/retry`;
}

export function WebhookDialog({ errand, onClose }: { errand: Errand; onClose: () => void }) {
  const { key, renewAfter } = useKey();
  const client = useQueryClient();
  const blocked = useWriteBlock('administer');
  const test = errand.do === 'test';
  const send = useMutation({
    mutationFn: async () => {
      if (errand.do === 'test') await testWebhook(errand.name, key);
      else await retryDelivery(errand.name, errand.delivery.id, key);
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['webhooks'] });
      showToast({
        tone: 'good',
        title: test ? `A test is on its way to ${errand.name}` : `It is told to ${errand.name} again`,
        detail: 'The list of deliveries shows whether it arrives.',
      });
      onClose();
    },
    onError: renewAfter,
  });
  return (
    <Dialog
      title={test ? `Test ${errand.name}` : `Tell ${errand.name} again`}
      note={blocked}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            busy={send.isPending}
            disabledBecause={blocked}
            onClick={() => send.mutate()}
          >
            {test ? 'Send a test' : 'Try again'}
          </Button>
        </>
      }
    >
      {errand.do === 'test' ? (
        <p>
          A signed message of the kind <code>webhook.tested</code> goes there. It tells of nothing, and only
          shows whether messages arrive.
        </p>
      ) : (
        <p>
          <code>{eventName(errand.delivery.type)}</code> of entry {errand.delivery.seq} was given up after{' '}
          {errand.delivery.attempts} tries
          {errand.delivery.lastError ? ` (${errand.delivery.lastError})` : ''}. It is sent again at once, and
          then as patiently as the first time.
        </p>
      )}
      {send.error && <ErrorNotice error={send.error} />}
      <CommandLine command={requestLine(addressOf(errand))} />
    </Dialog>
  );
}
