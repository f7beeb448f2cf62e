import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { objectAt, objectsAt, textAt, type JsonObject } from '../../../base/index.ts';
import { rolloutOf } from './rollout.ts';
import { serverObjects } from './server-objects.ts';
import { tlsSecretObject } from './tls-secret.ts';

const CHOICE = { namespace: 'backups', image: 'registry.example.org/headway:1', allowedHosts: ['h.example.org'] };

describe('the objects of a server in the cluster', () => {
  const [deployment = {}, service = {}] = serverObjects({ ...CHOICE, tlsSecret: 'mine' }) as JsonObject[];
  const pod = objectAt(deployment, 'spec', 'template', 'spec');
  const [container = {}] = objectsAt(pod, 'containers');

  it('are in the namespace, with the image, the certificate and the names that were chosen', () => {
    expect([deployment, service].map((object) => textAt(object, 'metadata', 'namespace'))).toEqual([
      'backups',
      'backups',
    ]);
    expect(container['image']).toBe(CHOICE.image);
    expect(container['args']).toEqual([
      '--namespace=backups',
      '--listen=0.0.0.0:7443',
      '--tls-cert=/etc/headway/tls/tls.crt',
      '--tls-key=/etc/headway/tls/tls.key',
      `--mover-image=${CHOICE.image}`,
      '--allowed-hosts=headway,headway.backups,headway.backups.svc,headway.backups.svc.cluster.local,h.example.org',
    ]);
    const tls = objectsAt(pod, 'volumes').find(({ name }) => name === 'tls');
    expect(tls?.['secret']).toEqual({ secretName: 'mine' });
  });

  it('lead from the Service to the pods of the Deployment', () => {
    const labels = objectAt(deployment, 'spec', 'template', 'metadata', 'labels');
    for (const selector of [
      objectAt(service, 'spec', 'selector'),
      objectAt(deployment, 'spec', 'selector', 'matchLabels'),
    ]) {
      expect(labels).toMatchObject(selector);
    }
    const [port = {}] = objectsAt(service, 'spec', 'ports');
    expect(objectsAt(container, 'ports')).toEqual([{ name: port['targetPort'], containerPort: 7443 }]);
  });
});

describe('the certificate that is made for the page', () => {
  it('is good for its names, and signed by the authority beside it', () => {
    const secret = tlsSecretObject(CHOICE, Date.UTC(2026, 0, 1));
    const text = (key: string): string => textAt(secret, 'stringData', key) ?? '';
    const [certificate, authority] = [new X509Certificate(text('tls.crt')), new X509Certificate(text('ca.crt'))];
    expect(certificate.verify(authority.publicKey)).toBe(true);
    expect(certificate.checkIssued(authority)).toBe(true);
    for (const name of ['headway.backups.svc', 'localhost', 'h.example.org']) {
      expect(certificate.checkHost(name)).toBe(name);
    }
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificate.checkHost('evil.example.com')).toBeUndefined();
    expect(Date.parse(certificate.validFrom)).toBeLessThan(Date.UTC(2026, 0, 1));
    expect(secret.metadata).toMatchObject({ name: 'headway-tls', namespace: 'backups' });
  });
});

describe('a rollout', () => {
  const of = (status: JsonObject, generation = 2): ReturnType<typeof rolloutOf> =>
    rolloutOf({ metadata: { generation }, spec: { replicas: 2 }, status });
  const done = { observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2 };

  it.each([
    ['nobody has looked at it yet', { ...done, observedGeneration: 1 }, '0 of 2 replicas are ready'],
    ['one of the new is not ready', { ...done, availableReplicas: 1 }, '1 of 2 replicas are ready'],
    ['the ready ones are old', { ...done, updatedReplicas: 0 }, '0 of 2 replicas are ready'],
    ['an old one is still there', { ...done, replicas: 3 }, '2 of 2 replicas are ready'],
    ['there is no status', {}, '0 of 2 replicas are ready'],
  ])('is not done while %s', (_, status, text) => {
    expect(of(status)).toEqual({ isDone: false, text });
  });

  it('is done when all are new and answer', () => {
    expect(of(done).isDone).toBe(true);
  });
});
