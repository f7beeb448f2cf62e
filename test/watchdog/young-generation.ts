/** Prints how large the young generation of a small thread gets, and that of one that was started after it. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { smallThread } from '../../src/main/serve/small-thread.ts';

const makesGarbage = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { parentPort } from 'node:worker_threads';
  let kept = [];
  for (let at = 0; at < 1e6; at += 1) kept = [at, kept.length];
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  parentPort.postMessage(young.space_size);
`;
const file = new URL(`data:text/javascript,${encodeURIComponent(makesGarbage)}`);

for (const thread of [smallThread(file, {}), undefined]) {
  const [bytes] = (await once(thread ?? new Worker(file), 'message')) as [number];
  console.log(bytes);
}
