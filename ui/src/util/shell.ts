// Words for a command line, quoted where a shell would take them apart.
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function commandLine(...words: (string | null | undefined | false)[]): string {
  return words
    .filter((word): word is string => Boolean(word))
    .map(quoted)
    .join(' ');
}

/** A request by any program that speaks HTTP, where the command line has no word for it. */
export function requestLine(address: string, body?: unknown): string {
  const sent = body === undefined ? '-X POST' : `--json ${quoted(JSON.stringify(body))}`;
  return `curl ${quoted(address)} -H "authorization: Bearer $DROVER_TOKEN" ${sent}`;
}
