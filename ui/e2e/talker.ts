// Somebody who speaks like a provider of language models and says what a story needs.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What was asked: the model, and the moves that the form of the answer allows. */
export interface Asked {
  model: string;
  candidates: string[];
}

export interface Talker {
  /** What comes before `/chat/completions`. */
  endpoint: string;
  close(): Promise<void>;
}

interface Body {
  model: string;
  messages: unknown;
}

/** Ids of moves, wherever they stand in a question. */
function candidatesIn(body: unknown): string[] {
  const found = JSON.stringify(body).match(/"m\d+"|\bm\d+\b/g) ?? [];
  return [...new Set(found.map((id) => id.replaceAll('"', '')))];
}

export async function startTalker(say: (asked: Asked) => string): Promise<Talker> {
  const server = createServer((asked, answer) => {
    let text = '';
    asked.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    asked.on('end', () => {
      const body = JSON.parse(text) as Body;
      const content = say({ model: body.model, candidates: candidatesIn(body) });
      const reply = {
        id: 'said-1',
        object: 'chat.completion',
        created: 0,
        model: body.model,
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 900, completion_tokens: 100, total_tokens: 1000 },
      };
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
