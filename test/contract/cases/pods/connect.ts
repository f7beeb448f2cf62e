import type { CaseGroup } from '../../case.ts';
import { forwarded, talk } from '../../streams.ts';
import { ask } from '../objects.ts';
import { type Fields, isOver, isReady, log, node, path, podOf, saying, seen, sh, start, waiting } from './objects.ts';

const IP = { env: [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }] };
/** It listens where other pods look for it, and where a forwarded port does; both may be the same. */
const GREETER = `for (const host of [process.env.IP, '127.0.0.1']) {
  const greet = (socket) => socket.on('error', () => undefined).end('greetings');
  require('net').createServer(greet).on('error', () => undefined).listen(8080, host);
}`;
const greeter = (): Fields =>
  podOf(
    node(GREETER, { ...IP, readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1, failureThreshold: 30 } }),
  );

/** Attach, forwarded ports and addresses. */
export const podConnect: CaseGroup = {
  group: 'pods-connect',
  cases: [
    ask('attached to what runs', async (stage) => {
      await start(stage, podOf(sh('read line; echo "got $line"; exit 2', { stdin: true, stdinOnce: true })), isReady);
      const heard = await talk(stage.api, path(stage, 'p', 'attach'), { input: 'x\n' });
      const { status } = await seen(stage, isOver);
      return [heard, status.phase, await log(stage)];
    }),
    ask('attached until the input ends', async (stage) => {
      await start(stage, podOf(sh('cat; echo over', { stdin: true, stdinOnce: true })), isReady);
      const heard = await talk(stage.api, path(stage, 'p', 'attach'), { input: 'one\ntwo\n' });
      return [heard, (await seen(stage, isOver)).status.phase];
    }),
    ask('attached to a terminal', async (stage) => {
      const script = '[ -t 0 ] && read line && echo "got $line"';
      await start(stage, podOf(sh(script, { stdin: true, stdinOnce: true, tty: true })), isReady);
      return await talk(stage.api, path(stage, 'p', 'attach'), { input: 'x\n', tty: true });
    }),
    ask('attached to listen only', async (stage) => {
      await start(stage, podOf(sh('while [ ! -f /tmp/go ]; do sleep 0.1; done; echo gone')), isReady);
      const listening = talk(stage.api, path(stage, 'p', 'attach'));
      await talk(stage.api, path(stage, 'p', 'exec'), { command: ['sh', '-c', 'sleep 0.5; touch /tmp/go'] });
      return await listening;
    }),
    ask('attached to a pod that is over', async (stage) => {
      await start(stage, podOf(sh('exit 0')), isOver);
      return await talk(stage.api, path(stage, 'p', 'attach'));
    }),
    ask('attached to a container that is not there', async (stage) => {
      await start(stage, podOf(waiting()), isReady);
      return await talk(stage.api, path(stage, 'p', 'attach'), { container: 'nope' });
    }),
    ask('a port that is forwarded', async (stage) => {
      await start(stage, greeter(), isReady);
      return await forwarded(stage.api, path(stage, 'p', 'portforward'), 8080, 'x');
    }),
    ask('a port of a pod that is over', async (stage) => {
      await start(stage, podOf(sh('exit 0')), isOver);
      return await forwarded(stage.api, path(stage, 'p', 'portforward'), 8080, 'x');
    }),
    ask('a port of a pod that is not there', (stage) =>
      forwarded(stage.api, path(stage, 'nope', 'portforward'), 8080, 'x'),
    ),
    ask('addresses of a pod', async (stage) => {
      const { spec, status } = await start(stage, podOf(waiting()), isReady);
      const other = await start(stage, podOf(waiting(), {}, { name: 'q' }), isReady);
      const { body } = await stage.api.get(`/api/v1/nodes/${spec.nodeName ?? ''}`);
      const { addresses } = (body as { status: { addresses: { type: string; address: string }[] } }).status;
      const { podIPs, hostIPs } = status as unknown as Record<string, { ip: string }[]>;
      return {
        own: status.podIP !== other.status.podIP,
        podIPs: podIPs?.map(({ ip }) => ip === status.podIP),
        hostIPs: hostIPs?.map(({ ip }) => ip === status.hostIP),
        hostIP: addresses.some(({ type, address }) => type === 'InternalIP' && address === status.hostIP),
      };
    }),
    ask('a pod is reached by another', async (stage) => {
      const { status } = await start(stage, greeter(), isReady);
      const client = `require('net').connect(8080, '${status.podIP ?? ''}').on('data', (d) => console.log(String(d)));`;
      await start(stage, podOf(node(client), {}, { name: 'client' }), isOver);
      return await log(stage, {}, 'client');
    }),
    ask('the network of the node', async (stage) => {
      const { status } = await start(stage, podOf(waiting(), { hostNetwork: true }), isReady);
      return status.podIP === status.hostIP;
    }),
    {
      name: 'SPDY',
      pocketDiffers:
        'Refused with 400: clients of today speak over websockets, and kubectl falls back to nothing else.',
      run: async (stage) => {
        await start(stage, podOf(waiting()), isReady);
        return await stage.api.upgrade(path(stage, 'p', 'exec'), 'SPDY/3.1', {
          query: { command: 'ls', stdout: 'true' },
          headers: { 'x-stream-protocol-version': 'v4.channel.k8s.io' },
        });
      },
    },
    {
      name: 'ephemeral containers',
      pocketDiffers: 'Not served: what runs in a pod is known when it is created.',
      run: async (stage) => {
        await start(stage, podOf(waiting()), isReady);
        const ephemeralContainers = [{ ...sh('echo guest'), name: 'guest' }];
        const { status } = await stage.api.patch(path(stage, 'p', 'ephemeralcontainers'), 'strategic-merge', {
          spec: { ephemeralContainers },
        });
        return status;
      },
    },
    ask('the image of Headway', (stage) =>
      saying(
        stage,
        podOf({ ...sh(''), image: 'headway:dev', command: ['sh', '-c', 'node -p "1+1"; headway --version'] }),
      ),
    ),
  ],
};
