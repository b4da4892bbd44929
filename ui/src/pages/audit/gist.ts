// What an entry says, in a line. The whole of it stands beside the list.
import { count } from '../../util/numbers';
import { bytesScale } from '../../util/scale';

/** A value inside a document; undefined where there is none. */
function inside(value: unknown, ...path: string[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

function words(...parts: unknown[]): string {
  return parts
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .map((part) => String(part).replaceAll('_', ' '))
    .filter(Boolean)
    .join(' ');
}

function quoted(text: unknown): string {
  return typeof text === 'string' && text ? `“${text}”` : '';
}

function joined(...parts: string[]): string {
  return parts.filter(Boolean).join(' · ');
}

/** What followed from a step: `propose ×2, ask`. */
function effects(body: unknown): string {
  const list = inside(body, 'effects');
  if (!Array.isArray(list)) return '';
  const counts = new Map<string, number>();
  for (const effect of list as unknown[]) {
    const name = typeof effect === 'string' ? effect : (Object.keys(Object(effect))[0] ?? '');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => words(name) + (count > 1 ? ` ×${count}` : '')).join(', ');
}

function ordered(body: unknown): string {
  const order = inside(body, 'input', 'ordered');
  const what = inside(order, 'what');
  const mode = inside(what, 'setting', 'mode', 'mode');
  return joined(words(inside(what, 'order'), mode), quoted(inside(order, 'reason')));
}

function predicted(body: unknown): string {
  const prediction = inside(body, 'input', 'predicted', 'prediction');
  const seeds = inside(prediction, 'seeds');
  return joined(
    words(inside(prediction, 'horizon'), 'ahead'),
    typeof seeds === 'number' ? `${seeds} futures` : '',
  );
}

const GISTS: Record<string, (body: unknown) => string> = {
  wake: effects,
  observed: (body) => {
    const hash = inside(body, 'input', 'snapshot');
    return joined(typeof hash === 'string' ? `snapshot ${hash.slice(0, 12)}…` : '', effects(body));
  },
  reviewed: (body) =>
    joined(
      words(inside(body, 'input', 'reviewed', 'verdict')),
      quoted(inside(body, 'input', 'reviewed', 'note')),
      effects(body),
    ),
  passed: (body) => words(inside(body, 'verdict')),
  ordered,
  predicted,
  unpredicted: (body) => {
    const plans = inside(body, 'recommendations');
    return Array.isArray(plans) ? plans.join(', ') : '';
  },
  proposed: effects,
  answered: effects,
  applied: (body) => words(inside(body, 'input', 'applied', 'outcome', 'result')),
  scored: (body) => {
    const { inside: within, predicted: all } = Object(inside(body, 'input', 'scored')) as Record<
      string,
      unknown
    >;
    return words(within, 'of', all, 'predictions inside');
  },
  clock: (body) => joined(words(inside(body, 'order')), words(inside(body, 'speed') ?? inside(body, 'by'))),
  progress: (body) => words(inside(body, 'step')),
  'run.begun': (body) => joined(words(inside(body, 'scenario')), words('seed', inside(body, 'seed'))),
  inherited: (body) => {
    const legacy = (part: string) => inside(body, 'input', 'inherited', part);
    const many = (part: string, noun: string) => {
      const list = legacy(part);
      return Array.isArray(list) && list.length > 0 ? count(list.length, noun) : '';
    };
    const left = legacy('left');
    return joined(
      many('freezes', 'freeze'),
      many('modes', 'mode'),
      Array.isArray(left) && left.length > 0 ? `left under way: ${left.join(', ')}` : '',
    );
  },
  'comparison.started': (body) => {
    const strategies = inside(body, 'strategies');
    return joined(
      words(inside(body, 'scenario')),
      Array.isArray(strategies) ? strategies.join(', ') : '',
      words(inside(body, 'seeds'), 'seeds'),
    );
  },
  'token.created': (body) => words(inside(body, 'name'), 'as', inside(body, 'role')),
  'token.revoked': (body) => {
    const ended = inside(body, 'sessionsEnded');
    return typeof ended === 'number' && ended > 0 ? `${count(ended, 'session')} ended with it` : '';
  },
  'login.created': (body) => words('once, as', inside(body, 'role')),
  'backup.taken': (body) => {
    const bytes = inside(body, 'bytes');
    if (typeof bytes !== 'number') return '';
    const { text, unit } = bytesScale(bytes);
    return `${text(bytes)} ${unit}`;
  },
  'model.added': (body) => joined(words(inside(body, 'name')), words(inside(body, 'kind'))),
  'session.refused': (body) => {
    const attempts = inside(body, 'attempts');
    return joined(
      words('with', inside(body, 'how')),
      typeof attempts === 'number' && attempts > 1 ? count(attempts, 'attempt') : '',
    );
  },
  'session.opened': (body) => words('with', inside(body, 'how'), 'as', inside(body, 'role')),
};

export function gistOf(kind: string, body: unknown): string {
  const gist = GISTS[kind]?.(body);
  if (gist !== undefined) return gist;
  const text = JSON.stringify(body) ?? '';
  return text === '{}' ? '' : text.slice(0, 160);
}
