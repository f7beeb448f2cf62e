import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pod } from '../../../../test/pocket/sample-objects.ts';
import type { Container, Service } from '../../controllers/kinds/index.ts';
import { environmentOf, hostnameOf } from './environment.ts';
import { expand } from './expand.ts';
import { resourceField } from './resource-fields.ts';
import { serviceLinks } from './service-links.ts';

describe('expand', () => {
  const values: Record<string, string> = { A: 'a', B: '$(A)', 'odd.name': 'o' };
  const valueOf = (name: string): string | undefined => values[name];
  it.each([
    ['$(A)', 'a'],
    ['x$(A)y$(A)', 'xaya'],
    ['$(NOPE)', '$(NOPE)'],
    ['$$(A)', '$(A)'],
    ['$$$(A)', '$a'],
    ['$(B)', '$(A)'],
    ['$A', '$A'],
    ['$(A', '$(A'],
    ['$', '$'],
    ['$$', '$'],
    ['$()', '$()'],
    ['$(odd.name)', 'o'],
  ])('%s', (text, expected) => {
    expect(expand(text, valueOf)).toBe(expected);
  });

  it('leaves a text alone that has no dollar sign, and never grows without a value', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const result = expand(text, () => undefined);
        expect(text.includes('$') ? result.length <= text.length : result === text).toBe(true);
      }),
    );
  });
});

describe('resourceField', () => {
  const container: Container = { name: 'c', resources: { limits: { memory: '64Mi', cpu: '500m' } } };
  const node = { cpus: 8, memoryBytes: 1024 };
  it.each([
    ['limits.cpu', undefined, '1'],
    ['limits.cpu', '1m', '500'],
    ['limits.memory', undefined, '67108864'],
    ['limits.memory', '1Mi', '64'],
    ['limits.memory', '1Gi', '1'],
    ['requests.memory', undefined, '0'],
    ['sizes.memory', undefined, undefined],
  ])('%s in %s', (resource, divisor, expected) => {
    expect(resourceField(container, divisor === undefined ? { resource } : { resource, divisor }, node)).toBe(expected);
  });

  it('is the whole node where there is no limit', () => {
    expect(resourceField({ name: 'c' }, { resource: 'limits.cpu' }, node)).toBe('8');
    expect(resourceField({ name: 'c' }, { resource: 'limits.memory' }, node)).toBe('1024');
  });
});

const service = (
  name: string,
  namespace: string,
  ports = [{ name: 'sql', port: 5432 }],
  clusterIP = '127.130.0.5',
): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace },
  spec: { clusterIP, ports },
});

describe('serviceLinks', () => {
  it('names the services of the namespace, and always the API', () => {
    const all = [
      service('db', 'shop'),
      service('db', 'other'),
      service('kubernetes', 'default', [{ name: 'https', port: 443 }]),
    ];
    expect(serviceLinks(all, 'shop', true)).toMatchObject({
      DB_SERVICE_PORT_SQL: '5432',
      KUBERNETES_SERVICE_PORT: '443',
    });
    expect(Object.keys(serviceLinks(all, 'shop', false)).every((name) => name.startsWith('KUBERNETES_'))).toBe(true);
  });

  it('leaves out what has no address of its own', () => {
    expect(serviceLinks([service('db', 'shop', undefined, 'None')], 'shop', true)).toEqual({});
  });
});

describe('environmentOf', () => {
  const view = {
    configMap: () => undefined,
    secret: (name: string) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name },
      data: { 'a.b': 'eA==', ok: Buffer.from('ä').toString('base64') },
    }),
    services: () => [],
    podIP: '127.20.0.1',
    node: { cpus: 1, memoryBytes: 1 },
    imageEnv: { PATH: '/bin' },
  };
  const container = (fields: Partial<Container>): Container => ({ name: 'c', ...fields });

  it('leaves out names that no shell could hand on, and says which', () => {
    const made = environmentOf(pod('p'), container({ envFrom: [{ secretRef: { name: 's' } }] }), view);
    expect(made).toMatchObject({ kind: 'env', env: { PATH: '/bin', HOSTNAME: 'p', ok: 'ä' }, skipped: ['a.b'] });
  });

  it('says what is missing in the words of a kubelet', () => {
    const env = [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'cm', key: 'k' } } }];
    const problem = { kind: 'problem', message: 'configmap "cm" not found' };
    expect(environmentOf(pod('p'), container({ env }), view)).toEqual(problem);
    const field = [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.secret' } } }];
    expect(environmentOf(pod('p'), container({ env: field }), view)).toMatchObject({ kind: 'problem' });
  });

  it('lets the image be overruled by everything else', () => {
    const made = environmentOf(pod('p'), container({ env: [{ name: 'PATH', value: '/own' }] }), view);
    expect(made).toMatchObject({ env: { PATH: '/own' } });
  });
});

it('cuts a host name to what can be one', () => {
  expect(hostnameOf(pod(`${'a'.repeat(62)}-b`))).toBe('a'.repeat(62));
});
