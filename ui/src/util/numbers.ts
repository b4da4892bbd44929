// Numbers with their units, always in the same number of digits so that columns stay aligned.

const MINUS = '−';
const NARROW_SPACE = ' ';

/** A fixed number of digits, a real minus sign, thin spaces between thousands. */
export function digits(value: number, fraction = 0): string {
  const text = Math.abs(value).toFixed(fraction);
  const [whole = '0', part] = text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, NARROW_SPACE);
  const isZero = Number(text) === 0;
  return `${value < 0 && !isZero ? MINUS : ''}${grouped}${part ? `.${part}` : ''}`;
}

/** The same with a sign in front of what grows, too. */
export function signed(value: number, fraction = 0): string {
  const text = digits(value, fraction);
  return value > 0 && Number(Math.abs(value).toFixed(fraction)) !== 0 ? `+${text}` : text;
}

/** A share as percent: `91.5 %`. */
export function percent(share: number, fraction = 1): string {
  return `${digits(share * 100, fraction)} %`;
}

const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Bytes in the largest unit that leaves something before the point: `30.9 GiB`. */
export function bytes(value: number): string {
  const power = value < 1 ? 0 : Math.min(BINARY.length - 1, Math.floor(Math.log2(value) / 10));
  return `${digits(value / 2 ** (10 * power), power === 0 ? 0 : 1)} ${BINARY[power] ?? 'B'}`;
}

export function cores(value: number): string {
  return `${digits(value, Number.isInteger(value) ? 0 : 1)} cores`;
}

/** Money per hour as the desk reckons it. */
export function perHour(value: number): string {
  return `${digits(value, 2)} $/h`;
}

/** `1 pod`, `2 pods`. */
export function count(value: number, noun: string, plural = `${noun}s`): string {
  return `${digits(value)} ${value === 1 ? noun : plural}`;
}
