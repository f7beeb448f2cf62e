import { describe, expect, it } from 'vitest';
import { proxyFromEnvironment, type Environment } from './proxy.ts';

const proxyFor = (server: string, env: Environment) => proxyFromEnvironment(new URL(server), env);

describe('proxyFromEnvironment', () => {
  it('goes by the scheme of the server', () => {
    const env = { HTTPS_PROXY: 'http://secure:1', HTTP_PROXY: 'http://plain:1' };
    expect(proxyFor('https://a', env)).toBe('http://secure:1');
    expect(proxyFor('http://a', env)).toBe('http://plain:1');
    expect(proxyFor('https://a', {})).toBeUndefined();
    expect(proxyFor('https://a', { HTTPS_PROXY: '' })).toBeUndefined();
  });

  it('knows small letters and a proxy without a scheme', () => {
    expect(proxyFor('https://a', { https_proxy: 'proxy:3128' })).toBe('http://proxy:3128');
    expect(proxyFor('https://a', { HTTPS_PROXY: '', https_proxy: 'proxy:3128' })).toBe('http://proxy:3128');
  });

  it.each(['http://me:hunter2@bad host', 'ftp://me:hunter2@proxy'])('is refused without being quoted: %s', (proxy) => {
    expect(() => proxyFor('https://a', { HTTPS_PROXY: proxy })).toThrow(/^HTTPS_PROXY is no proxy: (?!.*hunter2)/);
  });

  it.each(['https://localhost:6443', 'https://127.0.0.1:6443', 'https://127.8.8.8', 'https://[::1]:6443'])(
    'never stands between us and %s',
    (server) => {
      expect(proxyFor(server, { HTTPS_PROXY: 'http://proxy:1' })).toBeUndefined();
    },
  );

  it.each([
    ['*', 'https://a', true],
    ['example.com', 'https://example.com', true],
    ['example.com', 'https://api.example.com', true],
    ['example.com', 'https://notexample.com', false],
    ['.example.com', 'https://api.example.com', true],
    ['.example.com', 'https://example.com', false],
    ['*.example.com', 'https://api.example.com', true],
    ['EXAMPLE.com', 'https://API.example.COM', true],
    ['example.com:6443', 'https://example.com:6443', true],
    ['example.com:6443', 'https://example.com', false],
    ['example.com:443', 'https://example.com', true],
    ['10.0.0.1', 'https://10.0.0.1:6443', true],
    ['10.0.0.1:6443', 'https://10.0.0.1:6443', true],
    ['10.0.0.1', 'https://10.0.0.10', false],
    ['10.0.0.0/8', 'https://10.200.0.1', true],
    ['10.0.0.0/8', 'https://11.0.0.1', false],
    ['10.0.0.0/99', 'https://10.0.0.1', false],
    ['fd00::/8', 'https://[fd00::1]:6443', true],
    ['fd00::/8', 'https://10.0.0.1', false],
    ['fd00::1', 'https://[fd00::1]', true],
    [' a , , b ', 'https://b', true],
    ['', 'https://b', false],
  ])('NO_PROXY=%s lets %s go direct: %s', (exceptions, server, direct) => {
    const proxy = proxyFor(server, { HTTPS_PROXY: 'http://proxy:1', NO_PROXY: exceptions });
    expect(proxy === undefined).toBe(direct);
  });
});
