import { expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { HeadwayHome } from '../headway-process.ts';
import { servedPocket } from '../served-cluster.ts';

const LOADED = new URL('stand-still-on-signal.ts', import.meta.url);

it('a server whose event loop stands says where, and ends', { timeout: 60_000 }, async () => {
  await using cluster = await servedPocket();
  using home = new HeadwayHome({ NODE_OPTIONS: `--import=${LOADED.href}` });
  const server = home.start('server', '--kubeconfig', cluster.kubeconfig, '--listen', '127.0.0.1:0');
  await eventually(
    () => {
      expect(server.err).toContain('"msg":"serving"');
    },
    { withinMs: 30_000 },
  );
  const began = performance.now();
  server.child.kill('SIGUSR2');
  const { err } = await server.finished();
  expect(server.child.signalCode).toBe('SIGKILL');
  expect(performance.now() - began).toBeGreaterThan(9000);
  const last = JSON.parse(err.trimEnd().split('\n').at(-1) ?? '') as { msg: string; at: string[] };
  expect(last.msg).toBe('the event loop stands still, the process ends');
  expect(last.at[0]).toMatch(/^standStill \(file:.*stand-still-on-signal\.ts:\d+:\d+\)$/);
});
