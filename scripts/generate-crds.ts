import { stringify } from 'yaml';
import { KINDS, toCrd } from '../src/api/index.ts';
import type { Files } from './generate.ts';

const HEADER = '# Generated from src/api by `npm run generate`. Do not edit.\n';

export const folders = ['deploy/crds'];

export function generate(): Files {
  return new Map(
    KINDS.map((kind) => [
      `deploy/crds/${kind.group}_${kind.plural}.yaml`,
      // kubectl reads YAML 1.1, where a bare `no` is false; shared objects are written out, not anchored.
      HEADER + stringify(toCrd(kind), { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false }),
    ]),
  );
}
