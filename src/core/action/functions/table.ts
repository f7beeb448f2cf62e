import { CLUSTER } from './cluster.ts';
import { COMMANDS } from './commands.ts';
import { DATA } from './data.ts';
import type { FunctionDeclaration } from './declaration.ts';
import { RDS } from './rds.ts';
import { SNAPSHOTS } from './snapshots.ts';

/** Every function of Kanister that a Blueprint can name. */
export const FUNCTIONS: readonly FunctionDeclaration[] = [...COMMANDS, ...CLUSTER, ...SNAPSHOTS, ...DATA, ...RDS];

const byName = new Map(FUNCTIONS.map((declaration) => [declaration.name, declaration]));

/** By its exact name: case counts. */
export function functionNamed(name: string): FunctionDeclaration | undefined {
  return byName.get(name);
}

/** The one that is meant by a name in another case, or with a letter wrong. */
export function functionLike(name: string): string | undefined {
  const wanted = name.toLowerCase();
  return FUNCTIONS.find((candidate) => candidate.name.toLowerCase() === wanted)?.name;
}
