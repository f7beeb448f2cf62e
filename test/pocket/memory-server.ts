import { NO_LOG, type JsonObject } from '../../src/base/index.ts';
import { ApiServer } from '../../src/pocket/apiserver/api-server.ts';
import { bootstrap } from '../../src/pocket/apiserver/bootstrap.ts';
import { ObjectStore, StoreFile } from '../../src/pocket/apiserver/store/index.ts';
import { FakeClock } from '../fake-clock.ts';
import { createRuleClient, type RuleClient } from './rule-client.ts';

export interface MemoryServer {
  api: ApiServer;
  client: RuleClient;
  clock: FakeClock;
}

/** An API server without HTTP, on a database in memory and a clock turned by hand. */
export async function memoryServer(): Promise<MemoryServer> {
  const clock = new FakeClock();
  let uids = 0;
  const newUid = (): string => `00000000-0000-4000-8000-${String((uids += 1)).padStart(12, '0')}`;
  const store = new ObjectStore(new StoreFile(':memory:'), NO_LOG);
  let seed = 0;
  const random = (): number => ((seed = (seed * 16_807 + 11) % 2_147_483_647), seed / 2_147_483_647);
  const api = new ApiServer({
    store,
    clock,
    log: NO_LOG,
    random,
    newUid,
    identifyToken: () => undefined,
    issueToken: () => {
      throw new Error('nobody asks for a token here');
    },
  });
  await bootstrap(api);
  return { api, client: createRuleClient(api), clock };
}

export const TYPES = {
  configMaps: { group: '', version: 'v1', plural: 'configmaps' },
  events: { group: '', version: 'v1', plural: 'events' },
  newEvents: { group: 'events.k8s.io', version: 'v1', plural: 'events' },
  namespaces: { group: '', version: 'v1', plural: 'namespaces' },
  pods: { group: '', version: 'v1', plural: 'pods' },
  secrets: { group: '', version: 'v1', plural: 'secrets' },
  services: { group: '', version: 'v1', plural: 'services' },
  daemonSets: { group: 'apps', version: 'v1', plural: 'daemonsets' },
  deployments: { group: 'apps', version: 'v1', plural: 'deployments' },
  definitions: { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions' },
} as const;

/** A CustomResourceDefinition of Widgets. */
export function widgetDefinition(
  schema: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
): JsonObject {
  return {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
        { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: schema } },
      ],
    },
  };
}
