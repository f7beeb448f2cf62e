import type { ConfigMap, Container, EnvSource, Pod, Secret, Service } from '../../controllers/kinds/index.ts';
import { expand } from './expand.ts';
import { podField } from './pod-fields.ts';
import { resourceField, type NodeSize } from './resource-fields.ts';
import { serviceLinks } from './service-links.ts';

/** What a container's environment is made from. */
export interface EnvView {
  configMap(name: string): ConfigMap | undefined;
  secret(name: string): Secret | undefined;
  services(): readonly Service[];
  podIP: string;
  node: NodeSize;
  /** Of the image. */
  imageEnv: Readonly<Record<string, string>>;
}

export type Environment =
  | { kind: 'env'; env: Record<string, string>; command: string[]; args: string[]; skipped: string[] }
  /** What keeps the container from being created, in the words of a kubelet. */
  | { kind: 'problem'; message: string };

/** Names that a shell hands on; the launcher is one, so others cannot get past it. */
const CARRIED = /^[A-Za-z_][A-Za-z0-9_]*$/;

class Missing extends Error {}

/** The variables of a container, and its words with them filled in. */
export function environmentOf(pod: Pod, container: Container, view: EnvView): Environment {
  try {
    const { namespace = '' } = pod.metadata;
    const links = serviceLinks(view.services(), namespace, pod.spec.enableServiceLinks !== false);
    const own: Record<string, string> = {};
    for (const source of container.envFrom ?? []) Object.assign(own, fromAll(source, view));
    const valueOf = (name: string): string | undefined => own[name] ?? links[name];
    for (const { name, value, valueFrom } of container.env ?? []) {
      const given = valueFrom === undefined ? expand(value ?? '', valueOf) : fromOne(pod, container, valueFrom, view);
      if (given !== undefined) own[name] = given;
    }
    const all = { ...view.imageEnv, HOSTNAME: hostnameOf(pod), ...links, ...own };
    const fill = (words: readonly string[] = []): string[] => words.map((word) => expand(word, valueOf));
    return {
      kind: 'env',
      env: Object.fromEntries(Object.entries(all).filter(([name]) => CARRIED.test(name))),
      command: fill(container.command),
      args: fill(container.args),
      skipped: Object.keys(all).filter((name) => !CARRIED.test(name)),
    };
  } catch (error) {
    if (error instanceof Missing) return { kind: 'problem', message: error.message };
    throw error;
  }
}

/** A name that is no host name is cut to one, as a kubelet does. */
export function hostnameOf({ metadata, spec }: Pod): string {
  const name = spec.hostname ?? '';
  return (name === '' ? metadata.name : name).slice(0, 63).replace(/[-.]+$/, '');
}

function fromAll(source: NonNullable<Container['envFrom']>[number], view: EnvView): Record<string, string> {
  const { prefix = '', configMapRef, secretRef } = source;
  const data =
    configMapRef === undefined
      ? secretData(secretRef?.name ?? '', secretRef?.optional, view)
      : configMapData(configMapRef.name, configMapRef.optional, view);
  return Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [`${prefix}${key}`, value]));
}

function fromOne(pod: Pod, container: Container, source: EnvSource, view: EnvView): string | undefined {
  const { configMapKeyRef, secretKeyRef, fieldRef, resourceFieldRef } = source;
  const { namespace = '' } = pod.metadata;
  if (configMapKeyRef !== undefined) {
    const { name, key, optional } = configMapKeyRef;
    return chosen(configMapData(name, optional, view), key, optional, `ConfigMap ${namespace}/${name}`);
  }
  if (secretKeyRef !== undefined) {
    const { name, key, optional } = secretKeyRef;
    return chosen(secretData(name, optional, view), key, optional, `Secret ${namespace}/${name}`);
  }
  if (fieldRef !== undefined) {
    const { fieldPath } = fieldRef;
    return podField(pod, fieldPath, view.podIP) ?? missing(`unsupported fieldPath: ${fieldPath}`);
  }
  if (resourceFieldRef !== undefined) {
    const { containerName = container.name } = resourceFieldRef;
    const all = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
    const of = all.find(({ name }) => name === containerName) ?? missing(`container ${containerName} not found`);
    const { resource } = resourceFieldRef;
    return resourceField(of, resourceFieldRef, view.node) ?? missing(`unsupported container resource : ${resource}`);
  }
  return undefined;
}

function chosen(
  data: Record<string, string> | undefined,
  key: string,
  optional: boolean | undefined,
  where: string,
): string | undefined {
  if (data === undefined) return undefined;
  if (Object.hasOwn(data, key)) return data[key];
  return optional === true ? undefined : missing(`couldn't find key ${key} in ${where}`);
}

function configMapData(name: string, optional: boolean | undefined, view: EnvView): Record<string, string> | undefined {
  const found = view.configMap(name);
  if (found !== undefined) return found.data ?? {};
  return optional === true ? undefined : missing(`configmap "${name}" not found`);
}

function secretData(name: string, optional: boolean | undefined, view: EnvView): Record<string, string> | undefined {
  const found = view.secret(name);
  if (found === undefined) return optional === true ? undefined : missing(`secret "${name}" not found`);
  const entries = Object.entries(found.data ?? {});
  return Object.fromEntries(entries.map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]));
}

function missing(message: string): never {
  throw new Missing(message);
}
