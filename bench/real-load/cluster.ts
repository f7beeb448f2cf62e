import type { JsonObject } from '../../src/base/index.ts';
import { application, type Making } from './application.ts';
import { crdOf, customResource, definitionsOf } from './definitions.ts';
import { Dice } from './dice.ts';
import { lived, type Made } from './metadata.ts';
import { applicationsIn, namespaceName, type Size } from './sizes.ts';

const CORE = '/api/v1';
const RBAC = 'rbac.authorization.k8s.io/v1';
const TEAMS = ['shop', 'billing', 'search', 'data', 'platform', 'growth', 'risk'];
/** One of twenty applications has this label; a backup by label takes these. */
export const LABEL = { team: 'risk' };
const LABELLED_OF = 20;

/** A cluster as companies have it, seeded: what is in it, in the order in which it can be made. */
export class GeneratedCluster {
  readonly size: Size;
  readonly #seed: number;

  constructor(size: Size, seed: number) {
    this.size = size;
    this.#seed = seed;
  }

  get namespaces(): string[] {
    return Array.from({ length: this.size.namespaces }, (_, index) => namespaceName(index));
  }

  definitions(): Made[] {
    return definitionsOf(this.size.definitions).map((definition) => crdOf(definition, this.#seed));
  }

  /** Of the whole cluster, besides the definitions: custom resources, and rights that applications have everywhere. */
  *clusterWide(): Generator<Made> {
    const dice = new Dice(this.#seed, 1);
    for (const definition of definitionsOf(this.size.definitions).filter(({ isNamespaced }) => !isNamespaced)) {
      for (let at = 0; at < dice.between(0, 5); at += 1) {
        const { path, object } = customResource(definition, `shared-${String(at)}`, dice);
        yield { path, object: lived(dice, object) };
      }
    }
    for (const team of TEAMS) {
      const rules = [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'watch'] }];
      const metadata = { name: `team-${team}` };
      const object = { apiVersion: RBAC, kind: 'ClusterRole', metadata, rules };
      yield { path: `/apis/${RBAC}/clusterroles`, object: lived(dice, object) };
    }
  }

  /** One namespace with everything in it; no other has to be there. */
  *namespace(index: number): Making {
    const namespace = namespaceName(index);
    const dice = new Dice(this.#seed, 2, index);
    const team = TEAMS[index % (TEAMS.length - 1)]!;
    const metadata: JsonObject = { name: namespace, labels: { team }, annotations: { 'example.com/contact': team } };
    yield { path: `${CORE}/namespaces`, object: { apiVersion: 'v1', kind: 'Namespace', metadata } };
    yield* namespaceRules(namespace);
    if (dice.chance(0.2)) yield clusterBinding(namespace, team);
    const definitions = definitionsOf(this.size.definitions);
    for (let at = 0; at < applicationsIn(index, this.size); at += 1) {
      const isLabelled = dice.between(1, LABELLED_OF) === 1;
      const owner = isLabelled ? LABEL.team : team;
      yield* application(`app-${dice.letters(6)}`, { namespace, team: owner, dice, definitions });
    }
  }
}

function* namespaceRules(namespace: string): Making {
  const at = `${CORE}/namespaces/${namespace}`;
  yield {
    path: `${at}/resourcequotas`,
    object: {
      ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team', namespace } },
      spec: { hard: { 'count/jobs.batch': '500' } },
    },
  };
  yield {
    path: `${at}/limitranges`,
    object: {
      ...{ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'team', namespace } },
      spec: { limits: [{ type: 'Container', defaultRequest: { cpu: '10m' } }] },
    },
  };
}

function clusterBinding(namespace: string, team: string): Made {
  return {
    path: `/apis/${RBAC}/clusterrolebindings`,
    object: {
      ...{ apiVersion: RBAC, kind: 'ClusterRoleBinding', metadata: { name: `${namespace}-reads` } },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `team-${team}` },
      subjects: [{ kind: 'ServiceAccount', name: 'default', namespace }],
    },
  };
}
