import type { CaseGroup, Stage } from '../../case.ts';
import { until } from '../../eventual.ts';
import { ask, pick } from '../objects.ts';
import { type Fields, isOver, isUnschedulable, log, make, podOf, saying, sh, start } from './objects.ts';
import { events, view } from './view.ts';

/** A pod with one volume at /v that runs this to its end. */
const reading = (source: Fields, script: string, mount: Fields = {}): Fields =>
  podOf(sh(script, { volumeMounts: [{ name: 'v', mountPath: '/v', ...mount }] }), {
    volumes: [{ name: 'v', ...source }],
  });

const configured = async (stage: Stage): Promise<void> => {
  const binaryData = { 'b.bin': Buffer.from([0, 1, 255]).toString('base64') };
  await make(stage, 'configmaps', { metadata: { name: 'cm' }, data: { a: 'one', 'b.txt': 'two\n' }, binaryData });
  await make(stage, 'secrets', { metadata: { name: 'se' }, stringData: { key: 's3cret' } });
};

/** Runs it where a config map and a secret are. */
const withConfig = (name: string, pod: Fields) =>
  ask(name, async (stage) => {
    await configured(stage);
    return await saying(stage, pod);
  });

const claim = (name: string, spec: Fields = {}): Fields => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } }, ...spec },
});
const ofClaim = (claimName: string) => ({ persistentVolumeClaim: { claimName } });

/** What a pod finds where its volumes are. */
export const podVolumes: CaseGroup = {
  group: 'pods-volumes',
  cases: [
    ask('an empty folder', (stage) => saying(stage, reading({ emptyDir: {} }, 'ls -A /v; echo x >/v/f && cat /v/f'))),
    ask('an empty folder in memory', (stage) =>
      saying(stage, reading({ emptyDir: { medium: 'Memory' } }, 'echo x >/v/f && cat /v/f')),
    ),
    withConfig('a config map', reading({ configMap: { name: 'cm' } }, 'cd /v; ls; cat a b.txt; wc -c <b.bin')),
    withConfig(
      'chosen keys of a config map',
      reading({ configMap: { name: 'cm', items: [{ key: 'a', path: 'deep/name' }] } }, 'cd /v; ls; cat deep/name'),
    ),
    withConfig(
      'the modes of its files',
      reading(
        {
          configMap: {
            name: 'cm',
            defaultMode: 0o640,
            items: [
              { key: 'a', path: 'a' },
              { key: 'b.txt', path: 'b', mode: 0o500 },
            ],
          },
        },
        'cd /v; stat -L -c "%a %n" a b',
      ),
    ),
    withConfig('a secret', reading({ secret: { secretName: 'se' } }, 'cd /v; ls; cat key; stat -L -c " %a" key')),
    withConfig(
      'what is optional and not there',
      reading({ configMap: { name: 'nope', optional: true } }, 'ls -A /v | grep -v "^\\.\\."; echo empty'),
    ),
    withConfig(
      'a single file of a config map',
      reading({ configMap: { name: 'cm' } }, 'cat /etc/own.txt; ls -d /etc/own.txt', {
        mountPath: '/etc/own.txt',
        subPath: 'b.txt',
      }),
    ),
    ask('what the pod says of itself', (stage) => {
      const at = (path: string, fieldPath: string): Fields => ({ path, fieldRef: { fieldPath } });
      const memory = { path: 'memory', resourceFieldRef: { containerName: 'c', resource: 'limits.memory' } };
      const items = [at('labels', 'metadata.labels'), at('notes', 'metadata.annotations'), at('name', 'metadata.name')];
      const pod = reading(
        { downwardAPI: { items: [...items, memory] } },
        // A kubelet adds notes of its own.
        'cd /v; ls; cat labels; echo; grep ^n= notes; cat name; echo; cat memory',
      );
      const metadata = { name: 'p', labels: { b: '2', a: '1' }, annotations: { n: 'with "quotes"' } };
      const [container] = (pod['spec'] as { containers: Fields[] }).containers;
      Object.assign(container ?? {}, { resources: { limits: { memory: '64Mi' } } });
      return saying(stage, { ...pod, metadata });
    }),
    withConfig(
      'many sources in one',
      reading(
        {
          projected: {
            sources: [
              { configMap: { name: 'cm', items: [{ key: 'a', path: 'cm/a' }] } },
              { secret: { name: 'se' } },
              { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
              { secret: { name: 'nope', optional: true } },
            ],
          },
        },
        'cd /v; ls; cat cm/a key name',
      ),
    ),
    ask('a part of a volume', (stage) =>
      saying(
        stage,
        podOf(
          sh('echo x >/a/f; ls /all; cat /all/part/f', {
            volumeMounts: [
              { name: 'v', mountPath: '/a', subPath: 'part' },
              { name: 'v', mountPath: '/all' },
            ],
          }),
          { volumes: [{ name: 'v', emptyDir: {} }] },
        ),
      ),
    ),
    ask('a part that is named after the pod', (stage) =>
      saying(
        stage,
        podOf(
          sh('echo x >/a/f; ls /all', {
            env: [{ name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
            volumeMounts: [
              { name: 'v', mountPath: '/a', subPathExpr: 'of-$(NAME)' },
              { name: 'v', mountPath: '/all' },
            ],
          }),
          { volumes: [{ name: 'v', emptyDir: {} }] },
        ),
      ),
    ),
    ask('what can only be read', (stage) =>
      saying(
        stage,
        reading({ emptyDir: {} }, 'echo x 2>/dev/null >/v/f && echo written; ls -A /v; echo over', { readOnly: true }),
      ),
    ),
    ask('a folder of the node', (stage) =>
      saying(stage, reading({ hostPath: { path: '/etc', type: 'Directory' } }, 'ls -d /v/passwd', { readOnly: true })),
    ),
    ask('a folder of the node that is none', async (stage) => {
      const pod = reading({ hostPath: { path: '/etc', type: 'File' } }, 'exit 0');
      const made = await start(stage, pod, ({ status }) => status.phase === 'Pending');
      return await events(stage, made, ['FailedMount']);
    }),
    ask('a claim is read by the next pod', async (stage) => {
      await make(stage, 'persistentvolumeclaims', claim('data'));
      const writer = reading(ofClaim('data'), 'echo kept >/v/f');
      const { status } = await start(stage, writer, isOver);
      const reader = reading(ofClaim('data'), 'cat /v/f');
      await start(stage, { ...reader, metadata: { name: 'next' } }, isOver);
      const { body } = await stage.api.get(`/api/v1/namespaces/${stage.namespace}/persistentvolumeclaims/data`);
      return [status.phase, await log(stage, {}, 'next'), pick({ body }, 'status', 'phase')];
    }),
    ask('a claim that is not there', async (stage) =>
      view(await start(stage, reading(ofClaim('nope'), ''), isUnschedulable)),
    ),
    ask('a claim that nobody serves', async (stage) => {
      await make(stage, 'persistentvolumeclaims', claim('data', { storageClassName: 'nope' }));
      return view(await start(stage, reading(ofClaim('data'), ''), isUnschedulable));
    }),
    ask('a claim of its own', async (stage) => {
      const template = { spec: claim('')['spec'] };
      const pod = reading({ ephemeral: { volumeClaimTemplate: template } }, 'echo x >/v/f && cat /v/f');
      const said = await saying(stage, pod);
      const path = `/api/v1/namespaces/${stage.namespace}/persistentvolumeclaims/p-v`;
      const owned = await until(stage.api, path, ({ status }) => status === 200);
      const [owner] = pick(owned, 'metadata', 'ownerReferences') as Fields[];
      return [said, owner?.['kind'], owner?.['name'], owner?.['controller']];
    }),
    {
      name: 'a token of its service account',
      pocketDiffers: 'The file is there and empty, with an event that says so: a pocket cluster issues no tokens.',
      run: (stage) =>
        saying(
          stage,
          reading(
            { projected: { sources: [{ serviceAccountToken: { path: 'token', expirationSeconds: 600 } }] } },
            'ls /v; [ -s /v/token ] && echo full',
          ),
        ),
    },
  ],
};
