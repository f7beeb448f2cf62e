import type { Service } from '../../controllers/kinds/index.ts';

/** The variables by which programs find services, since the first days of Docker: those of the namespace, and the API. */
export function serviceLinks(
  services: readonly Service[],
  podNamespace: string,
  withLinks: boolean,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const service of services) {
    const { name, namespace } = service.metadata;
    const isApi = name === 'kubernetes' && namespace === 'default';
    if (isApi || (withLinks && namespace === podNamespace)) Object.assign(env, linksOf(service));
  }
  return env;
}

function linksOf({ metadata, spec }: Service): Record<string, string> {
  const ip = spec?.clusterIP ?? '';
  const ports = spec?.ports ?? [];
  const [first] = ports;
  if (ip === '' || ip === 'None' || first === undefined) return {};
  const prefix = variableName(metadata.name);
  const env: Record<string, string> = {
    [`${prefix}_SERVICE_HOST`]: ip,
    [`${prefix}_SERVICE_PORT`]: String(first.port),
  };
  for (const { name, port } of ports) {
    if (name !== undefined && name !== '') env[`${prefix}_SERVICE_PORT_${variableName(name)}`] = String(port);
  }
  for (const [index, { port, protocol = 'TCP' }] of ports.entries()) {
    const kind = protocol.toLowerCase();
    const address = `${kind}://${ip}:${port}`;
    const own = `${prefix}_PORT_${port}_${protocol.toUpperCase()}`;
    if (index === 0) env[`${prefix}_PORT`] = address;
    Object.assign(env, { [own]: address, [`${own}_PROTO`]: kind, [`${own}_PORT`]: String(port), [`${own}_ADDR`]: ip });
  }
  return env;
}

function variableName(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}
