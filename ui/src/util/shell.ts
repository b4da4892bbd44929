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
