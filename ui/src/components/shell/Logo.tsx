// The sign of Drover: a gate, and something on its way out of it.
export function Logo() {
  return (
    <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent-fill)" />
      <g fill="none" stroke="var(--on-accent)" strokeLinecap="round" strokeLinejoin="round">
        <path d="M8 9h7a7 7 0 0 1 0 14H8z" strokeWidth="2.6" />
        <path d="M19.5 16H27m-3-3.2L27.2 16 24 19.2" strokeWidth="2.2" />
      </g>
    </svg>
  );
}
