import { expect, it } from 'vitest';
import { leaveUnread } from './leave-unread.ts';

it('closes what stands behind the stream, whatever is wrong with it', async () => {
  const closed: string[] = [];
  const source = (name: string, error?: Error) =>
    (async function* () {
      try {
        await Promise.resolve();
        if (error !== undefined) throw error;
        yield name;
        yield 'more';
      } finally {
        closed.push(name);
      }
    })();
  await leaveUnread(source('full'));
  await leaveUnread(source('broken', new Error('cut off')));
  expect(closed).toEqual(['full', 'broken']);
});
