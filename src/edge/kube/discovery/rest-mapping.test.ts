import { describe, expect, it } from 'vitest';
import { AppError } from '../../../base/index.ts';
import type { ApiResource, Discovery } from '../port.ts';
import { findKind, findResource } from './rest-mapping.ts';

function resource(group: string, version: string, kind: string, more: Partial<ApiResource> = {}): ApiResource {
  const singular = kind.toLowerCase();
  return {
    group,
    version,
    kind,
    plural: `${singular}s`,
    singular,
    namespaced: true,
    preferred: true,
    shortNames: [],
    categories: [],
    verbs: ['get', 'list'],
    subresources: [],
    ...more,
  };
}

const discovery: Discovery = {
  resources: [
    resource('', 'v1', 'Pod', { shortNames: ['po'] }),
    resource('', 'v1', 'Event', { shortNames: ['ev'] }),
    // Some extension servers give no singular.
    resource('', 'v1', 'Binding', { singular: '' }),
    resource('', 'v1', 'Service', { shortNames: ['svc'] }),
    resource('apps', 'v1', 'Deployment', { shortNames: ['deploy'] }),
    resource('apps', 'v1beta1', 'Deployment', { preferred: false, shortNames: ['deploy'] }),
    resource('apps', 'v1beta1', 'Scaler', { preferred: false }),
    resource('events.k8s.io', 'v1', 'Event', { shortNames: ['ev'] }),
    resource('networking.k8s.io', 'v1', 'NetworkPolicy', { plural: 'networkpolicies', shortNames: ['netpol'] }),
    resource('metrics.k8s.io', 'v1beta1', 'PodMetrics', { plural: 'pods', singular: 'pod' }),
    resource('serving.knative.dev', 'v1', 'Service', { shortNames: ['ksvc'] }),
    resource('velero.io', 'v1', 'Backup'),
    resource('postgresql.cnpg.io', 'v1', 'Backup'),
    resource('velero.io', 'v1', 'Restore'),
  ],
  failures: [],
};

const at = (text: string): string => {
  const { group, version, plural } = findResource(discovery, text);
  return `${group}/${version} ${plural}`;
};

describe('findResource', () => {
  it.each([
    ['pods', '/v1 pods'],
    ['pod', '/v1 pods'],
    ['po', '/v1 pods'],
    ['Pod', '/v1 pods'],
    ['PODS', '/v1 pods'],
    ['pods.v1', '/v1 pods'],
    ['PodMetrics', 'metrics.k8s.io/v1beta1 pods'],
    ['pods.metrics.k8s.io', 'metrics.k8s.io/v1beta1 pods'],
    ['deploy', 'apps/v1 deployments'],
    ['deploy.apps', 'apps/v1 deployments'],
    ['deployments.apps', 'apps/v1 deployments'],
    ['Deployment.apps', 'apps/v1 deployments'],
    ['deployments.v1.apps', 'apps/v1 deployments'],
    ['deployments.v1beta1.apps', 'apps/v1beta1 deployments'],
    ['scalers', 'apps/v1beta1 scalers'],
    ['networkpolicies', 'networking.k8s.io/v1 networkpolicies'],
    ['networkpolicy.networking.k8s.io', 'networking.k8s.io/v1 networkpolicies'],
    ['netpol', 'networking.k8s.io/v1 networkpolicies'],
    ['events', '/v1 events'],
    ['ev', '/v1 events'],
    ['events.events.k8s.io', 'events.k8s.io/v1 events'],
    ['svc', '/v1 services'],
    ['service', '/v1 services'],
    ['ksvc', 'serving.knative.dev/v1 services'],
    ['Restore', 'velero.io/v1 restores'],
    ['backups.velero.io', 'velero.io/v1 backups'],
  ])('%s is %s', (text, expected) => {
    expect(at(text)).toBe(expected);
  });

  it('asks which one is meant when several groups have it', () => {
    expect(() => at('backup')).toThrow(
      expect.objectContaining({
        code: 'invalid',
        message:
          'find resource "backup": several groups have it, say which: backups.velero.io, backups.postgresql.cnpg.io',
      }),
    );
  });

  it.each([
    ['deploymnet', ['deployments.apps']],
    ['pds', ['pods']],
    ['restor', ['restores.velero.io']],
    ['backups.velero.oi', ['backups.velero.io']],
    ['net', ['networkpolicies.networking.k8s.io']],
    ['zebra', []],
    ['', []],
    ['.apps', []],
    ['x'.repeat(10_000), []],
  ])('knows no %s', (text, near) => {
    const search = (): unknown => findResource(discovery, text);
    const said = near.length > 0 ? /did you mean/ : /of that name$/;
    expect(search).toThrow(expect.objectContaining({ code: 'notFound', details: { near } }));
    expect(search).toThrow(said);
  });

  it('says that a group it could not ask may have the kind', () => {
    const failures = [{ group: 'velero.io', version: 'v1', error: new AppError('unreachable', 'down') }];
    expect(() => findResource({ resources: [], failures }, 'backups')).toThrow('did not answer: velero.io/v1');
  });
});

describe('findKind', () => {
  it('maps an object by its apiVersion and kind, exactly', () => {
    expect(findKind(discovery, 'v1', 'Pod')?.plural).toBe('pods');
    expect(findKind(discovery, 'apps/v1beta1', 'Deployment')?.version).toBe('v1beta1');
    expect(findKind(discovery, 'apps/v2', 'Deployment')).toBeUndefined();
    expect(findKind(discovery, 'v1', 'pod')).toBeUndefined();
  });
});
