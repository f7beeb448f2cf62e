import type { JsonObject } from '../../src/base/index.ts';
import {
  planBackup,
  reasonToLeaveOut,
  reasonToLeaveOutNamespace,
  type BackupPlan,
  type ItemAction,
  type PlannedList,
} from '../../src/core/backup/index.ts';
import type { ItemKey } from '../../src/core/progress/index.ts';
import {
  type DiscoveredType,
  groupResourceOf,
  resourceList,
  type ResourceList,
} from '../../src/core/selection/index.ts';

const VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

export function type(group: string, kind: string, plural: string, more: Partial<DiscoveredType> = {}): DiscoveredType {
  const version = more.version ?? 'v1';
  const singular = kind.toLowerCase();
  return {
    group,
    version,
    kind,
    plural,
    namespaced: true,
    preferred: true,
    singular,
    shortNames: [],
    verbs: VERBS,
    ...more,
  };
}
const cluster = { namespaced: false };

/** The types of a small cluster, in the server's order. */
export const TYPES: readonly DiscoveredType[] = [
  type('', 'ConfigMap', 'configmaps', { shortNames: ['cm'] }),
  type('', 'Event', 'events', { shortNames: ['ev'] }),
  type('', 'Namespace', 'namespaces', { ...cluster, shortNames: ['ns'] }),
  type('', 'PersistentVolumeClaim', 'persistentvolumeclaims', { shortNames: ['pvc'] }),
  type('', 'PersistentVolume', 'persistentvolumes', { ...cluster, shortNames: ['pv'] }),
  type('', 'Pod', 'pods', { shortNames: ['po'] }),
  type('', 'Binding', 'bindings', { verbs: ['create'] }),
  type('', 'Secret', 'secrets'),
  type('', 'ServiceAccount', 'serviceaccounts', { shortNames: ['sa'] }),
  type('extensions', 'Deployment', 'deployments', { version: 'v1beta1' }),
  type('events.k8s.io', 'Event', 'events'),
  type('apps', 'Deployment', 'deployments', { shortNames: ['deploy'] }),
  type('apps', 'Deployment', 'deployments', { shortNames: ['deploy'], version: 'v1beta1', preferred: false }),
  type('networking.k8s.io', 'Ingress', 'ingresses', { shortNames: ['ing'] }),
  type('rbac.authorization.k8s.io', 'ClusterRole', 'clusterroles', cluster),
  type('apiextensions.k8s.io', 'CustomResourceDefinition', 'customresourcedefinitions', cluster),
  type('snapshot.storage.k8s.io', 'VolumeSnapshot', 'volumesnapshots'),
  type('snapshot.storage.k8s.io', 'VolumeSnapshotContent', 'volumesnapshotcontents', cluster),
];

interface Sample {
  type: DiscoveredType;
  object: JsonObject;
}

/** A cluster in memory that is backed up by the plan alone: what the engine will do, without its network. */
export class SampleCluster {
  readonly #items = new Map<string, Sample>();
  readonly types: readonly DiscoveredType[];

  constructor(types: readonly DiscoveredType[] = TYPES) {
    this.types = types;
  }

  add(groupResource: string, object: JsonObject): this {
    const found = this.types.find((one) => groupResourceOf(one) === groupResource);
    if (found === undefined) throw new Error(`the sample cluster has no type ${groupResource}`);
    this.#items.set(keyText(keyOf(groupResource, object)), { type: found, object });
    return this;
  }

  make(groupResource: string, namespace: string | undefined, name: string, labels: Record<string, string> = {}): this {
    const found = this.types.find((one) => groupResourceOf(one) === groupResource);
    const apiVersion = found?.group ? `${found.group}/${found.version}` : (found?.version ?? '');
    const metadata = { name, labels, ...(namespace === undefined ? {} : { namespace }) };
    return this.add(groupResource, { apiVersion, kind: found?.kind ?? '', metadata });
  }

  get namespaces(): string[] {
    return [...this.#items.keys()].filter((key) => key.startsWith('namespaces/')).map((key) => key.split('/')[2] ?? '');
  }

  plan(spec: BackupPlan['spec']): BackupPlan {
    return planBackup({ spec, types: this.types, namespaces: this.namespaces });
  }

  backUp(spec: BackupPlan['spec'], actions: readonly ItemAction[] = []): { list: ResourceList; objects: JsonObject[] } {
    const plan = this.plan(spec);
    const taken = new Map<string, JsonObject>();
    for (const list of plan.lists) {
      if (list.groupResource === 'namespaces') continue;
      for (const item of this.#list(list)) this.#take(plan, item, actions, taken);
    }
    for (const item of this.#list(plan.lists.find((list) => list.groupResource === 'namespaces'))) {
      const { name } = item.object['metadata'] as { name: string };
      const hasItems = [...taken.keys()].some((key) => key.split('/')[1] === name);
      if (reasonToLeaveOutNamespace(plan, item.object, hasItems) !== undefined) continue;
      taken.set(keyText(keyOf('namespaces', item.object)), item.object);
    }
    const refs = [...taken.values()].map((object) => ({
      apiVersion: object['apiVersion'] as string,
      kind: object['kind'] as string,
      ...(object['metadata'] as { name: string; namespace?: string }),
    }));
    return { list: resourceList(refs), objects: [...taken.values()] };
  }

  #list(list: PlannedList | undefined): Sample[] {
    if (list === undefined) return [];
    const { scope } = list;
    const all = [...this.#items.values()].filter((item) => groupResourceOf(item.type) === list.groupResource);
    return all.filter(({ object }) => {
      const { namespace = '', labels = {} } = object['metadata'] as {
        namespace?: string;
        labels?: Record<string, string>;
      };
      const isInScope = scope.kind !== 'namespaces' || scope.namespaces.includes(namespace);
      return isInScope && list.labelSelectors.some((selector) => satisfies(selector, labels));
    });
  }

  #take(plan: BackupPlan, item: Sample, actions: readonly ItemAction[], taken: Map<string, JsonObject>): void {
    const groupResource = groupResourceOf(item.type);
    const key = keyOf(groupResource, item.object);
    if (taken.has(keyText(key)) || reasonToLeaveOut(plan, item.type, item.object) !== undefined) return;
    let { object } = item;
    taken.set(keyText(key), object);
    for (const action of actions.filter((one) => one.appliesTo(groupResource))) {
      const result = action.run({ object, key });
      if (result instanceof Promise) throw new Error('the sample cluster runs built-in actions only');
      object = result.object ?? object;
      for (const more of result.additional) {
        const found = this.#items.get(keyText(more));
        if (found !== undefined) this.#take(plan, found, actions, taken);
      }
    }
    taken.set(keyText(key), object);
  }
}

function keyOf(groupResource: string, object: JsonObject): ItemKey {
  const { name, namespace } = object['metadata'] as { name: string; namespace?: string };
  return { groupResource, name, ...(namespace === undefined ? {} : { namespace }) };
}

const keyText = ({ groupResource, namespace = '', name }: ItemKey): string => `${groupResource}/${namespace}/${name}`;

/** As the API server reads the selectors that the samples use: equality and `in`. */
function satisfies(selector: string, labels: Record<string, string>): boolean {
  if (selector === '') return true;
  return selector.split(/,(?![^(]*\))/).every((part) => {
    const [, key = '', values = ''] = /^(\S+) in \((.*)\)$/.exec(part) ?? /^([^=]+)=(.*)$/.exec(part) ?? [];
    return values.split(',').includes(labels[key] ?? '\0');
  });
}
