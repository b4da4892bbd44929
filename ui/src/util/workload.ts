// Names of workloads: `deployment/default/frontend`.

export interface WorkloadName {
  kind: string;
  namespace: string;
  name: string;
}

export function splitWorkload(text: string | null | undefined): WorkloadName | null {
  const [kind, namespace, ...rest] = text?.split('/') ?? [];
  const name = rest.join('/');
  return kind && namespace && name ? { kind, namespace, name } : null;
}

/** Without its kind, as people say it. */
export function shortWorkload(text: string): string {
  const parts = splitWorkload(text);
  return parts ? `${parts.namespace}/${parts.name}` : text;
}

/** `person:anna` is anna, `agent:keep-headroom` is keep-headroom. */
export function actorName(actor: string): string {
  return actor.replace(/^[a-z]+:/, '');
}
