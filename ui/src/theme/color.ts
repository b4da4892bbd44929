// The colour behind a token, for canvases, which do not know CSS variables.
const probes = new WeakMap<HTMLElement, HTMLElement>();

export function tokenColor(host: HTMLElement, token: string): string {
  let probe = probes.get(host);
  if (!probe) {
    probe = document.createElement('span');
    probe.hidden = true;
    host.append(probe);
    probes.set(host, probe);
  }
  probe.style.color = `var(${token})`;
  return getComputedStyle(probe).color;
}
