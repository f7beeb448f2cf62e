import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Blueprint, CONFIG_MAP, EVENT, POD, Profile, SECRET } from '../../src/api/index.ts';
import { objectsAt, textAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import { eventually } from '../eventually.ts';
import { IS_CAMPAIGN } from '../faults/seeded-random.ts';
import { objectOf } from '../kube-kinds.ts';
import { isUp, podClusters, shellPod } from '../pod-clusters.ts';
import { ActionCluster, errorOf, on, phasesOf, SPACE } from './action-cluster.ts';

const MARKER = '###Phase-output###: {"key":"k","value":"v"}';
/** Templates that take for ever or all memory, each where a command would be. */
const HOSTILE = {
  range: '{{ range $i := until 1000000000 }}x{{ end }}',
  recursion: '{{ define "a" }}{{ template "a" }}{{ end }}{{ template "a" }}',
  output: '{{ repeat 10485760 "x" }}',
  nested: '{{ range until 2000 }}{{ range until 2000 }}{{ range until 2000 }}{{ end }}{{ end }}{{ end }}',
  pattern: '{{ regexMatch "(a+)+$" (repeat 40 "a" | printf "%s!") }}{{ range until 100000000 }}{{ end }}',
} as const;

/** On the kubelet in the campaign. */
const KINDS = (await podClusters()).filter(({ name }) => IS_CAMPAIGN || name === 'pocket');
for (const kind of KINDS) {
  describe.skipIf(kind.missing)(kind.title('ActionSets with bad input'), { timeout: 240_000 }, () => {
    let cluster: ActionCluster;
    let bystander: string;
    const versions = async (): Promise<string> => {
      const pod = await cluster.kube.get({ type: POD, namespace: SPACE, name: 'bystander' });
      const map = await cluster.kube.get({ type: CONFIG_MAP, namespace: SPACE, name: 'bystander' });
      const [container] = objectsAt(pod, 'status', 'containerStatuses');
      const started = textAt(container, 'state', 'running', 'startedAt');
      return [pod.metadata.uid, started, pod['spec'], map.metadata.resourceVersion]
        .map((each) => JSON.stringify(each))
        .join();
    };
    beforeAll(async () => {
      cluster = await ActionCluster.start(kind);
      await cluster.kube.create({ type: POD, namespace: SPACE }, shellPod('bystander', 'sleep 1000'));
      await cluster.kube.create({ type: CONFIG_MAP, namespace: SPACE }, objectOf(CONFIG_MAP, 'bystander'));
      await isUp(cluster.kube, SPACE, 'bystander');
      bystander = await versions();
    }, 180_000);
    afterAll(async () => {
      await cluster?.[Symbol.asyncDispose]();
    });
    /** A set of one action with these phases and a deferPhase that says it ran. */
    const begin = async (name: string, phases: JsonObject[], more: JsonObject = {}): Promise<void> => {
      const deferPhase = cluster.task('later', `echo '${MARKER}'`);
      await cluster.blueprint(name, { go: { phases, deferPhase, ...(more['action'] as JsonObject) } });
      await cluster.create(name, [on('go', name, more['spec'] as JsonObject)]);
    };
    const deferred = (status: JsonObject): unknown => valueAt((status['actions'] as JsonObject[])[0], 'deferPhase');
    const warnings = async (name: string): Promise<string[]> => {
      const found: string[] = [];
      const options = { fieldSelector: `involvedObject.name=${name}` };
      for await (const { items } of cluster.kube.list({ type: EVENT, namespace: SPACE }, options))
        for (const event of items) if (textAt(event, 'type') === 'Warning') found.push(textAt(event, 'message') ?? '');
      return found;
    };

    it('are refused with every reason before anything is done', async () => {
      const profile = {
        location: { type: 's3Compliant', bucket: 'b' },
        credential: {
          type: 'keyPair',
          keyPair: { idField: 'id', secretField: 'gone', secret: { name: 'keys', namespace: SPACE } },
        },
      };
      await cluster.kube.create(
        { type: SECRET, namespace: SPACE },
        objectOf(SECRET, 'keys', { stringData: { id: 'x' } }),
      );
      await cluster.kube.create({ type: Profile, namespace: SPACE }, objectOf(Profile, 'keyless', profile));
      const gone = { secrets: { s: { name: 'gone', namespace: SPACE } } };
      await begin('null', [
        cluster.task('one', 'true', { podLabels: null }),
        cluster.task('two', 'true', { command: null }),
      ]);
      await begin('empty', [], { spec: gone });
      await begin('keyless', [cluster.task('one', 'true')], {
        spec: { profile: { name: 'keyless', namespace: SPACE } },
      });
      await begin('kind', [cluster.task('one', 'true')], {
        spec: { object: { kind: 'Pod', name: 'bystander', namespace: SPACE } },
      });
      await begin(
        'several',
        [cluster.task('same', 'true'), cluster.task('same', '{{ if }}'), { func: 'Nope', name: 'x' }],
        { action: { inputArtifactNames: ['a'] }, spec: gone },
      );
      const reasons: Record<string, string[]> = {
        null: ['argument podLabels is null', 'argument command is null'],
        empty: ['secrets "gone" not found'],
        keyless: ["Value 'gone' not found in secret 'actions:keys'"],
        kind: ['expected the kind StatefulSet'],
        several: [
          'Duplicated phase name',
          'missing value for if',
          'Nope',
          'artifact a is missing',
          'secrets "gone" not found',
        ],
      };
      for (const [name, words] of Object.entries(reasons)) {
        const ended = await cluster.ended(name);
        expect([name, ended['state']]).toEqual([name, 'failed']);
        for (const word of words) expect(errorOf(ended).split(word), word).toHaveLength(2);
        // Nothing had been done that would have to be cleaned up.
        expect(deferred(ended)).toEqual({ name: 'later', state: 'pending' });
        await eventually(async () => {
          expect((await warnings(name)).join()).toContain(words[0]);
        });
      }
    });

    it('fail in the phase that has it, and clean up', async () => {
      const fails: Record<string, RegExp> = {};
      for (const [name, template] of Object.entries(HOSTILE)) {
        fails[name] = /one.*(steps|bytes|deep|depth|longer|large|inside|until)/is;
        await begin(name, [cluster.task('one', template)]);
      }
      fails['endless'] = /timeout of 4s/;
      await begin('endless', [{ ...cluster.task('one', 'yes'), timeout: '4s' }]);
      fails['markers'] = /marker|JSON|Phase-output/i;
      await begin('markers', [cluster.task('one', 'echo \'###Phase-output###: {"key":5\'')]);
      fails['too-much'] = /longer than/;
      const long = `printf '###Phase-output###: {"key":"k","value":"'; head -c 950000 /dev/zero | tr '\\0' x; echo '"}'`;
      await begin('too-much', [cluster.task('one', long)]);
      for (const [name, why] of Object.entries(fails)) {
        const ended = await cluster.ended(name, 120_000);
        expect([name, ended['state'], errorOf(ended)]).toEqual([name, 'failed', expect.stringMatching(why)]);
        expect([name, deferred(ended)]).toEqual([
          name,
          expect.objectContaining({ state: 'complete', output: { k: 'v' } }),
        ]);
      }
    });

    it('that is only large, binary or in pieces is read as it is', async () => {
      await begin('large', [cluster.task('one', `head -c 10000000 /dev/zero | tr '\\0' x; echo; echo '${MARKER}'`)]);
      await begin('binary', [cluster.task('one', `head -c 10000000 /dev/urandom; echo; echo '${MARKER}'`)]);
      const pieces = `printf '###Phase-out'; sleep 1; printf 'put###: {"key":"k",'; sleep 1; printf '"value":"v"}'`;
      await begin('pieces', [cluster.task('one', pieces)]);
      const exec = (script: string): JsonObject => ({
        func: 'KubeExec',
        name: 'one',
        args: { namespace: SPACE, pod: 'bystander', command: ['sh', '-c', script] },
      });
      await begin('frames', [exec(pieces)]);
      await begin('exec', [exec(`head -c 10000000 /dev/urandom; echo; echo '${MARKER}'`)]);
      for (const name of ['large', 'binary', 'pieces', 'frames', 'exec']) {
        const ended = await cluster.ended(name, 120_000);
        expect([name, ended['state'], errorOf(ended)]).toEqual([name, 'complete', '']);
        expect([name, phasesOf(ended)[0]!['output']]).toEqual([name, { k: 'v' }]);
      }
    });

    it('is found in deferPhase too, which is waited for and then fails', async () => {
      const wanting = (secret: string): JsonObject => ({
        phases: [cluster.task('one', 'true')],
        deferPhase: {
          ...cluster.task('later', 'true'),
          objects: { s: { kind: 'Secret', name: secret, namespace: SPACE } },
        },
      });
      await cluster.blueprint('defer-secret', { never: wanting('never'), soon: wanting('soon') });
      await cluster.create('never', [on('never', 'defer-secret')]);
      await cluster.create('soon', [on('soon', 'defer-secret')]);
      await cluster.status('soon', (status) => phasesOf(status)[0]?.['state'] === 'complete');
      await cluster.kube.create({ type: SECRET, namespace: SPACE }, objectOf(SECRET, 'soon'));
      expect((await cluster.ended('soon'))['state']).toBe('complete');
      const never = await cluster.ended('never');
      expect([never['state'], errorOf(never)]).toEqual(['failed', 'secrets "never" not found']);
      expect(phasesOf(never)[0]!['state']).toBe('complete');
      expect(deferred(never)).toMatchObject({ state: 'failed', reason: 'secrets "never" not found' });
    });

    it('does no harm where a Blueprint is deleted while it runs', async () => {
      await begin('orphan', [cluster.task('one', 'sleep 3'), cluster.task('two', `echo '${MARKER}'`)], {
        action: { outputArtifacts: { made: { keyValue: { k: '{{ .Phases.two.Output.k }}' } } } },
      });
      await cluster.status('orphan', (status) => textAt(status, 'progress', 'runningPhase') === 'one');
      await cluster.kube.delete({ type: Blueprint, namespace: SPACE, name: 'orphan' });
      const ended = await cluster.ended('orphan');
      expect(ended).toMatchObject({ state: 'complete', actions: [{ artifacts: { made: { keyValue: { k: 'v' } } } }] });
      expect(deferred(ended)).toMatchObject({ state: 'complete' });
    });

    it('touched nothing else, and the next set runs', async () => {
      await begin('after', [cluster.task('one', 'true')]);
      expect((await cluster.ended('after'))['state']).toBe('complete');
      expect(await versions()).toBe(bystander);
      expect(await cluster.pods()).toEqual([]);
    });
  });
}
