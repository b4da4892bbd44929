// Spans and moments as people read them. All in milliseconds.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** `0.4 s`, `14 s`, `4 m 05 s`, `2 h 07 m`, `3 d 04 h`: two units at most, always the same width within a unit. */
export function span(milliseconds: number): string {
  const value = Math.max(0, milliseconds);
  if (value < SECOND && value > 0) return `${(value / SECOND).toFixed(1)} s`;
  if (value < MINUTE) return `${Math.floor(value / SECOND)} s`;
  if (value < HOUR) return `${Math.floor(value / MINUTE)} m ${two(Math.floor((value % MINUTE) / SECOND))} s`;
  if (value < DAY) return `${Math.floor(value / HOUR)} h ${two(Math.floor((value % HOUR) / MINUTE))} m`;
  return `${Math.floor(value / DAY)} d ${two(Math.floor((value % DAY) / HOUR))} h`;
}

/** The same for sentences and for reading aloud: `45 s`, `12 min 30 s`, `2 h 7 min`, `3 d 4 h`; nothing is said of a zero. */
export function spelled(milliseconds: number): string {
  const value = Math.max(0, milliseconds);
  const [large, small, words] =
    value < HOUR
      ? ([MINUTE, SECOND, ['min', 's']] as const)
      : value < DAY
        ? ([HOUR, MINUTE, ['h', 'min']] as const)
        : ([DAY, HOUR, ['d', 'h']] as const);
  const whole = Math.floor(value / large);
  const rest = Math.floor((value % large) / small);
  const parts = [whole > 0 && `${whole} ${words[0]}`, rest > 0 && `${rest} ${words[1]}`].filter(Boolean);
  return parts.join(' ') || '0 s';
}

/** How long ago, as one says it: `just now`, `45 s ago`, `2 min ago`, `3 h ago`, `2 d ago`. */
export function ago(milliseconds: number): string {
  const value = Math.max(0, milliseconds);
  if (value < 5 * SECOND) return 'just now';
  if (value < MINUTE) return `${Math.floor(value / SECOND)} s ago`;
  if (value < HOUR) return `${Math.floor(value / MINUTE)} min ago`;
  if (value < DAY) return `${Math.floor(value / HOUR)} h ago`;
  return `${Math.floor(value / DAY)} d ago`;
}

/** A countdown: `11:42`, `1:02:09`. */
export function countdown(milliseconds: number): string {
  const value = Math.max(0, milliseconds);
  const hours = Math.floor(value / HOUR);
  const minutes = Math.floor((value % HOUR) / MINUTE);
  const seconds = Math.floor((value % MINUTE) / SECOND);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** A moment of the federation's own time since its beginning: `00:03:00`, `2d 05:10:00`. */
export function moment(milliseconds: number): string {
  const value = Math.max(0, milliseconds);
  const days = Math.floor(value / DAY);
  const clock = `${two(Math.floor((value % DAY) / HOUR))}:${two(Math.floor((value % HOUR) / MINUTE))}:${two(Math.floor((value % MINUTE) / SECOND))}`;
  return days > 0 ? `${days}d ${clock}` : clock;
}

/** The time of day of a moment of everybody's time, in the zone of the reader. */
export function dayTime(milliseconds: number): string {
  return wallMoment(milliseconds).slice(-8);
}

/** A moment of everybody's time, in the zone of the reader. */
export function wallMoment(milliseconds: number): string {
  const date = new Date(milliseconds);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
