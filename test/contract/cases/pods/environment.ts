import type { CaseGroup, Stage } from '../../case.ts';
import { ask } from '../objects.ts';
import { type Fields, isOver, log, make, podOf, saying, seen, sh, start } from './objects.ts';

const from = (name: string, valueFrom: Fields): Fields => ({ name, valueFrom });
const field = (name: string, fieldPath: string): Fields => from(name, { fieldRef: { fieldPath } });

/** The environment that begins with X, sorted; all else is the image's. */
const printed = (fields: Fields): Fields => sh('env | grep ^X | sort', fields);

const withConfig = async (stage: Stage): Promise<void> => {
  await make(stage, 'configmaps', { metadata: { name: 'cm' }, data: { one: '1', two: 'a\nb' } });
  await make(stage, 'secrets', { metadata: { name: 'se' }, stringData: { key: 's3cret' } });
};

/** What a process finds in its environment. */
export const podEnvironment: CaseGroup = {
  group: 'pods-environment',
  cases: [
    ask('values that use others', (stage) =>
      saying(
        stage,
        podOf(
          printed({
            env: [
              { name: 'XA', value: 'a' },
              { name: 'XB', value: '$(XA)-$(XC)-$(NOPE)-$$(XA)-$XA' },
              { name: 'XC', value: 'c' },
              { name: 'XD', value: '$(XB' },
            ],
          }),
        ),
      ),
    ),
    ask('values in command and arguments', (stage) =>
      saying(
        stage,
        podOf({
          ...sh(''),
          command: ['printf', '[%s]', '$(XA)', '$(NOPE)'],
          args: ['$(XA)$(XA)', '$$(XA)'],
          env: [{ name: 'XA', value: 'a' }],
        }),
      ),
    ),
    ask('keys of a config map and of a secret', async (stage) => {
      await withConfig(stage);
      return await saying(
        stage,
        podOf(
          printed({
            env: [
              from('XONE', { configMapKeyRef: { name: 'cm', key: 'one' } }),
              from('XKEY', { secretKeyRef: { name: 'se', key: 'key' } }),
              from('XNOKEY', { configMapKeyRef: { name: 'cm', key: 'nope', optional: true } }),
              from('XNOMAP', { configMapKeyRef: { name: 'nope', key: 'one', optional: true } }),
            ],
          }),
        ),
      );
    }),
    ask('all keys of both', async (stage) => {
      await withConfig(stage);
      return await saying(
        stage,
        podOf(
          printed({
            envFrom: [
              { prefix: 'X_', configMapRef: { name: 'cm' } },
              { prefix: 'XS_', secretRef: { name: 'se' } },
              { prefix: 'XN_', secretRef: { name: 'nope', optional: true } },
            ],
            env: [{ name: 'X_one', value: 'own' }],
          }),
        ),
      );
    }),
    ask('its own name, labels and node', async (stage) => {
      const env = [
        field('XNAME', 'metadata.name'),
        field('XSPACE', 'metadata.namespace'),
        field('XLABEL', "metadata.labels['app']"),
        field('XNOTE', "metadata.annotations['example.com/note']"),
        field('XACCOUNT', 'spec.serviceAccountName'),
      ];
      const metadata = { labels: { app: 'shop' }, annotations: { 'example.com/note': 'n' } };
      return await saying(stage, podOf(printed({ env }), {}, metadata));
    }),
    ask('its own uid, node and addresses', async (stage) => {
      const env = [
        field('XUID', 'metadata.uid'),
        field('XNODE', 'spec.nodeName'),
        field('XIP', 'status.podIP'),
        field('XIPS', 'status.podIPs'),
        field('XHOST', 'status.hostIP'),
      ];
      await start(stage, podOf(printed({ env })), isOver);
      const { metadata, spec, status } = await seen(stage, isOver);
      const known = [status.hostIP, status.podIP, status.podIP, spec.nodeName, metadata.uid];
      const said = String(await log(stage))
        .trim()
        .split('\n');
      return said.map((line, index) => [line.split('=')[0], line.split('=')[1] === known[index]]);
    }),
    ask('what it may use', (stage) => {
      const of = (name: string, resource: string, divisor?: string): Fields =>
        from(name, { resourceFieldRef: { resource, ...(divisor && { divisor }) } });
      const resources = { limits: { memory: '64Mi', cpu: '500m' }, requests: { memory: '32Mi', cpu: '250m' } };
      const env = [
        of('XMEMORY', 'limits.memory'),
        of('XMIB', 'requests.memory', '1Mi'),
        of('XCPU', 'limits.cpu'),
        of('XMILLI', 'requests.cpu', '1m'),
      ];
      return saying(stage, podOf(printed({ env, resources })));
    }),
    ask('services of its namespace', async (stage) => {
      await make(stage, 'services', { metadata: { name: 'x-db' }, spec: { ports: [{ name: 'sql', port: 5432 }] } });
      const said = await saying(stage, podOf(printed({})));
      return JSON.parse(JSON.stringify(said).replaceAll(/\d+\.\d+\.\d+\.\d+/g, '<ip>')) as unknown;
    }),
    ask('no services where it wants none', async (stage) => {
      await make(stage, 'services', { metadata: { name: 'x-db' }, spec: { ports: [{ port: 5432 }] } });
      return await saying(stage, podOf(sh('env | grep -c X_DB'), { enableServiceLinks: false }));
    }),
    ask('the API server', (stage) =>
      saying(stage, podOf(sh('echo "$KUBERNETES_SERVICE_PORT"; [ -n "$KUBERNETES_SERVICE_HOST" ] && echo known'))),
    ),
  ],
};
