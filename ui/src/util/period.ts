// Periods as people type them and as the command line takes them: `10m`, `1h30m`, `2d`.

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** In seconds; null if it is not one. */
export function periodSeconds(text: string): number | null {
  const trimmed = text.trim().toLowerCase();
  if (!/^(\d+(\.\d+)?\s*[smhd]\s*)+$/.test(trimmed)) return null;
  let total = 0;
  for (const [, value = '0', unit = 's'] of trimmed.matchAll(/(\d+(?:\.\d+)?)\s*([smhd])/g)) {
    total += Number(value) * (UNITS[unit] ?? 1);
  }
  return total > 0 ? Math.round(total) : null;
}
