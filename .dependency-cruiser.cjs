// The architecture as a table: each folder of src/, and what it may import besides itself.
const MAY = {
  base: [],
  api: ['base'],
  'core/progress': ['base', 'api'],
  'core/operations': ['base', 'api', 'core/progress'],
  'core/selection': ['base', 'api', 'core/progress'],
  'core/volumes': ['base', 'api', 'core/progress', 'core/selection'],
  'core/backup': ['base', 'api', 'core/progress', 'core/selection', 'core/volumes'],
  'core/restore': ['base', 'api', 'core/progress', 'core/selection', 'core/volumes', 'core/backup'],
  'core/action': ['base', 'api', 'core/progress', 'core/volumes'],
  'core/migration': ['base', 'api', 'core/progress'],
  'edge/kube': ['base', 'api', 'core/progress'],
  'edge/store': ['base', 'api', 'core/progress'],
  'edge/archive': ['base', 'api', 'core/progress'],
  'edge/volumes': ['base', 'api', 'core/progress', 'core/volumes'],
  'control/runtime': ['base', 'api', 'core', 'edge'],
  'control/operation': ['base', 'api', 'core', 'edge', 'control/runtime'],
  'control/pods': ['base', 'api', 'core', 'edge', 'control/runtime'],
  'control/volumes': ['base', 'api', 'core', 'edge', 'control/runtime', 'control/operation', 'control/pods'],
  'control/action': ['base', 'api', 'core', 'edge', 'control/runtime', 'control/operation', 'control/pods'],
  'control/controllers': [
    'base',
    'api',
    'core',
    'edge',
    'control/runtime',
    'control/operation',
    'control/pods',
    'control/volumes',
  ],
  server: ['base', 'api', 'core', 'edge'],
  cli: ['base', 'api', 'core', 'edge/kube'],
  pocket: ['base', 'api'],
  main: ['base', 'api', 'core', 'edge', 'control', 'server', 'cli', 'pocket'],
};
// Folders without I/O. They see no Node builtin, and only the npm packages named here.
const PURE = { base: [], api: ['zod'], core: ['zod'] };
// npm packages with one owner.
const OWNER = {
  '@aws-sdk': 'edge/store/s3',
  pino: 'main',
  undici: 'edge/kube',
  ws: '(edge/kube|pocket/apiserver)',
  'prom-client': 'server',
  hono: 'server',
  commander: 'cli',
};

const inFolder = (f) => `^src/${f}/`;
const TEST = '\\.test\\.tsx?$|/conformance\\.ts$';
const npm = ['npm', 'npm-dev', 'npm-peer', 'npm-optional', 'npm-no-pkg'];

module.exports = {
  forbidden: [
    ...Object.entries(MAY).map(([from, to]) => ({
      name: `${from}-may-import`,
      severity: 'error',
      from: { path: inFolder(from), pathNot: TEST },
      to: { path: '^(src|web)/', pathNot: `^src/(${[from, ...to].join('|')})/` },
    })),
    ...Object.entries(PURE).map(([from, allowed]) => ({
      name: `${from}-is-pure`,
      severity: 'error',
      from: { path: inFolder(from), pathNot: TEST },
      to: {
        dependencyTypes: ['core', ...npm],
        ...(allowed.length ? { pathNot: `node_modules/(${allowed.join('|')})/` } : {}),
      },
    })),
    ...Object.entries(OWNER).map(([pkg, folder]) => ({
      name: `${folder}-owns-${pkg}`,
      severity: 'error',
      from: { path: '^(src|web)/', pathNot: inFolder(folder) },
      to: { path: `node_modules/${pkg}/` },
    })),
    {
      name: 'adapters-are-strangers',
      severity: 'error',
      from: { path: '^src/edge/(volumes|store)/([^/]+)/' },
      to: { path: '^src/edge/$1/[^/]+/', pathNot: '^src/edge/$1/$2/' },
    },
    {
      name: 'web-sees-the-pure-core',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', pathNot: '^src/(base|api|core/progress|core/operations)/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-bucket-files',
      severity: 'error',
      from: {},
      to: { path: '/(utils?|helpers?|common|misc|shared)\\.tsx?$', pathNot: 'node_modules' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
