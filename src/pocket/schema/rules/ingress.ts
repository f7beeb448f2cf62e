import { isIP } from 'node:net';
import { isObject, objectsAt, valueAt, type Json, type JsonObject } from '../../../base/index.ts';
import { invalid, required, type FieldError } from '../field-error.ts';
import { dnsLabel, qualifiedName, subdomain, wildcardSubdomain } from './names.ts';
import { immutable, notOneOf, portNumber, stringAt, type Rule } from './rule.ts';

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
const NOT_IN_A_PATH = ['//', '/./', '/../', '%2f', '%2F'];

function hostErrors(host: string, field: string): FieldError[] {
  if (isIP(host) !== 0) return [invalid(field, host, 'must be a DNS name, not an IP address')];
  const rule = host.includes('*') ? wildcardSubdomain : subdomain;
  return rule(host).map((error) => invalid(field, host, error));
}

function validateBackend(backend: Json | undefined, field: string): FieldError[] {
  const service = valueAt(backend, 'service');
  const hasResource = isObject(valueAt(backend, 'resource'));
  if (hasResource && isObject(service)) {
    return [invalid(field, '', 'cannot set both resource and service backends')];
  }
  if (hasResource) return [];
  if (!isObject(service)) return [invalid(field, '', 'resource or service backend is required')];
  const name = stringAt(service, 'name');
  const portName = stringAt(service, 'port', 'name');
  const number = valueAt(service, 'port', 'number') ?? 0;
  const place = `${field}.service`;
  const names =
    name === '' ? [required(`${place}.name`)] : dnsLabel(name).map((why) => invalid(`${place}.name`, name, why));
  if (portName !== '' && number !== 0) return [...names, invalid(field, '', 'cannot set both port name & port number')];
  if (portName === '' && number === 0) return [...names, required(field, 'port name or number is required')];
  return [...names, ...(portName === '' ? portNumber(number, `${place}.port.number`) : [])];
}

function validatePath(path: JsonObject, field: string): FieldError[] {
  const text = stringAt(path, 'path');
  const type = stringAt(path, 'pathType');
  const at = `${field}.path`;
  const isExact = type === 'Exact' || type === 'Prefix';
  return [
    ...(type === ''
      ? [required(`${field}.pathType`, 'pathType must be specified')]
      : notOneOf(type, `${field}.pathType`, PATH_TYPES)),
    ...((isExact || text !== '') && !text.startsWith('/') ? [invalid(at, text, 'must be an absolute path')] : []),
    ...(isExact
      ? NOT_IN_A_PATH.filter((part) => text.includes(part)).map((part) =>
          invalid(at, text, `must not contain '${part}'`),
        )
      : []),
    ...validateBackend(path['backend'], `${field}.backend`),
  ];
}

function validateRules(object: JsonObject): FieldError[] {
  return objectsAt(object, 'spec', 'rules').flatMap((rule, index) => {
    const field = `spec.rules[${index}]`;
    const host = stringAt(rule, 'host');
    const paths = objectsAt(rule, 'http', 'paths');
    return [
      ...(host === '' ? [] : hostErrors(host, `${field}.host`)),
      ...(isObject(rule['http']) && paths.length === 0 ? [required(`${field}.http.paths`)] : []),
      ...paths.flatMap((path, at) => validatePath(path, `${field}.http.paths[${at}]`)),
    ];
  });
}

function validateTls(object: JsonObject): FieldError[] {
  return objectsAt(object, 'spec', 'tls').flatMap((tls, index) => {
    const hosts = Array.isArray(tls['hosts']) ? tls['hosts'].filter((host) => typeof host === 'string') : [];
    return hosts.flatMap((host, at) => {
      const rule = host.includes('*') ? wildcardSubdomain : subdomain;
      return rule(host).map((why) => invalid(`spec.tls[${index}].hosts[${at}]`, host, why));
    });
  });
}

export const ingressRule: Rule = (object) => {
  const backend = valueAt(object, 'spec', 'defaultBackend');
  const hasRules = objectsAt(object, 'spec', 'rules').length > 0;
  const className = stringAt(object, 'spec', 'ingressClassName');
  const detail = 'either `defaultBackend` or `rules` must be specified';
  return [
    ...(hasRules || backend !== undefined ? [] : [invalid('spec', null, detail)]),
    ...validateTls(object),
    ...validateRules(object),
    ...(backend === undefined ? [] : validateBackend(backend, 'spec.defaultBackend')),
    ...(className === '' ? [] : subdomain(className).map((why) => invalid('spec.ingressClassName', className, why))),
  ];
};

export const ingressClassRule: Rule = (object, old) => {
  const controller = stringAt(object, 'spec', 'controller');
  const isPath = controller.includes('/') && qualifiedName(controller).length === 0;
  const wrong = invalid('spec.controller', controller, 'must be a domain-prefixed path (such as "acme.io/foo")');
  return [
    ...(controller === '' ? [required('spec.controller')] : isPath ? [] : [wrong]),
    ...immutable(object, old, ['spec', 'controller']),
  ];
};
