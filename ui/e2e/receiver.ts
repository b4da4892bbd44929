// Somebody who is told what happens: takes messages, or does not.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver {
  url: string;
  /** The kinds of the messages that came, in order. */
  heard: string[];
  /** What it says from now on. */
  answerWith(status: number): void;
  close(): Promise<void>;
}

export async function startReceiver(status = 204): Promise<Receiver> {
  const heard: string[] = [];
  let answers = status;
  const server = createServer((asked, answer) => {
    let text = '';
    asked.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    asked.on('end', () => {
      heard.push((JSON.parse(text) as { type: string }).type);
      answer.writeHead(answers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/drover`,
    heard,
    answerWith: (next) => (answers = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
