import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PassThrough, type Duplex } from 'node:stream';
import fc from 'fast-check';
import { constants, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { eventually } from '../../../../test/eventually.ts';
import { chooseContainer } from './choose-container.ts';
import { logQuery } from './log-query.ts';
import { carryPorts } from './port-channels.ts';
import { SPDY_DICTIONARY } from './spdy/dictionary.ts';
import { controlFrame, dataFrame, FrameReader, streamOf, TYPE } from './spdy/frames.ts';
import { HeaderReader } from './spdy/headers.ts';

const pod = (containers: string[], initContainers: string[] = []) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: containers.map((name) => ({ name })), initContainers: initContainers.map((name) => ({ name })) },
});

describe('chooseContainer', () => {
  it('takes the only one, or the one that was named', () => {
    expect(chooseContainer(pod(['a'], ['i']), '')).toBe('a');
    expect(chooseContainer(pod(['a', 'b'], ['i']), 'i')).toBe('i');
  });
  it('says which there are', () => {
    expect(() => chooseContainer(pod(['a', 'b'], ['i']), '')).toThrow(
      'choose one of: [a b] or one of the init containers: [i]',
    );
    expect(() => chooseContainer(pod(['a']), 'z')).toThrow('container z is not valid for pod p');
  });
});

describe('logQuery', () => {
  const query = (text: string) => logQuery(new URLSearchParams(text), 'p');
  it('reads what is asked for', () => {
    expect(query('follow=true&tailLines=0&limitBytes=5&timestamps=1&stream=Stderr')).toEqual({
      follow: true,
      previous: false,
      withTimes: true,
      tailLines: 0,
      limitBytes: 5,
      stream: 'stderr',
    });
  });
  it.each([
    'tailLines=-1',
    'limitBytes=0',
    'sinceSeconds=0',
    'tailLines=x',
    'sinceTime=now',
    'sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z',
  ])('refuses %s', (text) => {
    expect(() => query(text)).toThrow();
  });
});

describe('carryPorts', () => {
  /** Both ends of a websocket. */
  async function sockets() {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const [[served]] = (await Promise.all([once(server, 'connection'), once(client, 'open')])) as [
      [WebSocket],
      unknown,
    ];
    const end = () => {
      client.terminate();
      server.close();
    };
    return { client, served, [Symbol.dispose]: end };
  }

  it('closes a connection that comes up after its client has left', async () => {
    using pair = await sockets();
    const { promise, resolve } = Promise.withResolvers<Duplex>();
    const carried = carryPorts(pair.served, [80], () => promise);
    pair.client.terminate();
    await eventually(() => {
      pair.served.resume();
      expect(pair.served.readyState).toBe(WebSocket.CLOSED);
    });
    const connection = new PassThrough();
    resolve(connection);
    await carried;
    expect(connection.destroyed).toBe(true);
  });

  it('passes on what came early, and forgets what is for a port that cannot be had', async () => {
    using pair = await sockets();
    const heard = ['', '', '', ''];
    pair.client.on('message', (data: Buffer) => {
      const [channel = 0] = data;
      heard[channel] = `${heard[channel] ?? ''}${data.subarray(1).toString('latin1')}`;
    });
    const connection = new PassThrough();
    const { promise, resolve } = Promise.withResolvers<Duplex>();
    const carried = carryPorts(pair.served, [80, 81], (port) =>
      port === 80 ? promise : Promise.reject(new Error('nobody listens')),
    );
    for (const channel of [0, 2, 0]) pair.client.send(Buffer.concat([Buffer.of(channel), Buffer.from('hi')]));
    resolve(connection);
    await eventually(() => {
      expect(heard).toEqual(['P\0hihi', 'P\0', 'Q\0', 'Q\0nobody listens']);
    });
    connection.end();
    await carried;
  });
});

describe('SPDY', () => {
  it('has the dictionary of the drafts', () => {
    const digest = createHash('sha256').update(SPDY_DICTIONARY).digest('hex');
    expect(digest).toBe('51d27341373f923f3cd88e1eb7162aeaa3723d7585ff2399201dc06498407f02');
  });

  it('puts frames together from whatever pieces they come in', () => {
    const sent = Buffer.concat([
      dataFrame(5, Buffer.from('hello'), false),
      controlFrame(TYPE.ping, Buffer.of(0, 0, 0, 9)),
      dataFrame(7, Buffer.alloc(0), true),
    ]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 40, maxLength: 40 }), (sizes) => {
        const reader = new FrameReader();
        let at = 0;
        const frames = sizes.flatMap((size) => {
          const piece = sent.subarray(at, (at += size));
          return reader.read(piece);
        });
        frames.push(...reader.read(sent.subarray(at)));
        expect(frames).toMatchObject([
          { kind: 'data', stream: 5, isLast: false },
          { kind: 'control', type: TYPE.ping },
          { kind: 'data', stream: 7, isLast: true },
        ]);
        const [, ping] = frames;
        expect(ping?.kind === 'control' ? streamOf(ping.payload) : 0).toBe(9);
      }),
    );
  });

  it('refuses what is no SPDY, and frames without end', () => {
    expect(() => new FrameReader().read(Buffer.from('800200010000000000', 'hex'))).toThrow('version 2');
    expect(() => new FrameReader().read(Buffer.from('0000000100ffffff', 'hex'))).not.toThrow();
  });

  it('reads headers, whatever case their names are in', async () => {
    const pairs = [
      ['streamType', 'data'],
      ['port', '8080'],
    ];
    const text = (word: string) => Buffer.concat([length(word.length), Buffer.from(word)]);
    const plain = Buffer.concat([length(pairs.length), ...pairs.flat().map(text)]);
    const block = deflateSync(plain, { dictionary: SPDY_DICTIONARY, finishFlush: constants.Z_SYNC_FLUSH });
    const headers = await new HeaderReader().read(block);
    expect([...headers]).toEqual([
      ['streamtype', 'data'],
      ['port', '8080'],
    ]);
    await expect(new HeaderReader().read(Buffer.from('nonsense'))).rejects.toThrow();
  });
});

function length(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}
