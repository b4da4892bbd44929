// The steps of a plan as a line that one can follow: what was seen, what goes on, what is still to come.

export interface SeenStep {
  at: number;
  step: string;
}

export interface Step {
  name: string;
  title: string;
  state: 'done' | 'now' | 'ahead' | 'failed';
  at: number | null;
}

const TITLES: Record<string, string> = {
  order_sent: 'Order sent',
  order_delayed: 'Order delayed',
  order_taken: 'Order taken',
  target_making: 'Target being made',
  target_ready: 'Target ready',
  source_leaving: 'Source leaving',
  source_gone: 'Source gone',
  taking_back: 'Taking back',
  taken_back: 'Taken back',
  done: 'Verified',
  failed: 'Failed',
};

/** Make before break, as moves go when nothing comes between. */
const COURSE = [
  'order_sent',
  'order_taken',
  'target_making',
  'target_ready',
  'source_leaving',
  'source_gone',
  'done',
];
/** Plans that move nothing have no source to take leave of. */
const SHORT = ['order_sent', 'order_taken', 'target_making', 'target_ready', 'done'];
const FINAL = new Set(['done', 'failed', 'taken_back']);
const TROUBLE = new Set(['failed', 'taking_back', 'taken_back', 'order_delayed']);

export function stepsOf(seen: readonly SeenStep[], moves: boolean): Step[] {
  const last = seen.at(-1);
  const over = last !== undefined && FINAL.has(last.step);
  const past: Step[] = seen.map(({ step, at }, index) => ({
    name: `${step}-${index}`,
    title: TITLES[step] ?? step.replaceAll('_', ' '),
    state: TROUBLE.has(step) ? 'failed' : !over && index === seen.length - 1 ? 'now' : 'done',
    at,
  }));
  if (over) return past;
  const turned = seen.some(({ step }) => step === 'taking_back');
  const course = turned ? ['taken_back'] : moves ? COURSE : SHORT;
  const known = new Set(seen.map(({ step }) => step));
  const ahead = course
    .filter((step) => !known.has(step))
    .map((step): Step => ({ name: step, title: TITLES[step] ?? step, state: 'ahead', at: null }));
  return [...past, ...ahead];
}
