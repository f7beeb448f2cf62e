import {
  Backup,
  BackupStorageLocation,
  CONFIG_MAP,
  NAMESPACE,
  POD,
  Restore,
  type ResourceType,
} from '../../src/api/index.ts';
import type {
  ApiResource,
  Discovery,
  ExecOptions,
  KubeClient,
  KubeObject,
  LogLine,
  NamedTarget,
  PodTarget,
  CreateTextOptions,
} from '../../src/edge/kube/index.ts';
import { ScriptedCluster } from '../scripted-cluster/index.ts';

const SERVED = [NAMESPACE, CONFIG_MAP, POD, Backup, Restore, BackupStorageLocation];

/** A cluster in memory with pods that commands run in. */
export class ScriptedClient extends ScriptedCluster implements KubeClient {
  /** What ran, as `freeze db`. */
  readonly ran: string[] = [];

  /** Pods come up at once. */
  override async create(...[target, object, options]: Parameters<ScriptedCluster['create']>): Promise<KubeObject> {
    if (target.type.kind !== 'Pod') return await super.create(target, object, options);
    const containerStatuses = [{ name: 'main', ready: true, state: { running: {} } }];
    return await super.create(target, { ...object, status: { phase: 'Running', containerStatuses } }, options);
  }

  async createText(target: NamedTarget, text: Buffer, options?: CreateTextOptions): Promise<KubeObject> {
    return await this.create(target, JSON.parse(text.toString()) as KubeObject, options);
  }

  async patchUnread(...args: Parameters<KubeClient['patchUnread']>): Promise<void> {
    await this.patch(...args);
  }

  version(): Promise<string> {
    return Promise.resolve('v1.36.3');
  }

  discover(): Promise<Discovery> {
    return Promise.resolve({ resources: SERVED.map(announced), failures: [] });
  }

  exec(pod: PodTarget, { command, signal }: ExecOptions): Promise<{ exitCode: number }> {
    signal?.throwIfAborted();
    this.ran.push(`${command.join(' ')} ${pod.name}`);
    return Promise.resolve({ exitCode: 0 });
  }

  async *logs(): AsyncGenerator<LogLine> {
    // No engine reads logs yet.
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function announced(type: ResourceType): ApiResource {
  const { group, version, kind, plural, namespaced } = type;
  return {
    ...{ group, version, kind, plural, namespaced },
    ...{ preferred: true, singular: kind.toLowerCase(), shortNames: [], categories: [], subresources: [] },
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  };
}
