import type { Case, CaseGroup } from '../../case.ts';
import { type Ask, talk } from '../../streams.ts';
import { ask } from '../objects.ts';
import { isOver, isReady, isRunning, path, podOf, sh, start, together, waiting } from './objects.ts';

const POD = podOf(waiting({ env: [{ name: 'GREETING', value: 'hello' }], workingDir: '/tmp' }));
const run = (...command: string[]) => ({ command });
const script = (text: string, more: Ask = {}): Ask => ({ ...run('sh', '-c', text), ...more });

const inside = (name: string, ...asks: Ask[]): Case =>
  ask(name, async (own) => {
    const stage = await together(own, 'exec', POD, isReady);
    const talks = await Promise.all(asks.map((one) => talk(stage.api, path(stage, 'p', 'exec'), one)));
    return talks.length === 1 ? talks[0] : talks;
  });

/** The runtime says why, in words of its own. */
const failing = (name: string, one: Ask): Case =>
  ask(name, async (own) => {
    const stage = await together(own, 'exec', POD, isReady);
    const heard = await talk(stage.api, path(stage, 'p', 'exec'), one);
    const { status, reason, code } = ('stdout' in heard ? heard.status : heard.body) as Record<string, unknown>;
    return [status, reason, code];
  });

const MEGABYTE = 1_048_576;

/** Commands in a container that runs. */
export const podExec: CaseGroup = {
  group: 'pods-exec',
  cases: [
    inside('it says something', script('echo hi')),
    inside('it says something to a client of old', script('echo hi', { protocol: 'v4.channel.k8s.io' })),
    inside('it ends with a code', script('exit 3')),
    inside('it ends with a code for a client of old', script('exit 3', { protocol: 'v4.channel.k8s.io' })),
    inside('it is killed', script('kill -9 $$')),
    inside('words and errors apart', script('echo out; echo err >&2; exit 1')),
    inside('only the errors', script('echo out; echo err >&2', { streams: ['stderr'] })),
    inside('it reads to the end', { ...run('cat'), input: 'one\ntwo\n' }),
    inside('it reads nothing', { ...run('cat'), input: '' }),
    inside('it reads as much as it wants', {
      ...run('head', '-n', '1'),
      input: 'one\ntwo\n',
      protocol: 'v4.channel.k8s.io',
    }),
    inside('it reads a lot', { ...run('wc', '-c'), input: Buffer.alloc(4 * MEGABYTE, 'x') }),
    ask('it says a lot', async (own) => {
      const stage = await together(own, 'exec', POD, isReady);
      const heard = await talk(stage.api, path(stage, 'p', 'exec'), script('head -c 4194304 /dev/zero | tr "\\0" x'));
      if (!('stdout' in heard)) return heard;
      return { ...heard, stdout: [heard.stdout.length, heard.stdout === 'x'.repeat(heard.stdout.length)] };
    }),
    inside('what comes back is what was sent', { ...run('cat'), input: Buffer.from('ä\u0000€😀\r\n') }),
    inside('environment and folder are those of the container', script('echo "$GREETING"; pwd; hostname')),
    inside('a command of 20 kB', script(`: ${'x'.repeat(20_000)}; echo done`)),
    inside('words with blanks, quotes and nothing', run('printf', '[%s]', 'a b', '"c"', '', '$HOME', 'ä&=+%')),
    inside('many at a time', ...[1, 2, 3, 4, 5].map((code) => script(`echo ${code}; exit ${code}`))),
    inside('on a terminal', script('[ -t 0 ] && [ -t 1 ] && echo terminal', { tty: true })),
    inside('on a terminal with input', script('read line; echo "got $line"', { tty: true, input: 'x\n' })),
    inside(
      'the size of the terminal',
      script('until stty size 2>/dev/null | grep 132; do sleep 0.1; done', {
        tty: true,
        size: { Width: 132, Height: 43 },
        input: '',
      }),
    ),
    inside('a container that is not there', script('exit 0', { container: 'nope' })),
    failing('no command', {}),
    inside('no streams', script('exit 0', { streams: [] })),
    failing('a program that is not there', run('no-such-program')),
    ask('the container of two that was asked for', async (stage) => {
      await start(
        stage,
        podOf([waiting({ name: 'a' }), waiting({ name: 'b', env: [{ name: 'ME', value: 'b' }] })]),
        isReady,
      );
      const asked = async (container?: string) =>
        await talk(
          stage.api,
          path(stage, 'p', 'exec'),
          script('echo "me: $ME"', container === undefined ? {} : { container }),
        );
      return [await asked('b'), await asked('a'), await asked()];
    }),
    ask('a pod that is over', async (stage) => {
      await start(stage, podOf(sh('exit 0')), isOver);
      return await talk(stage.api, path(stage, 'p', 'exec'), script('exit 0'));
    }),
    ask('a container that waits', async (stage) => {
      await start(stage, podOf(sh('exit 0'), { initContainers: [waiting({ name: 'i' })] }), isRunning);
      const answer = await talk(stage.api, path(stage, 'p', 'exec'), script('exit 0', { container: 'c' }));
      return 'body' in answer ? [answer.status, answer.body] : answer;
    }),
    ask('what came first', async (stage) => {
      await start(stage, podOf(sh('exit 0'), { initContainers: [waiting({ name: 'i' })] }), isRunning);
      return await talk(stage.api, path(stage, 'p', 'exec'), script('echo hi', { container: 'i' }));
    }),
    ask('a pod that is not there', (stage) => talk(stage.api, path(stage, 'nope', 'exec'), script('exit 0'))),
    ask('a pod that no node has', async (stage) => {
      const unscheduled = podOf(waiting(), { nodeSelector: { disk: 'none' } });
      await start(stage, unscheduled, ({ status }) => status.conditions?.length === 1);
      return await talk(stage.api, path(stage, 'p', 'exec'), script('exit 0'));
    }),
    ask('a plain request', async (own) => {
      const stage = await together(own, 'exec', POD, isReady);
      const { status, body } = await stage.api.get(path(stage, 'p', 'exec'), {
        query: { command: 'ls', stdout: 'true' },
      });
      return [status, body];
    }),
  ],
};
