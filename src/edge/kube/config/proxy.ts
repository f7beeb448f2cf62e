import { BlockList, isIP } from 'node:net';
import { AppError } from '../../../base/index.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a server, chosen as in Go: HTTPS_PROXY or HTTP_PROXY by the server's scheme, unless NO_PROXY names the
 * host. Loopback is never reached through a proxy from the environment.
 */
export function proxyFromEnvironment(server: URL, env: Environment): string | undefined {
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = read(env, name);
  if (proxy === undefined) return undefined;
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = server.port === '' ? (server.protocol === 'https:' ? '443' : '80') : server.port;
  if (host === 'localhost' || host === '::1' || /^127\./.test(host)) return undefined;
  const exceptions = (read(env, 'NO_PROXY') ?? '').split(',').map((text) => text.trim().toLowerCase());
  if (exceptions.some((exception) => exception !== '' && covers(exception, host, port))) return undefined;
  return requireProxyUrl(proxy, name);
}

/** Without a scheme it is http. A wrong value is not shown, because it may contain a password. */
export function requireProxyUrl(text: string, where: string): string {
  const proxy = text.includes('://') ? text : `http://${text}`;
  if (['http:', 'https:', 'socks5:'].includes(URL.parse(proxy)?.protocol ?? '')) return proxy;
  throw new AppError('invalidConfig', `${where} is no proxy: expected a URL that starts with http, https or socks5`);
}

function read(env: Environment, name: string): string | undefined {
  // Go skips an empty variable and uses the other spelling.
  return [env[name], env[name.toLowerCase()]].find((value) => value !== undefined && value !== '');
}

/**
 * `*`, an address, a CIDR, `example.com` (and subdomains), `.example.com` (subdomains only); names with or without a
 * port.
 */
function covers(exception: string, host: string, port: string): boolean {
  if (exception === '*') return true;
  if (exception.includes('/')) return isIP(host) !== 0 && inSubnet(exception, host);
  if (isIP(exception) !== 0) return exception === host;
  const [, name = exception, onlyPort] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(exception) ?? [];
  if (onlyPort !== undefined && onlyPort !== port) return false;
  if (isIP(name) !== 0) return name === host;
  const suffix = name.replace(/^\*?\.?/, '.');
  return host.endsWith(suffix) || (suffix === `.${name}` && host === name);
}

function inSubnet(cidr: string, host: string): boolean {
  const [network = '', bits = ''] = cidr.split('/');
  const version = isIP(network);
  if (version === 0 || version !== isIP(host) || !/^\d{1,3}$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) {
    return false;
  }
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const subnet = new BlockList();
  subnet.addSubnet(network, Number(bits), family);
  return subnet.check(host, family);
}
