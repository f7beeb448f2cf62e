import { eventually } from '../../../eventually.ts';
import type { Case, CaseGroup, Stage } from '../../case.ts';
import { talk } from '../../streams.ts';
import { ask } from '../objects.ts';
import {
  containersOf,
  type Fields,
  isOver,
  isRunning,
  log,
  path,
  podOf,
  sh,
  start,
  together,
  waiting,
} from './objects.ts';

const LINES = podOf(sh('for i in 1 2 3 4 5; do echo "line $i"; done'));
const TWO = podOf([sh('echo from a', { name: 'a' }), sh('echo from b', { name: 'b' })]);

async function asked(stage: Stage, query: Record<string, string>): Promise<unknown> {
  const { status, headers, body } = await stage.api.get(path(stage, 'p', 'log'), { query });
  return [status, headers.contentType, body];
}

const UNTIL_TOLD = 'while [ ! -f /tmp/told ]; do sleep 0.1; done';

/** The log until the container ends. It is told to go on when the first piece has come, so that piece came in time. */
async function followed(stage: Stage, query: Record<string, string>): Promise<string> {
  let heard = '';
  for await (const piece of stage.api.stream(path(stage, 'p', 'log'), { follow: 'true', ...query })) {
    if (heard === '') await talk(stage.api, path(stage, 'p', 'exec'), { command: ['touch', '/tmp/told'] });
    heard += piece;
  }
  return heard;
}

/** The log of a pod that is over. */
const of = (name: string, pod: Fields, query: Record<string, string> = {}): Case =>
  ask(name, async (stage) => {
    await start(stage, pod, isOver);
    return await asked(stage, query);
  });

/** Five lines, or the first lines of two containers, asked for like this. */
const lines = (name: string, query: Record<string, string> = {}): Case =>
  ask(name, async (stage) => await asked(await together(stage, 'lines', LINES, isOver), query));
const two = (name: string, query: Record<string, string> = {}): Case =>
  ask(name, async (stage) => await asked(await together(stage, 'two', TWO, isOver), query));

const emptyDir = { volumes: [{ name: 'v', emptyDir: {} }] };
const mounted = { volumeMounts: [{ name: 'v', mountPath: '/v' }] };

/** What containers said, and how it can be asked for. */
export const podLogs: CaseGroup = {
  group: 'pods-logs',
  cases: [
    lines('all of it'),
    lines('the last lines', { tailLines: '2' }),
    lines('more lines than there are', { tailLines: '100' }),
    lines('no lines', { tailLines: '0' }),
    lines('the first bytes', { limitBytes: '10' }),
    lines('the first bytes of the last lines', { tailLines: '2', limitBytes: '8' }),
    lines('since long ago', { sinceSeconds: '3600' }),
    lines('since tomorrow', { sinceTime: new Date(Date.now() + 86_400_000).toISOString() }),
    lines('followed when it is over', { follow: 'true' }),
    of('nothing was said', podOf(sh('exit 0'))),
    of('the last line has no end', podOf(sh('printf "a\\nb"'))),
    of('empty lines, tabs and letters of elsewhere', podOf(sh('printf "\\n\\tä€😀\\n\\n"'))),
    lines('less than nothing', { tailLines: '-1' }),
    lines('two beginnings', { sinceSeconds: '1', sinceTime: '2026-01-01T00:00:00Z' }),
    lines('a number that is none', { tailLines: 'many' }),
    two('one of two', { container: 'b' }),
    two('one of two without a name'),
    lines('a container that is not there', { container: 'nope' }),
    of('what came first', podOf(sh('exit 0'), { initContainers: [sh('echo first', { name: 'i' })] }), {
      container: 'i',
    }),
    lines('what was before, when nothing was', { previous: 'true' }),
    ask('what was before', async (stage) => {
      const script = 'if [ -f /v/seen ]; then echo again; exec sleep 1000; fi; touch /v/seen; echo before; exit 1';
      const pod = podOf(sh(script, mounted), { ...emptyDir, restartPolicy: 'Always' });
      await start(
        stage,
        pod,
        (seen) => isRunning(seen) && containersOf(seen).some(({ restartCount }) => restartCount > 0),
      );
      // It runs before it has said anything.
      const now = await eventually(
        async () => {
          const said = await log(stage);
          if (said === '') throw new Error('the container has said nothing yet');
          return said;
        },
        { withinMs: 20_000 },
      );
      return [await log(stage, { previous: 'true' }), now];
    }),
    ask('with the times', async (own) => {
      const stage = await together(own, 'lines', LINES, isOver);
      const said = String(await log(stage, { timestamps: 'true' }));
      return said.replaceAll(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}(Z|[+-]\d\d:\d\d) /gm, '<time> ');
    }),
    ask('both streams', async (stage) => {
      await start(stage, podOf(sh('echo out; echo err >&2')), isOver);
      return String(await log(stage))
        .trim()
        .split('\n')
        .toSorted();
    }),
    ask('a line that is long', async (stage) => {
      await start(stage, podOf(sh('head -c 100000 /dev/zero | tr "\\0" x; echo; echo end')), isOver);
      return String(await log(stage))
        .split('\n')
        .map((line) => (line.length > 10 ? line.length : line));
    }),
    ask('followed from line to line', async (stage) => {
      await start(stage, podOf(sh(`echo before; ${UNTIL_TOLD}; echo after`)), isRunning);
      return await followed(stage, {});
    }),
    ask('followed from the last line on', async (stage) => {
      await start(stage, podOf(sh(`echo one; echo two; ${UNTIL_TOLD}; echo three`)), isRunning);
      // Both lines are in the log before it is asked for.
      await eventually(async () => {
        if (!String(await log(stage)).includes('two')) throw new Error('not said yet');
      });
      return await followed(stage, { tailLines: '1' });
    }),
    ask('of a pod that is not there', (stage) => stage.api.get(path(stage, 'nope', 'log'))),
    ask('of a pod that no node has', async (stage) => {
      const unscheduled = podOf(waiting(), { nodeSelector: { disk: 'none' } });
      await start(stage, unscheduled, ({ status }) => status.conditions?.length === 1);
      return await stage.api.get(path(stage, 'p', 'log'));
    }),
    ask('of a container that waits', async (stage) => {
      const pod = podOf(sh('exit 0'), { initContainers: [waiting({ name: 'i' })] });
      await start(stage, pod, isRunning);
      return await stage.api.get(path(stage, 'p', 'log'));
    }),
  ],
};
