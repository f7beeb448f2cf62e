import { objectAt, valueAt, type JsonObject } from '../../../base/index.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { memoryServer, TYPES, widgetDefinition, type MemoryServer } from '../../../../test/pocket/memory-server.ts';
import { eventually } from '../../../../test/eventually.ts';
import type { ApiObject } from '../object/index.ts';
import { isEstablished } from './crd-status.ts';

const WIDGETS = { group: 'example.com', version: 'v1', plural: 'widgets' };
const DEFINITION = { type: TYPES.definitions, name: 'widgets.example.com' };

describe('CrdLifecycle', () => {
  let server: MemoryServer;
  const widget = (name: string, more: object = {}): Promise<ApiObject> =>
    server.client.create(WIDGETS, {
      kind: 'Widget',
      apiVersion: 'example.com/v1',
      metadata: { name, namespace: 'default', ...more },
      spec: { size: 1 },
    });
  const define = async (schema?: JsonObject): Promise<void> => {
    await server.client.create(TYPES.definitions, widgetDefinition(schema));
    await eventually(async () => {
      expect(isEstablished(await server.client.get(DEFINITION))).toBe(true);
    });
  };

  beforeEach(async () => {
    server = await memoryServer();
  });

  it('completes, establishes and serves a definition in all its versions', async () => {
    await define();
    const crd = await server.client.get(DEFINITION);
    expect(objectAt(crd, 'status', 'acceptedNames')).toMatchObject({ singular: 'widget', listKind: 'WidgetList' });
    expect(valueAt(crd, 'status', 'storedVersions')).toEqual(['v1']);
    await widget('w');
    const second = await server.client.get({ type: { ...WIDGETS, version: 'v2' }, namespace: 'default', name: 'w' });
    expect(second.apiVersion).toBe('example.com/v2');
    expect(second['spec']).toEqual({ size: 1 });
  });

  it('does not establish a kind whose name is taken', async () => {
    await define();
    const other = widgetDefinition();
    const spec = {
      ...objectAt(other, 'spec'),
      names: { plural: 'gadgets', singular: 'gadget', kind: 'Widget' },
    };
    await server.client.create(TYPES.definitions, { ...other, metadata: { name: 'gadgets.example.com' }, spec });
    await eventually(async () => {
      const crd = await server.client.get({ type: TYPES.definitions, name: 'gadgets.example.com' });
      expect(valueAt(crd, 'status', 'conditions')).toMatchObject([
        { type: 'NamesAccepted', status: 'False', reason: 'KindConflict' },
        { type: 'Established', status: 'False' },
      ]);
    });
    await server.client.delete(DEFINITION);
    await eventually(async () => {
      const crd = await server.client.get({ type: TYPES.definitions, name: 'gadgets.example.com' });
      expect(isEstablished(crd)).toBe(true);
    });
  });

  it('fills in defaults that the schema has gained since an object was written', async () => {
    const schema = (size: JsonObject): JsonObject => ({
      type: 'object',
      properties: { spec: { type: 'object', properties: { size: { type: 'integer' }, color: size } } },
    });
    await define(schema({ type: 'string' }));
    await widget('w');
    const crd = await server.client.get(DEFINITION);
    const next = widgetDefinition(schema({ type: 'string', default: 'red' }));
    await server.client.update(TYPES.definitions, { ...crd, spec: next['spec'] });
    const read = await server.client.get({ type: WIDGETS, namespace: 'default', name: 'w' });
    expect(read['spec']).toEqual({ size: 1, color: 'red' });
  });

  it('empties a definition before it goes, and waits for finalizers', async () => {
    await define();
    await widget('plain');
    await widget('held', { finalizers: ['example.com/hold'] });
    await server.client.delete(DEFINITION);
    await eventually(async () => {
      const left = await server.client.list(WIDGETS);
      expect(left.items.map(({ metadata }) => metadata.name)).toEqual(['held']);
    });
    await expect(widget('late')).rejects.toMatchObject({ details: { status: { code: 405 } } });
    await server.client.patch({ type: WIDGETS, namespace: 'default', name: 'held' }, 'merge', {
      metadata: { finalizers: null },
    });
    await eventually(async () => {
      await expect(server.client.get(DEFINITION)).rejects.toMatchObject({ code: 'notFound' });
    });
    expect(server.api.types.find('example.com', 'v1', 'widgets')).toBeUndefined();
  });
});
