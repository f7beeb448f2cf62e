import type { Plugin } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';

/**
 * Takes from Node's own modules only the names that are used. For an import Node looks up every name of such a module, and
 * one of node:http's is a WebSocket, for which it loads a second undici: 2.4 MB of heap in every process.
 */
export const nodeByName: Plugin = {
  name: 'node-by-name',
  generateBundle: (_options, bundle) => {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === 'chunk') chunk.code = byName(chunk.code);
    }
  },
};

const DYNAMIC = /\bimport\((["`])(node:[\w/]+)\1\)/g;

type Statement = ReturnType<typeof parseAst>['body'][number];

function byName(code: string): string {
  let text = '';
  let end = 0;
  for (const statement of parseAst(code).body) {
    const constants = constantsOf(statement);
    if (constants === undefined) continue;
    text += code.slice(end, statement.start) + constants;
    end = statement.end;
  }
  text += code.slice(end);
  return text.replaceAll(DYNAMIC, (_all, _quote, id: string) => `Promise.resolve(${moduleOf(id)})`);
}

function constantsOf(statement: Statement): string | undefined {
  if (!('source' in statement) || statement.source?.value.startsWith('node:') !== true) return undefined;
  const id = statement.source.value;
  if (statement.type !== 'ImportDeclaration') throw new Error(`expected only imports of ${id}, got ${statement.type}`);
  const targets = statement.specifiers.map((each) => {
    // The module as a whole is its default, too.
    if (each.type !== 'ImportSpecifier') return each.local.name;
    const name = each.imported.type === 'Identifier' ? each.imported.name : each.imported.value;
    if (name === 'default') return each.local.name;
    // As an import would say, which is looked up before anything runs.
    if (!(name in (process.getBuiltinModule(id) ?? {}))) throw new Error(`${id} has no ${name}`);
    return `{ ${JSON.stringify(name)}: ${each.local.name} }`;
  });
  return targets.map((target) => `const ${target} = ${moduleOf(id)};`).join(' ');
}

function moduleOf(id: string): string {
  // Some module has a variable of its own that is called process.
  return `globalThis.process.getBuiltinModule("${id}")`;
}
