import type { Plugin } from 'rolldown';

/**
 * Refuses chunks that import each other in a circle. What node-by-name makes of imports is there only when its own chunk
 * has begun to run, and in a circle one of them is used before that.
 */
export const noCircles: Plugin = {
  name: 'no-circles',
  generateBundle: (_options, bundle) => {
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) throw new Error(`chunks import each other: ${[...path, file].join(' > ')}`);
      if (done.has(file)) return;
      const chunk = bundle[file];
      for (const next of chunk?.type === 'chunk' ? chunk.imports : []) visit(next, [...path, file]);
      done.add(file);
    };
    for (const file of Object.keys(bundle)) visit(file, []);
  },
};
