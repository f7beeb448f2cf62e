import { bed, needsBed } from '../bed/index.ts';
import { POD_GROUPS, removePods } from './pod-groups.ts';
import { contractSuite } from './suite.ts';

const real = needsBed({ clusters: 1, nodes: true });
contractSuite(POD_GROUPS, {
  title: real.title('a real kubelet'),
  skip: real.missing,
  isReal: true,
  atATime: 16,
  timeoutMs: 60_000,
  after: removePods,
  start: async () => {
    const running = await bed({ clusters: 1, nodes: true });
    const [cluster] = running.clusters;
    if (cluster?.node === undefined) throw new Error('the bed has no node');
    // Node for the cases that need a server.
    await cluster.node.load('headway');
    return {
      endpoint: { server: cluster.server, caPem: cluster.caPem, token: cluster.token },
      [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
    };
  },
});
