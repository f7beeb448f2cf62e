import type { Connection } from './config/connection.ts';
import { create, createText } from './rest/create.ts';
import { discover } from './discovery/discovery.ts';
import { exec } from './exec/exec.ts';
import { list } from './list.ts';
import { logs } from './logs/logs.ts';
import type { KubeClient } from './port.ts';
import { get, patch, patchUnread, remove, replace } from './rest/rest.ts';
import { createTransport, type TransportDeps } from './transport/undici-transport.ts';
import { serverVersion } from './server-version.ts';
import { watch } from './watch.ts';

/** Opens no connection until the first call. Unusable certificates throw `invalidConfig` immediately. */
export function createKubeClient(deps: TransportDeps, connection: Connection): KubeClient {
  const transport = createTransport(deps, connection);
  const { clock, random } = deps;
  const client: KubeClient = {
    get: (target, options) => get(transport, target, options),
    list: (target, options) => list(transport, target, options),
    watch: (target, options) => watch({ transport, clock }, target, options),
    create: (target, object, options) => create(transport, target, object, options),
    createText: (target, text, options) => createText(transport, target, text, options),
    replace: (target, object, options) => replace(transport, target, object, options),
    patch: (target, change, options) => patch(transport, target, change, options),
    patchUnread: (target, change, options) => patchUnread(transport, target, change, options),
    delete: (target, options) => remove(transport, target, options),
    version: (options) => serverVersion(transport, options),
    discover: (options) => discover(transport, options),
    exec: (pod, options) => exec({ transport, clock }, pod, options),
    logs: (pod, options) => logs({ transport, clock, random, kube: client }, pod, options),
    close: () => transport.close(),
  };
  return client;
}
