/** A pocket cluster whose pods are processes, in a process of its own: for tests that kill it, or need it to be somebody else's. */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { NO_LOG } from '../../src/base/index.ts';
import { headwayProgram } from '../../src/main/headway-program.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { startPocket } from '../../src/pocket/index.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { plain: { type: 'boolean' } } });
const pocket = await startPocket({
  dir: positionals[0] ?? '',
  name: 'pods',
  port: 0,
  clock: systemClock,
  log: NO_LOG,
  pods: { searchPath: process.env['PATH'] ?? '', program: headwayProgram(), isPlain: values.plain ?? false },
});
const { url, token, ca, pods } = pocket;
process.stdout.write(`${JSON.stringify({ url, token, ca, pods: pods.message })}\n`);
await once(process, 'SIGTERM');
await pocket.close();
