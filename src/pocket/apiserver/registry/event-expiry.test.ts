import { beforeEach, expect, it } from 'vitest';
import { memoryServer, TYPES, type MemoryServer } from '../../../../test/pocket/memory-server.ts';
import { expireEvents } from './event-expiry.ts';

const HOUR_MS = 3_600_000;

let server: MemoryServer;
beforeEach(async () => {
  server = await memoryServer();
});

const event = (name: string, more: object = {}): Promise<unknown> =>
  server.client.create(TYPES.events, {
    metadata: { name, namespace: 'default' },
    involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
    ...more,
  });
const names = async (): Promise<string[]> =>
  (await server.client.list(TYPES.events)).items.map(({ metadata }) => metadata.name);

it('forgets events an hour after they were last seen', async () => {
  await event('old');
  await event('seen-again', { lastTimestamp: new Date(server.clock.now() + HOUR_MS / 2).toISOString() });
  await server.clock.advance(HOUR_MS + 1000);
  await event('new');
  await expireEvents(server.api.registry);
  expect(await names()).toEqual(['new', 'seen-again']);
  await server.clock.advance(HOUR_MS / 2);
  await expireEvents(server.api.registry);
  expect(await names()).toEqual(['new']);
});

it('forgets all of them, however many came', async () => {
  await Promise.all(Array.from({ length: 2500 }, (_, i) => event(`e${i}`)));
  await server.clock.advance(HOUR_MS + 1000);
  await expireEvents(server.api.registry);
  expect(await names()).toEqual([]);
});
