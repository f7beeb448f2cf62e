import { expect, it } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { OperationTree } from '../../core/operations/index.ts';
import { Metrics } from '../../server/index.ts';
import { measureLoopDelay } from './loop-delay.ts';

it('shows in the metrics that a step has kept everything waiting', async () => {
  const metrics = new Metrics();
  using _measuring = measureLoopDelay(metrics);
  const longerThan = async (seconds: number): Promise<number> => {
    const text = await metrics.render(new OperationTree(), 0);
    const valueOf = (series: string): number => {
      const line = text.split('\n').find((each) => each.startsWith(`headway_event_loop_delay_seconds_${series} `));
      return Number(line?.split(' ')[1]);
    };
    return valueOf('count') - valueOf(`bucket{le="${seconds}"}`);
  };
  await eventually(async () => {
    const until = performance.now() + 300;
    while (performance.now() < until);
    expect(await longerThan(0.25)).toBeGreaterThan(0);
  });
});
