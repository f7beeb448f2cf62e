import { describe, expect, it } from 'vitest';
import { runAction } from '../../../../test/restore-action.ts';
import type { JsonObject } from '../../../base/index.ts';
import { serviceAction } from './service.ts';

const applied = (spec: JsonObject): JsonObject => ({
  'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ spec }),
});
const service = (spec: JsonObject, annotations: JsonObject = {}, managedFields: JsonObject[] = []): JsonObject => ({
  kind: 'Service',
  metadata: { name: 'web', annotations, managedFields },
  spec,
});
const specAfter = (item: JsonObject, preserveNodePorts?: boolean): JsonObject => {
  // Metadata is reset by now: only the item from the backup knows who set which field.
  const { managedFields: _, ...metadata } = item.metadata as JsonObject;
  const spec = preserveNodePorts === undefined ? {} : { preserveNodePorts };
  return runAction(serviceAction, { ...item, metadata }, { itemFromBackup: item, spec }).item.spec as JsonObject;
};
const managed = (...keys: string[]): JsonObject => ({
  fieldsV1: { 'f:spec': { 'f:ports': Object.fromEntries(keys.map((key) => [key, { 'f:nodePort': {} }])) } },
});

describe('addresses', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['an assigned one is given back', { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] }, {}],
    ['none stays none', { clusterIP: 'None', clusterIPs: ['None'] }, { clusterIP: 'None', clusterIPs: ['None'] }],
  ])('%s', (_, before, after) => {
    expect(specAfter(service(before))).toEqual(after);
  });
});

describe('node ports', () => {
  const named = { name: 'http', port: 80, protocol: 'TCP', nodePort: 30080 };
  const other = { name: 'admin', port: 81, protocol: 'TCP', nodePort: 30081 };
  const unnamed = { port: 80, protocol: 'TCP', nodePort: 30080 };
  const free = ({ nodePort: _, ...port }: JsonObject): JsonObject => port;

  it.each<[string, JsonObject, JsonObject[]]>([
    ['are given back when nobody chose them', service({ ports: [named, other] }), [free(named), free(other)]],
    [
      'stay when applied under their name',
      service({ ports: [named, other] }, applied({ ports: [{ name: 'http', nodePort: 30080 }, { name: 'admin' }] })),
      [named, free(other)],
    ],
    [
      'stay when applied without a name, by number',
      service({ ports: [unnamed] }, applied({ ports: [{ port: 80, nodePort: 30080 }] })),
      [unnamed],
    ],
    [
      'stay when applied as a text',
      service({ ports: [unnamed] }, applied({ ports: [{ port: 80, nodePort: '30080' }] })),
      [unnamed],
    ],
    [
      'are given back when applied with another number',
      service({ ports: [unnamed] }, applied({ ports: [{ port: 80, nodePort: 31000 }] })),
      [free(unnamed)],
    ],
    [
      'stay when a manager set them',
      service({ ports: [named, other] }, {}, [managed('k:{"port":80,"protocol":"TCP"}')]),
      [named, free(other)],
    ],
    [
      'are judged by what was applied, if there is that',
      service({ ports: [named] }, applied({ ports: [{ name: 'http' }] }), [managed('k:{"port":80,"protocol":"TCP"}')]),
      [free(named)],
    ],
    [
      'are judged by managers if what was applied cannot be read',
      service({ ports: [named] }, { 'kubectl.kubernetes.io/last-applied-configuration': '{' }, [
        managed('k:{"port":80,"protocol":"TCP"}'),
      ]),
      [named],
    ],
    ['of an external name are not touched', service({ type: 'ExternalName', ports: [named] }), [named]],
  ])('%s', (_, item, ports) => {
    expect(specAfter(item)['ports']).toEqual(ports);
  });

  it('stay when the restore says so', () => {
    expect(specAfter(service({ ports: [named, unnamed] }), true)['ports']).toEqual([named, unnamed]);
    expect(specAfter(service({ ports: [named] }), false)['ports']).toEqual([free(named)]);
  });
});

describe('the health check port', () => {
  const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 32000 };
  const set = { fieldsV1: { 'f:spec': { 'f:healthCheckNodePort': {} } } };
  it.each<[string, JsonObject, unknown]>([
    ['is given back when nobody chose it', service(spec), undefined],
    ['stays when applied', service(spec, applied({ healthCheckNodePort: 32000 })), 32000],
    ['stays when a manager set it', service(spec, {}, [set]), 32000],
    ['is not looked at where it means nothing', service({ ...spec, externalTrafficPolicy: 'Cluster' }), 32000],
  ])('%s', (_, item, port) => {
    expect(specAfter(item)['healthCheckNodePort']).toBe(port);
  });
});
