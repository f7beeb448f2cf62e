import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { parse } from 'yaml';
import { NO_LOG } from '../src/base/index.ts';
import type { KubeClient } from '../src/edge/kube/index.ts';
import { systemClock } from '../src/main/system-clock.ts';
import { startPocket, type Pocket } from '../src/pocket/index.ts';
import { type Bed, bed, needsBed } from './bed/index.ts';
import { clientFor } from './kube-client.ts';

/**
 * One API server that the client is tried on. None has a kubelet behind it, so `exec` and `logs` are not in these
 * suites: they are judged beside their source, over real sockets.
 */
export interface ClientTarget extends AsyncDisposable {
  server: string;
  kubeconfig: string;
  caPem: string;
  /** Of an administrator, as is the certificate. */
  token: string;
  clientCert: { certPem: string; keyPem: string };
  /** For files of a test; removed at the end. */
  directory: string;
  /** Ends without notice and comes back at the same address. */
  restart(): Promise<void>;
  /** Only where `lacks` does not name what it is needed for. */
  bed?: Bed;
}

/** What not every server can do. A server that lacks one says why, and the reason stands in the skipped title. */
export type Ability = 'authorization' | 'serverSideApply' | 'etcd' | 'flags' | 'aggregation';

interface TargetKind {
  name: string;
  skip: boolean;
  lacks: Partial<Record<Ability, string>>;
  start(): Promise<ClientTarget>;
}

const real = needsBed({ clusters: 1 });

const TARGETS: readonly TargetKind[] = [
  {
    name: 'on pocket',
    skip: false,
    lacks: {
      authorization: 'pocket lets everybody it knows do everything',
      serverSideApply: 'pocket has no server-side apply',
      etcd: 'pocket stands on SQLite, not on etcd',
      flags: 'pocket has no limits to set',
      aggregation: 'pocket has no extension servers',
    },
    start: pocketTarget,
  },
  { name: real.title('on a real API server'), skip: real.missing, lacks: {}, start: realTarget },
];

/** What a suite gets. Target and client are there once its tests run. */
export interface Place {
  readonly target: ClientTarget;
  /** An administrator. */
  readonly kube: KubeClient;
  /** `it`, skipped with a reason where the server lacks the ability. */
  itNeeds(ability: Ability, name: string, test: () => Promise<void>, timeoutMs?: number): void;
}

/** The same list of behaviours on every server; each gets one server for the whole suite. */
export function onEveryTarget(title: string, suite: (place: Place) => void): void {
  for (const kind of TARGETS) {
    describe.skipIf(kind.skip)(`${title} ${kind.name}`, () => {
      let target: ClientTarget | undefined;
      let kube: KubeClient | undefined;
      beforeAll(async () => {
        target = await kind.start();
        kube = await clientFor(target.kubeconfig);
      }, 120_000);
      afterAll(async () => {
        await kube?.close();
        await target?.[Symbol.asyncDispose]();
      });
      suite({
        get target() {
          return target!;
        },
        get kube() {
          return kube!;
        },
        itNeeds: (ability, name, test, timeoutMs) => {
          const reason = kind.lacks[ability];
          it.skipIf(reason !== undefined)(
            reason === undefined ? name : `${name} (skipped: ${reason})`,
            test,
            timeoutMs,
          );
        },
      });
    });
  }
}

async function realTarget(): Promise<ClientTarget> {
  const running = await bed({ clusters: 1 });
  const cluster = running.clusters[0]!;
  const { server, kubeconfig, caPem, token, clientCert } = cluster;
  return {
    ...{ server, kubeconfig, caPem, token, clientCert },
    directory: running.directory,
    restart: () => cluster.restartApiserver(),
    bed: running,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

async function pocketTarget(): Promise<ClientTarget> {
  const directory = mkdtempSync(join(tmpdir(), 'headway-client-'));
  const start = async (port: number): Promise<Pocket> =>
    await startPocket({ dir: join(directory, 'pocket'), name: 'client', port, clock: systemClock, log: NO_LOG });
  let pocket = await start(0);
  const { url: server, kubeconfig, ca: caPem, token } = pocket;
  return {
    ...{ server, kubeconfig, caPem, token },
    clientCert: certificateIn(kubeconfig),
    directory,
    restart: async () => {
      await pocket.close();
      pocket = await start(Number(new URL(server).port));
    },
    [Symbol.asyncDispose]: async () => {
      await pocket.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function certificateIn(kubeconfig: string): ClientTarget['clientCert'] {
  const { users } = parse(readFileSync(kubeconfig, 'utf8')) as { users: { user: Record<string, string> }[] };
  const text = (field: string) => Buffer.from(users[0]!.user[field]!, 'base64').toString('utf8');
  return { certPem: text('client-certificate-data'), keyPem: text('client-key-data') };
}
