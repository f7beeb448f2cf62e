import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';

const UNDICI = '\0undici';
const LEFT_OUT = '\0left-out';
/** A second browser's fetch, for bodies that are forms, and a second parser, for who sets UNDICI_USE_MILO. */
const NOT_USED: ReadonlySet<string> = new Set([
  '../web/fetch/body.js',
  '../web/fetch/formdata',
  '../web/webidl',
  '../milo/simd.js',
  '../milo/no-simd.js',
]);
/** Throws when it is used, again and again: a module that throws while it is loaded would be empty the second time. */
const SAYS_SO = `module.exports = new Proxy({}, {
  get: () => { throw new Error('this part of undici is not in the bundle; HEADWAY_SOURCES=1 runs the sources'); },
});`;

/**
 * The part of undici that is used. Its front door loads all there is: fetch, caches, mocks, websockets, and the state that
 * each of them makes, 3 MB of heap.
 */
export function usedUndici(root: string): Plugin {
  // As the bundler names it, also where node_modules is a link.
  const lib = realpathSync(join(root, 'node_modules/undici/lib'));
  const code = `
    import Dispatcher from ${JSON.stringify(join(lib, 'dispatcher/dispatcher.js'))};
    import api from ${JSON.stringify(join(lib, 'api/index.js'))};
    export { default as Agent } from ${JSON.stringify(join(lib, 'dispatcher/agent.js'))};
    export { default as ProxyAgent } from ${JSON.stringify(join(lib, 'dispatcher/proxy-agent.js'))};
    Object.assign(Dispatcher.prototype, api);`;
  const leftOut = new Set<string>();
  let isUsed = false;
  return {
    name: 'used-undici',
    resolveId: (id, importer) => {
      if (id === 'undici') return UNDICI;
      if (importer?.startsWith(lib) !== true || !NOT_USED.has(id)) return undefined;
      leftOut.add(id);
      return LEFT_OUT;
    },
    load: (id) => {
      if (id === LEFT_OUT) return SAYS_SO;
      if (id !== UNDICI) return undefined;
      isUsed = true;
      return { code, moduleSideEffects: true };
    },
    generateBundle: () => {
      // A newer undici may call them something else, and nobody would see that they are in the bundle again.
      const found = [...NOT_USED].filter((id) => !leftOut.has(id));
      if (isUsed && found.length > 0) throw new Error(`undici no longer has ${found.join(', ')}`);
    },
  };
}
