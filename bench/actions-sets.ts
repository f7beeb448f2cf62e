/** A hundred ActionSets at once on a pocket cluster, for bench/actions.ts. */
import { ActionSet, Blueprint, NAMESPACE } from '../src/api/index.ts';
import { objectsAt, textAt, valueAt, type JsonObject } from '../src/base/index.ts';
import { eventually } from '../test/eventually.ts';
import { objectOf } from '../test/kube-kinds.ts';
import { peakMb } from './backup-restore-process.ts';
import { servedPocket } from './served/pocket.ts';

const SPACE = 'bench';

export interface SetFigures {
  seconds: number;
  serverMb: number;
  /** Sets whose phases have another set's output. */
  mixedUp: number;
}

/** Three phases each; every phase says which set it is for, and what the one before it said. */
export async function manySets(count: number): Promise<SetFigures> {
  await using served = await servedPocket({});
  const { kube, pid } = served;
  await kube.create({ type: NAMESPACE }, objectOf(NAMESPACE, SPACE));
  const task = (name: string, says: string): JsonObject => {
    const command = ['sh', '-c', `echo '###Phase-output###: {"key":"who","value":"${says}"}'`];
    return { func: 'KubeTask', name, args: { image: 'debian', command } };
  };
  const phases = [
    task('one', '{{ .Options.who }}'),
    task('two', '{{ .Phases.one.Output.who }}'),
    task('three', '{{ .Phases.two.Output.who }}'),
  ];
  const blueprint = objectOf(Blueprint, 'who', { actions: { go: { phases } } });
  await eventually(() => kube.create({ type: Blueprint, namespace: SPACE }, blueprint));
  const began = performance.now();
  const names = Array.from({ length: count }, (_, at) => `set-${at}`);
  await Promise.all(
    names.map((name) => {
      const object = { kind: 'Namespace', name: SPACE, namespace: SPACE };
      const spec = { actions: [{ name: 'go', blueprint: 'who', object, options: { who: name } }] };
      return kube.create({ type: ActionSet, namespace: SPACE }, objectOf(ActionSet, name, { spec }));
    }),
  );
  const statuses = await eventually(
    async () => {
      const found: JsonObject[] = [];
      for await (const { items } of kube.list({ type: ActionSet, namespace: SPACE })) found.push(...items);
      const running = found.filter((set) => !['complete', 'failed'].includes(textAt(set, 'status', 'state') ?? ''));
      if (found.length < count || running.length > 0) throw new Error(`${running.length} sets have not ended`);
      return found;
    },
    { withinMs: 1_800_000 },
  );
  const seconds = (performance.now() - began) / 1000;
  return { seconds, serverMb: peakMb(pid), mixedUp: statuses.filter((set) => !isItsOwn(set)).length };
}

function isItsOwn(set: JsonObject): boolean {
  const name = textAt(set, 'metadata', 'name');
  const phases = objectsAt(objectsAt(set, 'status', 'actions')[0], 'phases');
  const isComplete = textAt(set, 'status', 'state') === 'complete' && phases.length === 3;
  return isComplete && phases.every((phase) => valueAt(phase, 'output', 'who') === name);
}
