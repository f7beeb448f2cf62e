import { expect, it } from 'vitest';
import { Term } from './term.ts';

it('is over before it begins, and whenever the leadership is', async () => {
  const term = new Term();
  expect(term.signal.aborted).toBe(true);
  for (const reason of ['deposed', 'deposed again']) {
    const stop = new AbortController();
    const running = term.run(stop.signal);
    expect(term.signal.aborted).toBe(false);
    stop.abort(reason);
    await running;
    expect(term.signal.reason).toBe(reason);
  }
});
