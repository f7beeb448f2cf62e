import { readFile } from 'node:fs/promises';
import { parse, YAMLParseError } from 'yaml';
import { AppError, messageOf } from '../../../base/index.ts';
import { Fields } from './fields.ts';

/** A named part of a kubeconfig file, and the file it came from: its relative paths are relative to that file. */
export interface Entry {
  file: string;
  fields: Fields;
}

export interface Kubeconfig {
  /** The files that were read; the first one wins. */
  files: readonly string[];
  currentContext: string | undefined;
  clusters: ReadonlyMap<string, Entry>;
  users: ReadonlyMap<string, Entry>;
  contexts: ReadonlyMap<string, Entry>;
}

/** Undefined when there is no such file. */
export async function readKubeconfigFile(file: string): Promise<Kubeconfig | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new AppError('invalidConfig', `cannot read kubeconfig ${file}: ${messageOf(error)}`, { cause: error });
  }
  const root = new Fields(parseYaml(text, file), `kubeconfig ${file}`);
  const kind = root.text('kind');
  if (kind !== undefined && kind !== 'Config') {
    throw new AppError('invalidConfig', `kubeconfig ${file}: expected kind Config, got ${kind}`);
  }
  return {
    files: [file],
    currentContext: root.text('current-context'),
    clusters: named(root, file, 'cluster'),
    users: named(root, file, 'user'),
    contexts: named(root, file, 'context'),
  };
}

function parseYaml(text: string, file: string): unknown {
  try {
    return parse(text, { prettyErrors: true });
  } catch (error) {
    const at = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
    const place = at === undefined ? '' : ` at line ${String(at.line)}, column ${String(at.col)}`;
    const code = error instanceof YAMLParseError ? error.code : 'unreadable';
    // The parser's message quotes the line, which may contain a token; so it is not kept as the cause either.
    throw new AppError('invalidConfig', `kubeconfig ${file} is not valid YAML: ${code}${place}`);
  }
}

function named(root: Fields, file: string, what: 'cluster' | 'user' | 'context'): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const item of root.list(`${what}s`)) {
    const entry = new Fields(item, `an entry of ${what}s in ${root.where}`);
    const name = entry.text('name');
    if (name === undefined) throw new AppError('invalidConfig', `${entry.where} has no name`);
    const where = `${what} "${name}" in ${root.where}`;
    if (entries.has(name)) throw new AppError('invalidConfig', `${where} is there twice`);
    entries.set(name, { file, fields: entry.child(what, where) });
  }
  return entries;
}

/**
 * Merges the files of KUBECONFIG as kubectl does: the first to name a cluster, user, context or current-context wins.
 */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const first = (pick: (config: Kubeconfig) => ReadonlyMap<string, Entry>): Map<string, Entry> => {
    const merged = new Map<string, Entry>();
    for (const config of configs) {
      for (const [name, entry] of pick(config)) if (!merged.has(name)) merged.set(name, entry);
    }
    return merged;
  };
  return {
    files: configs.flatMap((config) => config.files),
    currentContext: configs.find((config) => config.currentContext !== undefined)?.currentContext,
    clusters: first((config) => config.clusters),
    users: first((config) => config.users),
    contexts: first((config) => config.contexts),
  };
}
