/** The words of the command line and the page. A noun may stand for several kinds. */
export const NOUNS = ['backup', 'restore', 'volume', 'action', 'migration'] as const;
export type Noun = (typeof NOUNS)[number];

/** The API groups, by the words that `--engines` takes. */
export const GROUPS = ['velero', 'kanister', 'migration'] as const;
export type OperationGroup = (typeof GROUPS)[number];

/** Where the objects of a kind are: in the namespace of its group, or in all namespaces. */
export type Scope = keyof Namespaces | 'all';

/** The namespaces of the groups that have one. */
export interface Namespaces {
  velero: string;
  migration: string;
}
