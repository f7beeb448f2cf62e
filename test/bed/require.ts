import { existsSync } from 'node:fs';
import { isBuilt, oldKubectlPath } from './cache.ts';
import { whyNoNodes } from './node-needs.ts';
import { type PartName, partNamed } from './parts.ts';
import { type BedContents, missingParts } from './up.ts';

/** For `describe.skipIf(need.missing)(need.title('what is tested'), …)`. */
export interface Need {
  missing: boolean;
  /** The suite's title, with the reason when it is skipped. */
  title(name: string): string;
}

/**
 * Skips a suite that needs a bed with these contents, or throws when HEADWAY_REQUIRE says there must be one. What nodes
 * need besides programs is a name of its own in there, `nodes`: not everybody is root.
 */
export function needsBed(contents: BedContents = {}): Need {
  const unusable = process.platform === 'linux' ? unbuilt(missingParts(contents)) : 'the bed needs Linux';
  if (!contents.nodes) return need(unusable, 'bed');
  return unusable === undefined ? need(whyNoNodes(), 'nodes') : need(unusable, 'bed', 'nodes');
}

/** The same for single programs of the bed, such as kopia. */
export function needs(...parts: PartName[]): Need {
  return need(unbuilt(parts.filter((name) => !isBuilt(partNamed(name)))), 'bed');
}

/** The same for Debian 12's kubectl, which is unpacked rather than built; HEADWAY_REQUIRE knows it as `old-kubectl`. */
export function needsOldKubectl(): Need {
  const isThere = existsSync(oldKubectlPath());
  return need(isThere ? undefined : 'kubectl 1.20 not unpacked, run: scripts/debian.sh old-kubectl', 'old-kubectl');
}

function unbuilt(parts: readonly PartName[]): string | undefined {
  return parts.length === 0 ? undefined : `${parts.join(', ')} not built, run: npm run bed -- build`;
}

function need(reason: string | undefined, ...names: string[]): Need {
  const required = (process.env['HEADWAY_REQUIRE'] ?? '').split(/[,\s]+/);
  const insisted = names.find((name) => required.includes(name));
  if (reason !== undefined && insisted !== undefined) throw new Error(`HEADWAY_REQUIRE=${insisted}, but ${reason}`);
  return {
    missing: reason !== undefined,
    title: (name) => (reason === undefined ? name : `${name} (skipped: ${reason})`),
  };
}
