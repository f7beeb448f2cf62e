/**
 * Writes src/pocket/builtins/{types,snapshot-crds}.gen.ts and test/fixtures/protobuf from Go modules: names, numbers and
 * types of the built-in kinds and the CRDs of volume snapshots, without their documentation.
 *
 *   node scripts/generate-builtins.ts          needs Go and the module proxy; two minutes the first time
 *   node scripts/generate-builtins.ts --check  needs neither
 *
 * `--check` proves that the committed data was not edited by hand and that nothing it was made from (the table of kinds,
 * the Go program, its pinned modules, this script) changed since. It does not read the modules again: go.sum pins them.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { BUILTINS } from '../src/pocket/builtins/table.ts';

const ROOT = join(import.meta.dirname, '..');
const OUTPUT = join(ROOT, 'src/pocket/builtins/types.gen.ts');
const FIXTURES = join(ROOT, 'test/fixtures/protobuf');
const PROGRAM = join(ROOT, 'scripts/builtins');
const SNAPSHOTS = join(ROOT, 'src/pocket/builtins/snapshot-crds.gen.ts');
const KUBERNETES = 'k8s.io/kubernetes@v1.36.3';
const SNAPSHOTTER = 'github.com/kubernetes-csi/external-snapshotter/client/v8@v8.4.0';
const SNAPSHOT_KINDS = ['volumesnapshotclasses', 'volumesnapshotcontents', 'volumesnapshots'];

/** Bodies that are no resources of their own: subresources, options, answers. */
const OTHER_KINDS = [
  '/v1/Binding',
  '/v1/DeleteOptions',
  '/v1/Status',
  'authentication.k8s.io/v1/TokenRequest',
  'autoscaling/v1/Scale',
  'policy/v1/Eviction',
];
const KINDS = [...BUILTINS.map((t) => `${t.group}/${t.version}/${t.kind}`), ...OTHER_KINDS].sort();

interface GoField {
  name?: string;
  number?: string;
  type: string;
  go?: string;
  pointer?: boolean;
  omitEmpty?: boolean;
  omitZero?: boolean;
  inline?: boolean;
  strategy?: string;
  mergeKey?: string;
}
interface Swagger {
  definitions: Record<string, Definition | undefined>;
}
interface Definition {
  required?: string[];
  properties?: Record<string, Record<string, unknown> | undefined>;
}

const sha256 = (...parts: (string | Uint8Array)[]): string =>
  parts.reduce((hash, part) => hash.update(part).update('\0'), createHash('sha256')).digest('hex');

function inputHash(): string {
  const files = ['main.go', 'go.mod', 'go.sum'].map((name) => readFileSync(join(PROGRAM, name)));
  return sha256(KUBERNETES, SNAPSHOTTER, KINDS.join('\n'), readFileSync(import.meta.filename), ...files);
}

function go(args: string[], input?: string): string {
  const env = { ...process.env, GONOSUMDB: 'k8s.io/*,sigs.k8s.io/*', GOFLAGS: '-buildvcs=false' };
  return execFileSync('go', args, { cwd: PROGRAM, env, input, encoding: 'utf8', maxBuffer: 1 << 28 });
}

function moduleDir(module: string): string {
  const { Dir } = JSON.parse(go(['mod', 'download', '-json', module])) as { Dir: string };
  return Dir;
}

/** The Go name that follows from the expression; special types are never named in errors. */
function derivedGoName(type: string): string {
  if (type.startsWith('[]')) return `[]${derivedGoName(type.slice(2))}`;
  if (type.startsWith('{}')) return `map[string]${derivedGoName(type.slice(2))}`;
  if (type.startsWith('#')) return type.split('.').slice(-2).join('.');
  return type === 'bytes' ? '[]uint8' : type;
}

const SELF_READING = /^(time|microtime|quantity|intstr|raw|json|schemaOr\w+)$/;

function flagsOf(field: GoField, definition: Definition | undefined): string {
  const letters = {
    p: field.pointer,
    o: field.omitEmpty,
    z: field.omitZero,
    i: field.inline,
    r: definition?.required?.includes(field.name ?? ''),
  };
  return Object.entries(letters)
    .filter(([, isSet]) => isSet)
    .map(([letter]) => letter)
    .join('');
}

/** `[name, number, type, flags, more]`, the tail left out when empty; what the letters mean stands in types.ts. */
function compact(field: GoField, definition: Definition | undefined): unknown[] {
  const property = definition?.properties?.[field.name ?? ''];
  const flags = flagsOf(field, definition);
  const more = {
    go: SELF_READING.test(field.type) || field.go === derivedGoName(field.type) ? '' : field.go,
    strategy: field.strategy,
    mergeKey: field.mergeKey,
    listType: property?.['x-kubernetes-list-type'],
    listKeys: property?.['x-kubernetes-list-map-keys'],
    mapType: property?.['x-kubernetes-map-type'],
  };
  const given = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined && value !== ''));
  const row: unknown[] = [field.name ?? '', Number(field.number ?? 0), field.type, flags];
  return Object.keys(given).length > 0 ? [...row, given] : row;
}

function renderTypes(): string {
  const swagger = JSON.parse(
    readFileSync(join(moduleDir(KUBERNETES), 'api/openapi-spec/swagger.json'), 'utf8'),
  ) as Swagger;
  const { kinds, types } = JSON.parse(go(['run', '.'], KINDS.join('\n'))) as {
    kinds: Record<string, string>;
    types: Record<string, GoField[]>;
  };
  const lines = Object.keys(types)
    .sort()
    .map(
      (name) =>
        `${JSON.stringify(name)}:${JSON.stringify(types[name]!.map((f) => compact(f, swagger.definitions[name])))}`,
    );
  return `{"kinds":${JSON.stringify(kinds)},\n"types":{\n${lines.join(',\n')}\n}}`;
}

/** Upstream's fully filled object of each kind, once in protobuf and once in JSON. */
function renderFixtures(): Map<string, Uint8Array> {
  const folders = ['k8s.io/api', 'k8s.io/apiextensions-apiserver'].map((module) => {
    const dir = go(['list', '-m', '-f', '{{.Dir}}', module]).trim();
    return join(dir, module === 'k8s.io/api' ? '' : 'pkg/apis', 'testdata/HEAD');
  });
  const fixtures = new Map<string, Uint8Array>();
  for (const folder of folders) {
    for (const file of readdirSync(folder)) {
      const match = /^(.+)\.(v\d+)\.(\w+)\.(pb|json)$/.exec(file);
      if (!match) continue;
      const group = match[1] === 'core' ? '' : match[1];
      if (!KINDS.includes(`${group}/${match[2]}/${match[3]}`)) continue;
      const content = readFileSync(join(folder, file));
      // Minified as text: parsing would change what the decoder is judged by.
      const minify = (text: string): string =>
        text
          .split('\n')
          .map((line) => line.trim().replace('": ', '":'))
          .join('');
      fixtures.set(file, match[4] === 'pb' ? content : Buffer.from(`${minify(content.toString())}\n`));
    }
  }
  return fixtures;
}

/** Descriptions go, and so do versions that are no longer served. */
function withoutDocumentation(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDocumentation);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, item]) => key !== 'description' || typeof item !== 'string');
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutDocumentation(item)]));
}

function renderSnapshotCrds(): string {
  const folder = join(moduleDir(SNAPSHOTTER), 'config/crd');
  const lines = SNAPSHOT_KINDS.map((plural) => {
    const text = readFileSync(join(folder, `snapshot.storage.k8s.io_${plural}.yaml`), 'utf8');
    const crd = withoutDocumentation(parseYaml(text)) as { spec: { versions: { served: boolean }[] } };
    crd.spec.versions = crd.spec.versions.filter((version) => version.served);
    return JSON.stringify(crd);
  });
  return `export const SNAPSHOT_CRDS_JSON = String.raw\`[\n${lines.join(',\n')}\n]\`;\n`;
}

function header(output: string, fixtures: Map<string, Uint8Array>): string {
  const listed = [...fixtures].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([name, content]) => [name, content]);
  return `// Generated by scripts/generate-builtins.ts; do not edit.\n// inputs ${inputHash()}\n// output ${sha256(output, ...listed)}\n`;
}

const render = (json: string): string => `export const TYPES_JSON = String.raw\`${json}\`;\n`;

export function generate(): void {
  const output = render(renderTypes());
  const fixtures = renderFixtures();
  rmSync(FIXTURES, { recursive: true, force: true });
  mkdirSync(FIXTURES, { recursive: true });
  for (const [name, content] of fixtures) writeFileSync(join(FIXTURES, name), content);
  const snapshots = renderSnapshotCrds();
  writeFileSync(OUTPUT, header(output, fixtures) + output);
  writeFileSync(SNAPSHOTS, header(snapshots, new Map()) + snapshots);
}

function checkFile(file: string, fixtures: Map<string, Uint8Array>): string[] {
  const [, inputs, outputs, ...rest] = readFileSync(file, 'utf8').split('\n');
  const [, nowInputs, nowOutputs] = header(rest.join('\n'), fixtures).split('\n');
  return [
    ...(inputs === nowInputs ? [] : [`what ${file} is made from has changed`]),
    ...(outputs === nowOutputs ? [] : [`${file}, or a fixture made with it, was edited by hand`]),
  ];
}

/** What is stale, in words; empty when all is well. */
export function check(): string[] {
  const fixtures = new Map(readdirSync(FIXTURES).map((name) => [name, readFileSync(join(FIXTURES, name))]));
  return [...checkFile(OUTPUT, fixtures), ...checkFile(SNAPSHOTS, new Map())];
}

if (import.meta.main) {
  if (process.argv.includes('--check')) {
    const problems = check();
    for (const problem of problems) console.error(`${problem}; run node scripts/generate-builtins.ts`);
    process.exitCode = problems.length > 0 ? 1 : 0;
  } else {
    generate();
  }
}
