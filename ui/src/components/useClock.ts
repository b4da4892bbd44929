// Steering the time of a simulated federation.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { setClock } from '../api/commands';
import { statusQuery } from '../api/queries';
import type { ClockWish } from '../api/types';
import { showToast } from '../ui/toasts';

export function useClock() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wish: ClockWish) => setClock(wish),
    onSuccess: (answer) => client.setQueryData(statusQuery.queryKey, answer),
    onError: (error) => showToast({ tone: 'bad', title: 'Time goes on as before', detail: error.message }),
  });
}
