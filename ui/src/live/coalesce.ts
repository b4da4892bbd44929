// Many calls in, few out: what is added is handed over together, in an animation frame and not more often than the pause.

export interface Collector<T> {
  add(values: Iterable<T>): void;
}

export interface Timing {
  now(): number;
  /** Calls back when a frame is drawn, or after so many milliseconds if that is later. */
  later(callback: () => void, milliseconds: number): void;
}

/** Hidden tabs draw no frames, so a timer stands behind each. */
export const browserTiming: Timing = {
  now: () => performance.now(),
  later: (callback, milliseconds) => {
    setTimeout(() => (document.hidden ? callback() : requestAnimationFrame(callback)), milliseconds);
  },
};

export function collector<T>(
  pause: number,
  hand: (values: Set<T>) => void,
  timing: Timing = browserTiming,
): Collector<T> {
  let waiting = new Set<T>();
  let scheduled = false;
  let last = -Infinity;
  const flush = () => {
    scheduled = false;
    last = timing.now();
    const values = waiting;
    waiting = new Set();
    hand(values);
  };
  return {
    add(values) {
      for (const value of values) waiting.add(value);
      if (scheduled || waiting.size === 0) return;
      scheduled = true;
      timing.later(flush, Math.max(0, last + pause - timing.now()));
    },
  };
}
