// Server-sent events out of a stream of text, in pieces of any size.

export interface LiveEvent {
  id: string;
  /** Without the beginning `io.drover.` and the version: `recommendation.created`. */
  topic: string;
  subject: string;
}

export interface Piece {
  events: LiveEvent[];
  /** What is left until the next piece arrives. */
  rest: string;
}

/** Splits complete messages off; comments (heartbeats) count as life but yield no event. */
export function parse(rest: string, chunk: string): Piece {
  const text = (rest + chunk).replaceAll('\r\n', '\n');
  const messages = text.split('\n\n');
  const last = messages.pop() ?? '';
  return { events: messages.map(eventOf).filter((event) => event !== null), rest: last };
}

function eventOf(message: string): LiveEvent | null {
  let id = '';
  let type = '';
  let data = '';
  for (const line of message.split('\n')) {
    const colon = line.indexOf(':');
    if (colon < 1) continue;
    const value = line.slice(colon + 1).replace(/^ /, '');
    const field = line.slice(0, colon);
    if (field === 'id') id = value;
    else if (field === 'event') type = value;
    else if (field === 'data') data += value;
  }
  if (!type) return null;
  return { id, topic: type.replace(/^io\.drover\./, '').replace(/\.v\d+$/, ''), subject: subjectOf(data) };
}

function subjectOf(data: string): string {
  try {
    const parsed: unknown = JSON.parse(data);
    if (typeof parsed === 'object' && parsed !== null && 'subject' in parsed) return String(parsed.subject);
  } catch {
    // An event that cannot be read still says that something happened.
  }
  return '';
}
