// A key under which a change may be sent again without happening twice.
import { useState } from 'react';
import { newIdempotencyKey } from '../api/client';
import { ApiError } from '../api/errors';

/** A key belongs to one request: after a refusal the next try is another one, after silence it is the same. */
export function useKey() {
  const [key, setKey] = useState(newIdempotencyKey);
  const renew = () => setKey(newIdempotencyKey());
  const renewAfter = (error: Error) => {
    if (error instanceof ApiError && error.status !== 0) renew();
  };
  return { key, renew, renewAfter };
}
