// Refusals of the desk as a type, and what a person can do about each.
import type { components } from './schema';

export type Problem = components['schemas']['Problem'];
export type ProblemCode = Problem['code'];

/** A refusal by the desk, or no answer at all (status 0). */
export class ApiError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail || problem.title);
    this.name = 'ApiError';
  }

  get status(): number {
    return this.problem.status;
  }

  get code(): ProblemCode {
    return this.problem.code;
  }

  /** What the desk says about one field of what was sent. */
  field(name: string): string | undefined {
    return this.problem.errors?.find((error) => error.field === name)?.message;
  }
}

/** The problem for a request that got no answer. */
export function unreachable(cause: unknown): ApiError {
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new ApiError({
    type: 'urn:drover:problem:unreachable',
    title: 'The desk cannot be reached',
    status: 0,
    detail: `No answer came (${detail}). The page tries again by itself.`,
    code: 'not-ready',
    retryable: true,
  });
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'title' in value && 'code' in value;
}

/** Any answer that is not a success, as an error. */
export function errorOf(status: number, body: unknown): ApiError {
  if (isProblem(body)) return new ApiError(body);
  return new ApiError({
    type: 'urn:drover:problem:internal',
    title: status >= 500 ? 'The desk or something before it failed' : 'The desk refused',
    status,
    detail: `The answer had status ${status} and did not say why.`,
    code:
      status === 401
        ? 'unauthenticated'
        : status === 403
          ? 'forbidden'
          : status === 404
            ? 'not-found'
            : 'internal',
    retryable: status >= 500,
  });
}

/** How long the desk asks to wait, if it does. */
export function waitFor({ problem }: ApiError): string | null {
  return typeof problem.retry_after === 'number' ? `Try again in ${problem.retry_after} s.` : null;
}

/** What somebody can do about a refusal, beyond what its detail says. */
export function adviceFor(code: ProblemCode): string | null {
  switch (code) {
    case 'unauthenticated':
      return 'Sign in again.';
    case 'forbidden':
      return 'Ask an admin for a role that may do this.';
    case 'version-changed':
    case 'plan-stale':
    case 'plan-superseded':
      return 'Read what is there now, then decide again; what you wrote is kept.';
    case 'already-decided':
      return 'There is nothing left to decide: see what came of it.';
    case 'plan-expired':
      return 'Wait for the agent to look again.';
    case 'frozen':
      return 'See who froze it and why, in the banner.';
    case 'observe-only':
      return 'An admin can set another mode in Settings.';
    case 'self-approval':
      return 'Ask a colleague: whoever made or changed a plan does not approve it.';
    case 'rate-limited':
    case 'not-ready':
      return 'Try again in a moment.';
    default:
      return null;
  }
}
