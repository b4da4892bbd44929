// Sending an answer to exactly what was read, safely even if sent twice.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { decide } from '../../api/commands';
import { recommendationQuery } from '../../api/queries';
import type { Decision, RecommendationDetail } from '../../api/types';
import { useKey } from '../../components/useKey';
import { settledInWords } from './settled';
import { showToast } from '../../ui/toasts';

/** What came of it meanwhile, unless one's own answer is what came; null as long as it waits. */
export function settledWhile(
  { isPending, isSuccess }: { isPending: boolean; isSuccess: boolean },
  detail: RecommendationDetail,
): string | null {
  return isPending || isSuccess ? null : settledInWords(detail);
}

export function useAnswer(read: RecommendationDetail, done: { title: string; onDone: () => void }) {
  const client = useQueryClient();
  const { key, renewAfter } = useKey();
  return useMutation({
    mutationFn: (decision: Omit<Decision, 'planHash'>) => decide(read, decision, key),
    onSuccess: (detail) => {
      client.setQueryData(recommendationQuery(read.id).queryKey, detail);
      void client.invalidateQueries({ queryKey: ['recommendations'] });
      void client.invalidateQueries({ queryKey: ['executions'] });
      void client.invalidateQueries({ queryKey: ['status'] });
      showToast({ tone: 'good', title: done.title, detail: detail.outcome ?? undefined });
      done.onDone();
    },
    onError: (error) => {
      renewAfter(error);
      // Whatever was refused, the page should show what is there now.
      void client.invalidateQueries({ queryKey: ['recommendations'] });
    },
  });
}
