// How the page is built: hashed files under /assets, one chunk per screen, and a proxy to a running desk while developing.
import react from '@vitejs/plugin-react';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin, ProxyOptions } from 'vite';
import { defineConfig } from 'vitest/config';

const desk = process.env.DESK ?? 'http://127.0.0.1:8080';

/** Streams of events begin with silence; their headers must not wait for the first word. */
const flushEarly: NonNullable<ProxyOptions['configure']> = (server) => {
  server.on(
    'proxyRes',
    (_, __, answer) => void setTimeout(() => answer.headersSent || answer.flushHeaders(), 5),
  );
};

// The desk lets people sign in from its own page only, so the proxy speaks in its name.
const proxy = Object.fromEntries(
  ['/api', '/healthz', '/login', '/openapi.json'].map((path) => [
    path,
    { target: desk, changeOrigin: true, headers: { origin: desk }, configure: flushEarly },
  ]),
);

/** Smaller files are sent as they are. */
const WORTH_COMPRESSING = 1024;

/** Puts a compressed copy beside each file, which the program sends to whoever takes it. */
const compressed = (): Plugin => ({
  name: 'compressed-copies',
  apply: 'build',
  writeBundle({ dir = 'dist' }, bundle) {
    for (const name of Object.keys(bundle).filter((name) => /\.(js|css|svg|html)$/.test(name))) {
      const file = join(dir, name);
      const source = readFileSync(file);
      if (source.length >= WORTH_COMPRESSING) writeFileSync(`${file}.gz`, gzipSync(source, { level: 9 }));
    }
  },
});

export default defineConfig({
  plugins: [react(), compressed()],
  server: { port: Number(process.env.PORT ?? 5173), proxy },
  preview: { port: Number(process.env.PORT ?? 4173), proxy },
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // Inlined files would be data: addresses, which the content security policy allows for pictures alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
  },
  test: {
    // Specs that need a document say so in their first line; the others start ten times as fast without.
    environment: 'node',
    include: ['src/**/*.spec.{ts,tsx}'],
    restoreMocks: true,
  },
});
