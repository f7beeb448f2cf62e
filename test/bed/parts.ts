/**
 * One program of the bed: what is built, from which pinned module. `recipe` names the folder with go.mod and go.sum, and
 * with the source of what is our own.
 */
export interface Part {
  readonly name: string;
  readonly version: string;
  readonly recipe: string;
  readonly package: string;
  /** Linker variables; the programs read their version from them. */
  readonly variables: Readonly<Record<string, string>>;
}

const KUBERNETES = 'v1.36.3';
const VELERO = 'v1.18.3';

function kubernetes<Name extends string>(name: Name): Part & { name: Name } {
  const version = 'k8s.io/component-base/version';
  return {
    name,
    version: KUBERNETES,
    recipe: 'kubernetes',
    package: `k8s.io/kubernetes/cmd/${name}`,
    variables: {
      [`${version}.gitVersion`]: KUBERNETES,
      [`${version}.gitMajor`]: '1',
      [`${version}.gitMinor`]: '36',
    },
  };
}

/** In the order they are built: what most tests need comes first. */
export const PARTS = [
  {
    name: 'etcd',
    version: 'v3.6.7',
    recipe: 'etcd',
    package: 'go.etcd.io/etcd/server/v3',
    variables: {},
  },
  kubernetes('kube-apiserver'),
  kubernetes('kubectl'),
  kubernetes('kube-controller-manager'),
  kubernetes('kube-scheduler'),
  kubernetes('kubelet'),
  {
    name: 'versitygw',
    version: 'v1.8.0',
    recipe: 'versitygw',
    package: 'github.com/versity/versitygw/cmd/versitygw',
    variables: {},
  },
  {
    name: 'velero',
    version: VELERO,
    recipe: 'velero',
    package: 'github.com/vmware-tanzu/velero/cmd/velero',
    variables: {
      // Without its version the stock command line refuses to talk to a server.
      'github.com/vmware-tanzu/velero/pkg/buildinfo.Version': VELERO,
      // Besides its own metrics address, Velero's library opens port 8080 on every interface, and no flag stops it.
      'sigs.k8s.io/controller-runtime/pkg/metrics/server.DefaultBindAddress': '0',
    },
  },
  {
    name: 'velero-plugin-for-aws',
    version: 'v1.14.3',
    recipe: 'velero-plugin-for-aws',
    package: 'github.com/vmware-tanzu/velero-plugin-for-aws/velero-plugin-for-aws',
    variables: {},
  },
  {
    name: 'kopia',
    version: 'v0.22.3',
    recipe: 'kopia',
    package: 'github.com/kopia/kopia',
    variables: { 'github.com/kopia/kopia/repo.BuildVersion': '0.22.3' },
  },
  {
    name: 'restic',
    version: 'v0.18.0',
    recipe: 'restic',
    package: 'github.com/restic/restic/cmd/restic',
    variables: {},
  },
  {
    // Ours: it says what Go makes of templates. The version is that of sprig.
    name: 'template-judge',
    version: 'v2.22.0',
    recipe: 'template-judge',
    package: '.',
    variables: {},
  },
] as const satisfies readonly Part[];

export type PartName = (typeof PARTS)[number]['name'];

export function isPartName(name: string): name is PartName {
  return PARTS.some((part) => part.name === name);
}

export function partNamed(name: PartName): Part {
  const part = PARTS.find((candidate) => candidate.name === name);
  if (part === undefined) throw new Error(`look up bed part ${name}: expected one of ${partNames().join(', ')}`);
  return part;
}

export function partNames(): PartName[] {
  return PARTS.map(({ name }) => name);
}

/** What a cluster, its node, S3 or Velero cannot start without. */
export const NEEDED = {
  cluster: ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl'],
  node: ['kube-scheduler', 'kubelet'],
  s3: ['versitygw'],
  velero: ['velero', 'velero-plugin-for-aws'],
} as const satisfies Record<string, readonly PartName[]>;
