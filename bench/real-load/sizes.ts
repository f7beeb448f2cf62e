/** What bench/real-load.ts fills a cluster with. */
export interface Size {
  /** About as many; controllers add what they add, and events come and go. */
  objects: number;
  namespaces: number;
  definitions: number;
  /** The most that a server may hold in memory, in MB. */
  maxMb: number;
  /**
   * Of so many namespaces one is restored. Each restore and each bare loop adds what it restores to the cluster, and with
   * the whole of the large one the API server takes more memory than the machine has.
   */
  restoredOf: number;
}

export const SIZES = {
  small: { objects: 13_000, namespaces: 60, definitions: 120, maxMb: 200, restoredOf: 1 },
  medium: { objects: 50_000, namespaces: 300, definitions: 240, maxMb: 300, restoredOf: 2 },
  large: { objects: 200_000, namespaces: 1000, definitions: 400, maxMb: 300, restoredOf: 8 },
} as const satisfies Record<string, Size>;

export type SizeName = keyof typeof SIZES;

export function isSizeName(name: string): name is SizeName {
  return name in SIZES;
}

/** How many objects one application comes to, with what controllers make of it: counted on a filled cluster. */
const OBJECTS_AN_APPLICATION = 34;
/** Those that every namespace has by itself. */
const OBJECTS_A_NAMESPACE = 6;

/** Of each namespace, in turn: a fraction becomes a namespace more or less with one more application. */
export function applicationsIn(index: number, { objects, namespaces, definitions }: Size): number {
  const each = ((objects - definitions) / namespaces - OBJECTS_A_NAMESPACE) / OBJECTS_AN_APPLICATION;
  return Math.floor((index + 1) * each) - Math.floor(index * each);
}

export function namespaceName(index: number): string {
  return `team-${String(index).padStart(4, '0')}`;
}
