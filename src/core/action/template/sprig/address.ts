import { FunctionProblem } from '../problem.ts';
import { fromBytes, toBytes } from '../value/go-text.ts';

/** A URL in the parts that sprig shows. The path is as it is meant, not as it is written; the query is as written. */
export interface Address {
  scheme: string;
  opaque: string;
  userinfo: string;
  host: string;
  path: string;
  query: string;
  fragment: string;
}

/** What each part of a URL may contain without being escaped, besides letters, digits and -_.~ */
const PLAIN = {
  host: /[!$&'()*+,;=:[\]<>"]/,
  path: /[$&+,/:;=@]/,
  user: /[;&=+$,]/,
  fragment: /[$&+,/:;=?@!()*]/,
} as const;
type Part = keyof typeof PLAIN;

const USERINFO = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const IPV6 = /^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%.+)?$/;

/** What is wrong with the URL; it never leaves this file. */
class BadUrl extends Error {}

/** As net/url reads it, or what is wrong with it. */
export function parseUrl(source: string): Address | string {
  try {
    return parse(source);
  } catch (error) {
    if (error instanceof BadUrl) return error.message;
    throw error;
  }
}

function parse(source: string): Address {
  const [before, fragment] = cut(source, '#');
  if (/[\0-\x1f\x7f]/.test(before)) throw new BadUrl('net/url: invalid control character in URL');
  const empty = { opaque: '', userinfo: '', host: '', path: '', query: '' };
  const shared = { scheme: '', fragment: unescaped(fragment, 'fragment') };
  if (before === '*') return { ...empty, ...shared, path: '*' };
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*(?=:)/.exec(before)?.[0] ?? '';
  if (before.startsWith(':')) throw new BadUrl('missing protocol scheme');
  shared.scheme = scheme.toLowerCase();
  const [rest, query] = cut(scheme === '' ? before : before.slice(scheme.length + 1), '?');
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...empty, ...shared, opaque: rest, query };
    if (cut(rest, '/')[0].includes(':')) throw new BadUrl('first path segment in URL cannot contain colon');
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'));
  if (!hasAuthority) return { ...empty, ...shared, path: unescaped(rest, 'path'), query };
  const slash = rest.indexOf('/', 2);
  const authority = rest.slice(2, slash < 0 ? rest.length : slash);
  const path = unescaped(slash < 0 ? '' : rest.slice(slash), 'path');
  return { ...empty, ...shared, ...parseAuthority(authority, shared.scheme), path, query };
}

function cut(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

function parseAuthority(authority: string, scheme: string): { userinfo: string; host: string } {
  const at = authority.lastIndexOf('@');
  const host = parseHost(authority.slice(at + 1), scheme);
  if (at < 0) return { userinfo: '', host };
  return { userinfo: rewrittenUser(authority.slice(0, at)), host };
}

/** Escaped anew, as it is printed. */
function rewrittenUser(userinfo: string): string {
  if (!USERINFO.test(userinfo)) throw new BadUrl('net/url: invalid userinfo');
  const [name, password] = cut(userinfo, ':');
  const write = (part: string): string => escaped(unescaped(part, 'user'), 'user');
  return userinfo.includes(':') ? `${write(name)}:${write(password)}` : write(name);
}

function parseHost(host: string, scheme: string): string {
  const open = host.lastIndexOf('[');
  if (open > 0) throw new BadUrl('invalid IP-literal');
  const close = host.lastIndexOf(']');
  if (open === 0 && close < 0) throw new BadUrl("missing ']' in host");
  const isWeb = scheme === 'http' || scheme === 'https';
  const colon = open === 0 ? close + 1 : isWeb ? host.indexOf(':') : host.lastIndexOf(':');
  const port = colon < 0 ? '' : host.slice(colon);
  if (!/^(?::\d*)?$/.test(port)) throw new BadUrl(`invalid port ${JSON.stringify(port)} after host`);
  if (open === 0 && !IPV6.test(host.slice(1, close))) throw new BadUrl('invalid host');
  return unescaped(host, 'host');
}

function unescaped(text: string, part: Part): string {
  const bytes: number[] = [];
  for (let at = 0; at < text.length;) {
    const character = String.fromCodePoint(Number(text.codePointAt(at)));
    if (character === '%') {
      const code = /^%[0-9A-Fa-f]{2}/.exec(text.slice(at, at + 3))?.[0];
      const isAllowed = code !== undefined && (part !== 'host' || code === '%25' || /^%[89A-Fa-f]/.test(code));
      if (!isAllowed) throw new BadUrl(`invalid URL escape ${JSON.stringify(code ?? text.slice(at, at + 3))}`);
      bytes.push(Number.parseInt(code.slice(1), 16));
      at += 3;
    } else {
      const isOdd = part === 'host' && character < '\x80' && !/[A-Za-z0-9\-_.~]/.test(character);
      if (isOdd && !PLAIN.host.test(character)) {
        throw new BadUrl(`invalid character ${JSON.stringify(character)} in host name`);
      }
      bytes.push(...toBytes(character));
      at += character.length;
    }
  }
  return fromBytes(Uint8Array.from(bytes));
}

function escaped(text: string, part: Part): string {
  return Array.from(toBytes(text), (byte) => {
    const character = String.fromCharCode(byte);
    if (/[A-Za-z0-9\-_.~]/.test(character) || (byte < 0x80 && PLAIN[part].test(character))) return character;
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

/** As net/url writes it. */
export function writeUrl(url: Address): string {
  const { scheme, opaque, query, fragment } = url;
  const start = scheme === '' ? '' : `${scheme}:`;
  const rest = opaque === '' ? hierarchy(url, start === '') : opaque;
  return (
    start + rest + (query === '' ? '' : `?${query}`) + (fragment === '' ? '' : `#${escaped(fragment, 'fragment')}`)
  );
}

/** Host and path. */
function hierarchy({ scheme, userinfo, host, path }: Address, isFirst: boolean): string {
  const hasHost = host !== '' || userinfo !== '' || (scheme !== '' && path !== '');
  const user = userinfo === '' ? '' : `${reread(userinfo)}@`;
  const authority = (hasHost ? '//' : '') + user + escaped(host, 'host');
  const written = path === '*' ? path : escaped(path, 'path');
  const slash = written !== '' && !written.startsWith('/') && host !== '' ? '/' : '';
  // Else its first part would be taken for a scheme.
  const dot = isFirst && authority + slash === '' && cut(written, '/')[0].includes(':') ? './' : '';
  return authority + slash + dot + written;
}

/** Given as it stands in a URL. */
function reread(userinfo: string): string {
  const url = parseUrl(`proto://${userinfo}@host`);
  if (typeof url === 'string') throw new FunctionProblem(`unable to parse userinfo in dict: ${url}`);
  return url.userinfo;
}
