// Sending an answer to exactly what was read, safely even if sent twice.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { newIdempotencyKey } from '../../api/client';
import { decide } from '../../api/commands';
import { ApiError } from '../../api/errors';
import { recommendationQuery } from '../../api/queries';
import type { Decision, RecommendationDetail } from '../../api/types';
import { showToast } from '../../ui/toasts';

/** A key belongs to one request: after a refusal the next try is another one, after silence it is the same. */
export function useKey() {
  const [key, setKey] = useState(newIdempotencyKey);
  const renewAfter = (error: Error) => {
    if (error instanceof ApiError && error.status !== 0) setKey(newIdempotencyKey());
  };
  return { key, renewAfter };
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
