/** A pocket cluster in a process of its own, to be measured or killed: `node bench/pocket-server.ts DIR plain|tls`. */
import { NO_LOG } from '../src/base/index.ts';
import { systemClock } from '../src/main/system-clock.ts';
import { startPocket } from '../src/pocket/index.ts';

const [dir = '', transport = 'tls'] = process.argv.slice(2);
const pocket = await startPocket({
  dir,
  name: 'bench',
  port: 0,
  clock: systemClock,
  log: NO_LOG,
  tls: transport === 'tls',
});
console.log(JSON.stringify({ url: pocket.url, token: pocket.token, ca: pocket.ca }));
process.on('SIGTERM', () => {
  void pocket.close().then(() => process.exit(0));
});
