import { MIGRATION_NAMESPACE } from '../../api/migration/group.ts';
import type { ResourceType } from '../../api/meta/resource-type.ts';
import { ADAPTERS, findAdapter, hasVerb, type Adapter } from '../../core/operations/index.ts';
import { LOCATION, SCHEDULE } from './types.ts';

/** A kind of object that commands work on. */
export interface Kind {
  /** The word of the command line; it may stand for several kinds. */
  noun: string;
  type: ResourceType;
  /** Where its objects are: in the namespace of its group, or in all namespaces. */
  scope: Adapter['scope'];
  /** What goes with one that is deleted, and what stays. */
  consequence: string;
  /** A Headway has to be there for anything to happen; others have their own programs. */
  needsHeadway: boolean;
  /** Of what does something over time. */
  adapter?: Adapter;
}

export interface OperationKind extends Kind {
  adapter: Adapter;
}

/** Every kind that is an operation. */
export const OPERATION_KINDS: readonly OperationKind[] = ADAPTERS.map((adapter) => ({
  noun: adapter.noun,
  type: adapter.type,
  scope: adapter.scope,
  consequence: adapter.deletion.consequence,
  // What consists of items is Headway's own to do; others may have their own programs.
  needsHeadway: hasVerb(adapter, 'items'),
  adapter,
}));

const OTHER_KINDS: readonly Kind[] = [
  { noun: 'schedule', type: SCHEDULE, scope: 'velero', consequence: 'its backups stay', needsHeadway: true },
  {
    noun: 'location',
    type: LOCATION,
    scope: 'velero',
    consequence: 'its backups disappear from this cluster; their files stay in the store',
    needsHeadway: false,
  },
];

/** The kinds that a noun stands for, the most usual one first. */
export function kindsOf(noun: string): readonly Kind[] {
  return [...OPERATION_KINDS, ...OTHER_KINDS].filter((kind) => kind.noun === noun);
}

/** The operations that a word names: a noun, or a kind as kubectl writes it, such as `podvolumebackups.velero.io`. */
export function operationKinds(word: string): readonly OperationKind[] {
  const [plain = ''] = word.toLowerCase().split('.');
  const isNamed = ({ noun, type }: Kind): boolean =>
    [noun, `${noun}s`, type.kind.toLowerCase(), type.plural].includes(plain);
  return OPERATION_KINDS.filter(isNamed);
}

/** The word of the command line for a kind. */
export function nounOf(kind: string): string {
  const other = OTHER_KINDS.find(({ type }) => type.kind === kind);
  return findAdapter(kind)?.noun ?? other?.noun ?? kind.toLowerCase();
}

/** These kinds, their parts, and theirs: what has to be listed to see all that belongs to them. */
export function withParts(kinds: readonly Kind[]): readonly OperationKind[] {
  const names = new Set(kinds.map(({ type }) => type.kind));
  for (let before = 0; before < names.size;) {
    before = names.size;
    for (const { type, adapter } of OPERATION_KINDS) {
      if (adapter.partOf?.some((kind) => names.has(kind)) === true) names.add(type.kind);
    }
  }
  return OPERATION_KINDS.filter(({ type }) => names.has(type.kind));
}

/** Where people look: in one namespace, in all, or where the objects of each kind usually are. */
export interface Place {
  /** The namespace of the backups. */
  namespace: string;
  /** Nothing in any other namespace is meant. */
  isOnly?: true;
  allNamespaces?: true;
}

/** The namespace in which a kind is looked for; undefined for all. */
export function namespaceOf(place: Place, { scope }: Pick<Kind, 'scope'>): string | undefined {
  if (place.allNamespaces === true) return undefined;
  if (place.isOnly === true || scope === 'velero') return place.namespace;
  return scope === 'migration' ? MIGRATION_NAMESPACE : undefined;
}

/** `in namespace shop`, `in any namespace`, `in namespaces velero and openshift-migration` */
export function placeText(place: Place, kinds: readonly Kind[]): string {
  const namespaces = [...new Set(kinds.map((kind) => namespaceOf(place, kind)))];
  if (namespaces.includes(undefined)) return 'in any namespace';
  return `in namespace${namespaces.length === 1 ? '' : 's'} ${namespaces.join(' and ')}`;
}
