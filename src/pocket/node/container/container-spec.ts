import { realpathSync } from 'node:fs';
import type { Container, Pod } from '../../controllers/kinds/index.ts';
import { environmentOf, hostnameOf, type Environment } from '../env/index.ts';
import type { Image } from '../images/index.ts';
import type { ContainerSpec, Identity } from '../process/index.ts';
import type { Bind } from '../root/index.ts';
import { containerBinds } from '../volumes/index.ts';

export interface SpecFacts {
  image: Image;
  env: Parameters<typeof environmentOf>[2];
  volumes: ReadonlyMap<string, { path: string; isReadOnly: boolean }>;
  /** The container's own folder. */
  dir: string;
  hostsFile: string;
  /** Where its last words go. */
  lastWords: string;
  masks: readonly string[];
}

export type BuiltSpec =
  | { kind: 'spec'; spec: ContainerSpec; skipped: string[] }
  /** What keeps it from being created, as its status and an event say it. */
  | { kind: 'problem'; reason: string; message: string };

/** Everything a container's processes need, from the spec of its pod and from its image. */
export function containerSpec(pod: Pod, container: Container, facts: SpecFacts): BuiltSpec {
  const { image } = facts;
  const identity = identityOf(pod, container, image);
  const refusal = rootRefusal(pod, container, identity);
  if (refusal !== undefined) return problem(refusal);
  const environment = environmentOf(pod, container, facts.env);
  if (environment.kind === 'problem') return problem(environment.message);
  const binds = containerBinds(container, facts.volumes, environment.env);
  if (binds.kind === 'problem') return problem(binds.message);
  const command = commandOf(container, environment, image);
  if (command.length === 0) return problem('no command specified', 'CreateContainerError');
  const spec: ContainerSpec = {
    dir: facts.dir,
    hostname: hostnameOf(pod),
    command,
    env: { HOME: identity.uid === 0 ? '/root' : '/', ...environment.env },
    workingDir: container.workingDir ?? image.workingDir,
    identity,
    isPrivileged: container.securityContext?.privileged === true,
    base: image.base,
    binds: [...ownBinds(container, facts), ...binds.binds],
    links: image.links,
    folders: image.folders,
    isReadOnly: container.securityContext?.readOnlyRootFilesystem === true,
    masks: facts.masks,
    hasInput: container.stdin === true,
    isTerminal: container.tty === true,
  };
  return { kind: 'spec', spec, skipped: environment.skipped };
}

function problem(message: string, reason = 'CreateContainerConfigError'): BuiltSpec {
  return { kind: 'problem', reason, message };
}

function identityOf(pod: Pod, { securityContext }: Container, image: Image): Identity {
  const whole = pod.spec.securityContext;
  const uid = securityContext?.runAsUser ?? whole?.runAsUser ?? image.identity.uid;
  const ofImage = uid === image.identity.uid ? image.identity.gid : 0;
  return { uid, gid: securityContext?.runAsGroup ?? whole?.runAsGroup ?? ofImage };
}

function rootRefusal(pod: Pod, { name, securityContext }: Container, { uid }: Identity): string | undefined {
  const mustNot = securityContext?.runAsNonRoot ?? pod.spec.securityContext?.runAsNonRoot;
  if (mustNot !== true || uid !== 0) return undefined;
  const { namespace = '', uid: podUid = '' } = pod.metadata;
  const asked = securityContext?.runAsUser ?? pod.spec.securityContext?.runAsUser;
  const where = `(pod: "${pod.metadata.name}_${namespace}(${podUid})", container: ${name})`;
  return asked === undefined
    ? `container has runAsNonRoot and image will run as root ${where}`
    : `container's runAsUser breaks non-root policy ${where}`;
}

function commandOf(
  container: Container,
  { command, args }: Extract<Environment, { kind: 'env' }>,
  image: Image,
): string[] {
  const hasCommand = (container.command ?? []).length > 0;
  const hasArgs = (container.args ?? []).length > 0;
  const first = hasCommand ? command : image.entrypoint;
  const rest = hasArgs ? args : hasCommand ? [] : image.command;
  return [...first, ...rest];
}

/** What every container has besides its volumes. */
function ownBinds({ terminationMessagePath }: Container, { image, hostsFile, lastWords }: SpecFacts): Bind[] {
  const path = terminationMessagePath ?? '/dev/termination-log';
  return [
    ...image.binds.map((one) => ({ ...one, isReadOnly: true })),
    { source: hostsFile, target: '/etc/hosts', isReadOnly: false },
    ...resolver(),
    { source: lastWords, target: path, isReadOnly: false },
  ];
}

/** Often a link into a folder that containers have for themselves. */
function resolver(): Bind[] {
  try {
    return [{ source: realpathSync('/etc/resolv.conf'), target: '/etc/resolv.conf', isReadOnly: true }];
  } catch {
    return []; // A machine without one has no names to resolve.
  }
}
