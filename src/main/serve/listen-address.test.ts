import { expect, it } from 'vitest';
import { parseListen } from './listen-address.ts';

it('reads a host and a port', () => {
  expect(parseListen('127.0.0.1:7443')).toEqual({ host: '127.0.0.1', port: 7443 });
  expect(parseListen('[::1]:0')).toEqual({ host: '::1', port: 0 });
  expect(parseListen('localhost:65535')).toEqual({ host: 'localhost', port: 65_535 });
});

it.each(['', '7443', ':7443', 'host:', 'host:99999', '::1:80', 'host:http'])(
  'refuses %j and says what it wants',
  (text) => {
    expect(() => parseListen(text)).toThrow('expected HOST:PORT such as 127.0.0.1:7443');
  },
);
