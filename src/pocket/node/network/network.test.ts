import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { hostsText, serviceNames } from './hosts-file.ts';
import { takePodNetwork } from './pod-network.ts';
import type { Service } from '../../controllers/kinds/index.ts';
import type { ControlClient } from '../../controllers/ports.ts';
import { backendsOf } from './service-view.ts';
import { takenPort } from './taken-port.ts';

it('has the names of a service, the short one only beside it', () => {
  expect(serviceNames('db', 'shop', 'shop')).toEqual(['db', 'db.shop', 'db.shop.svc', 'db.shop.svc.cluster.local']);
  expect(serviceNames('db', 'shop', 'other')).not.toContain('db');
  expect(hostsText([{ ip: '127.20.0.1', names: ['p', 'q'] }])).toMatch(
    /^# Kubernetes-managed[^]*\n127\.20\.0\.1\tp q\n$/,
  );
});

it('has no pods behind a service whose slice is empty, as the API writes that', () => {
  const metadata = { name: 'later', namespace: 'shop' };
  const labels = { 'kubernetes.io/service-name': 'later' };
  const slice = { metadata: { name: 'later-x', labels }, addressType: 'IPv4', endpoints: null, ports: null };
  const client = { list: () => [slice] } as unknown as ControlClient;
  expect(backendsOf(client, { metadata } as Service)).toEqual([]);
});

describe.skipIf(process.platform !== 'linux')('on the loopback interface', () => {
  it('gives every cluster a part of its own, and gives it back', async () => {
    const first = await takePodNetwork(() => 0.5);
    const second = await takePodNetwork(() => 0.5);
    expect(first?.prefix).toMatch(/^127\.\d+\.$/);
    expect(second?.prefix).not.toBe(first?.prefix);
    await Promise.all([first?.close(), second?.close()]);
  });

  it('sees that a port is taken, by whoever listens on all addresses too', async () => {
    const server = createServer().listen(0, '0.0.0.0');
    await once(server, 'listening');
    const address = server.address();
    const containerPort = typeof address === 'object' && address !== null ? address.port : 0;
    const container = { name: 'c', ports: [{ containerPort }] };
    expect(await takenPort(container, '127.99.0.7')).toBe(containerPort);
    expect(await takenPort({ name: 'c', ports: [{ containerPort, protocol: 'UDP' }] }, '127.99.0.7')).toBeUndefined();
    server.close();
    await once(server, 'close');
    expect(await takenPort(container, '127.99.0.7')).toBeUndefined();
  });
});
