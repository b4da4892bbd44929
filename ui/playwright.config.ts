// End-to-end tests against the real program: `DROVER=../target/debug/drover npm run e2e`, with a program that has its page, or with
// `DROVER_PAGE=dist` and any build of it.
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results',
  forbidOnly: true,
  // Each story has a desk of its own.
  workers: 2,
  // Where nobody can look on, one story of two hundred that stumbles over a slow machine is told as flaky and tried once more; at home
  // it fails.
  retries: process.env.CI ? 1 : 0,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    actionTimeout: 20_000,
    navigationTimeout: 20_000,
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    trace: 'off',
    launchOptions: {
      // Browsers cannot be downloaded everywhere; the one of the system will do.
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
