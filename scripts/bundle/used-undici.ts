import { join } from 'node:path';
import type { Plugin } from 'rolldown';

const UNDICI = '\0undici';
const LEFT_OUT = '\0left-out';
/** A second browser's fetch, for bodies that are forms, and a second parser, for who sets UNDICI_USE_MILO. */
const NOT_USED = /^\.\.\/(?:web\/fetch\/body\.js|web\/fetch\/formdata|web\/webidl|milo\/(?:no-)?simd\.js)$/;

/**
 * The part of undici that is used. Its front door loads all there is: fetch, caches, mocks, websockets, and the state that
 * each of them makes, 3 MB of heap.
 */
export function usedUndici(root: string): Plugin {
  const lib = join(root, 'node_modules/undici/lib');
  const code = `
    import Dispatcher from ${JSON.stringify(join(lib, 'dispatcher/dispatcher.js'))};
    import api from ${JSON.stringify(join(lib, 'api/index.js'))};
    export { default as Agent } from ${JSON.stringify(join(lib, 'dispatcher/agent.js'))};
    export { default as ProxyAgent } from ${JSON.stringify(join(lib, 'dispatcher/proxy-agent.js'))};
    Object.assign(Dispatcher.prototype, api);`;
  return {
    name: 'used-undici',
    resolveId: (id, importer) => {
      if (id === 'undici') return UNDICI;
      return importer?.startsWith(lib) === true && NOT_USED.test(id) ? LEFT_OUT : undefined;
    },
    load: (id) => {
      if (id === UNDICI) return { code, moduleSideEffects: true };
      if (id !== LEFT_OUT) return undefined;
      return `throw new Error('this part of undici is not in the bundle; HEADWAY_SOURCES=1 runs the sources');`;
    },
  };
}
