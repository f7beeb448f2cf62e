import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../../test/fake-clock.ts';
import { CUSTOM_RESOURCE_DEFINITION } from '../../../../api/index.ts';
import { NO_LOG, type JsonObject } from '../../../../base/index.ts';
import type { ApiResource, CreateTextOptions, KubeObject } from '../../../../edge/kube/index.ts';
import { Findings } from '../../../operation/index.ts';
import type { RestoreContext } from '../context.ts';
import { FINDING_TEXTS } from '../finding-texts.ts';
import { ItemSender } from './item-sender.ts';
import type { Sending } from './sending.ts';

const NAMES = { restoreName: 'r', backupName: 'b' };

function setUp(read: () => JsonObject = () => ({})) {
  const clock = new FakeClock();
  const patches: JsonObject[] = [];
  const started: string[] = [];
  const served: string[] = [];
  const kube = {
    createText: (_target: unknown, text: Buffer, { readIf }: CreateTextOptions = {}) =>
      Promise.resolve(
        readIf !== undefined && text.includes(readIf) ? (JSON.parse(text.toString()) as KubeObject) : undefined,
      ),
    get: () => Promise.resolve(read()),
    patchUnread: (_target: unknown, { body }: { body: JsonObject }) => {
      patches.push(body);
      return Promise.resolve({});
    },
  };
  const signal = new AbortController().signal;
  const context = {
    deps: { clock, kube },
    api: { call: (request: () => unknown) => request(), isExhausted: false },
    settings: { resourceTimeoutMs: 600_000 },
    run: { feed: () => undefined, wait: () => ({ tell: () => undefined, end: () => undefined }) },
    findings: new Findings(NO_LOG, FINDING_TEXTS),
    ...{ signal, changes: signal, log: NO_LOG },
  } as unknown as RestoreContext;
  const hooks = { start: (pod: KubeObject) => started.push(pod.metadata.name), mark: 'hook.example' } as never;
  const onServed = (groupResource: string): void => {
    served.push(groupResource);
  };
  return { clock, patches, served, started, sender: new ItemSender({ context, names: NAMES, hooks, onServed }) };
}

function sending(type: Partial<ApiResource>, wanted: JsonObject, after: JsonObject = {}): Sending {
  const key = { groupResource: `${type.plural ?? ''}.${type.group ?? ''}`, name: 'things.example.com' };
  return {
    item: { source: key, target: key },
    type: { subresources: [], ...type } as unknown as ApiResource,
    text: Buffer.from(JSON.stringify(wanted)),
    after: after as unknown as Sending['after'],
  };
}

describe('after an item was created', () => {
  const definition = {
    metadata: { name: 'things.example.com' },
    spec: { group: 'example.com', names: { plural: 'things' } },
  };

  it('a definition is waited for until its type is served', async () => {
    let conditions: JsonObject[] = [];
    const { clock, served, sender } = setUp(() => ({ ...definition, status: { conditions } }));
    let isSent = false;
    const sent = sender.send(sending(CUSTOM_RESOURCE_DEFINITION, definition)).then((outcome) => {
      isSent = true;
      return outcome;
    });
    await clock.advance(5_000);
    expect([isSent, served]).toEqual([false, []]);
    conditions = ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True' }));
    await clock.advance(1_000);
    expect(await sent).toBe('created');
    expect(served).toEqual(['things.example.com']);
  });

  it('only a pod that may have hooks is looked at for them', async () => {
    const { started, sender } = setUp();
    const pods = { group: '', plural: 'pods', kind: 'Pod' };
    const annotations = { 'hook.example/command': 'true' };
    await sender.send(sending(pods, { metadata: { name: 'plain' } }));
    await sender.send(sending(pods, { metadata: { name: 'hooked', annotations } }));
    await sender.send(sending({ ...pods, plural: 'configmaps' }, { metadata: { name: 'no-pod', annotations } }));
    expect(started).toEqual(['hooked']);
  });

  it('its managedFields are patched back, and its status where the backup has one to restore', async () => {
    const { patches, sender } = setUp();
    const managedFields = [{ manager: 'argo', operation: 'Apply' }];
    const type = { group: '', plural: 'configmaps', kind: 'ConfigMap' };
    await sender.send(sending(type, { metadata: { name: 'm' } }, { managedFields, status: { phase: 'x' } }));
    expect(patches).toEqual([{ status: { phase: 'x' } }, { metadata: { managedFields } }]);
  });
});
