import { expect, it } from 'vitest';
import { Printer } from '../../cli/index.ts';
import type { Report } from '../../core/progress/index.ts';
import { Steps } from './steps.ts';

const STEP = { name: 'restore', what: 'demo-1-copy into shop-copy', verb: 'waiting' };

function reportOf(stage: Report['stage'], done: number): Report {
  return {
    state: 'running',
    percent: done / 10,
    measures: [{ unit: 'items', done, total: { kind: 'exact', value: 1000 } }],
    ...(stage === undefined ? {} : { stage, current: `configmaps shop/c${String(done)}` }),
    children: [],
  };
}

async function told(isTerminal: boolean): Promise<string> {
  let text = '';
  let now = 0;
  const output = { out: (chunk: string) => void (text += chunk), err: () => undefined, isTerminal, columns: 80 };
  const steps = new Steps(new Printer(output), () => now);
  await steps.run(
    STEP,
    (onReport) => {
      onReport({ state: 'running', measures: [], children: [] });
      for (let done = 0; done < 1000; done += 100) {
        now += 300;
        onReport(reportOf('restoring', done));
      }
      now += 5000;
      onReport({ ...reportOf('finalizing', 1000), state: 'completed' });
      return Promise.resolve('');
    },
    () => 'demo-1-copy: 1 000 items',
  );
  return text;
}

it('tells a log one line when the stage changes and one a second, so that it can be seen moving', async () => {
  expect(await told(false)).toBe(
    [
      '● restore   waiting     demo-1-copy into shop-copy',
      '● restore   restoring     0 %  0 of 1 000  configmaps shop/c0',
      '● restore   restoring    40 %  400 of 1 000  configmaps shop/c400',
      '● restore   restoring    80 %  800 of 1 000  configmaps shop/c800',
      '✓ restore   demo-1-copy: 1 000 items                                   8 s',
      '',
    ].join('\n'),
  );
});

it('draws over three lines on a terminal', async () => {
  expect(await told(true)).toContain('\u001b[3A\r● restore   demo-1-copy into shop-copy\u001b[K\n  restoring  ██');
});

it('does not look green when something is missing', async () => {
  let text = '';
  const output = { out: (chunk: string) => void (text += chunk), err: () => undefined, isTerminal: false, columns: 80 };
  await new Steps(new Printer(output), () => 0).run(
    STEP,
    () => Promise.resolve(''),
    () => ({ text: '9 objects compared, 0 differ', gap: 'without volume data (18)' }),
  );
  expect(text).toMatch(/^▲ restore {3}9 objects compared, 0 differ, without volume data \(18\) /);
});
