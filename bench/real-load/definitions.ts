import type { JsonObject } from '../../src/base/index.ts';
import { Dice } from './dice.ts';
import type { Made } from './metadata.ts';

/** A kind of custom resources. */
export interface Definition {
  group: string;
  plural: string;
  kind: string;
  isNamespaced: boolean;
}

const GROUPS = ['platform', 'data', 'mesh', 'security', 'delivery', 'observability', 'storage', 'network', 'identity'];
const NOUNS = ['Route', 'Policy', 'Cluster', 'Topic', 'Database', 'Monitor', 'Pipeline', 'Certificate', 'Binding'];
/** One of ten is of the whole cluster. */
const CLUSTER_WIDE = 10;
const PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export function definitionsOf(count: number): Definition[] {
  return Array.from({ length: count }, (_, index) => {
    const noun = NOUNS[index % NOUNS.length]!;
    const round = Math.floor(index / NOUNS.length);
    const kind = `${noun}${String.fromCharCode(65 + (round % 26))}${round >= 26 ? String(Math.floor(round / 26)) : ''}`;
    const group = `${GROUPS[round % GROUPS.length]!}.example.com`;
    return { group, kind, plural: `${kind.toLowerCase()}s`, isNamespaced: index % CLUSTER_WIDE !== CLUSTER_WIDE - 1 };
  });
}

/** With a schema of the length that generated ones have, and room for anything. */
export function crdOf({ group, plural, kind, isNamespaced }: Definition, seed: number): Made {
  const dice = new Dice(seed, plural.length, group.length, kind.charCodeAt(kind.length - 1));
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const object: JsonObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, annotations: { 'controller-gen.example.com/version': 'v0.16.1' } },
    spec: {
      group,
      scope: isNamespaced ? 'Namespaced' : 'Cluster',
      names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { ...open, properties: propertiesOf(dice, dice.size(5, 60)) }, status: open },
            },
          },
        },
      ],
    },
  };
  return { path: PATH, object };
}

function propertiesOf(dice: Dice, count: number): JsonObject {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `field${String(index)}`,
      { type: 'string', description: dice.words(dice.between(80, 600)) },
    ]),
  );
}

/** A custom resource; `namespace` for a namespaced one. */
export function customResource(
  { group, plural, kind }: Definition,
  name: string,
  dice: Dice,
  namespace?: string,
): Made & { object: { metadata: JsonObject } } {
  const place = namespace === undefined ? '' : `namespaces/${namespace}/`;
  return {
    path: `/apis/${group}/v1/${place}${plural}`,
    object: {
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels: { app: name } },
      spec: {
        ...Object.fromEntries(
          Array.from({ length: dice.between(2, 12) }, (_, at) => [`field${String(at)}`, dice.words(60)]),
        ),
        rules: Array.from({ length: dice.between(0, 8) }, (_, at) => ({
          name: `rule-${String(at)}`,
          weight: dice.between(0, 100),
          hosts: [`${dice.letters(8)}.example.com`, `${dice.letters(6)}.example.org`],
        })),
      },
    },
  };
}
