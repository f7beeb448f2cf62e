import { existsSync } from 'node:fs';
import { isBuilt, oldKubectlPath } from './cache.ts';
import { type PartName, partNamed } from './parts.ts';
import { type BedContents, missingParts } from './up.ts';

/** For `describe.skipIf(need.missing)(need.title('what is tested'), …)`. */
export interface Need {
  missing: boolean;
  /** The suite's title, with the reason when it is skipped. */
  title(name: string): string;
}

/** Skips a suite that needs a bed with these contents, or throws when HEADWAY_REQUIRE says there must be one. */
export function needsBed(contents: BedContents = {}): Need {
  return need(process.platform === 'linux' ? unbuilt(missingParts(contents)) : 'the bed needs Linux');
}

/** The same for single programs of the bed, such as kopia. */
export function needs(...parts: PartName[]): Need {
  return need(unbuilt(parts.filter((name) => !isBuilt(partNamed(name)))));
}

/** The same for Debian 12's kubectl, which is unpacked rather than built; HEADWAY_REQUIRE knows it as `old-kubectl`. */
export function needsOldKubectl(): Need {
  const isThere = existsSync(oldKubectlPath());
  return need(isThere ? undefined : 'kubectl 1.20 not unpacked, run: scripts/old-kubectl.sh', 'old-kubectl');
}

function unbuilt(parts: readonly PartName[]): string | undefined {
  return parts.length === 0 ? undefined : `${parts.join(', ')} not built, run: npm run bed -- build`;
}

function need(reason: string | undefined, name = 'bed'): Need {
  const required = (process.env['HEADWAY_REQUIRE'] ?? '').split(/[,\s]+/).includes(name);
  if (reason !== undefined && required) throw new Error(`HEADWAY_REQUIRE=${name}, but ${reason}`);
  return {
    missing: reason !== undefined,
    title: (name) => (reason === undefined ? name : `${name} (skipped: ${reason})`),
  };
}
