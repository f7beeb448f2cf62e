import { bed, needsBed } from '../bed/index.ts';
import { GROUPS } from './groups.ts';
import { contractSuite } from './suite.ts';

const real = needsBed({ clusters: 1 });
contractSuite(GROUPS, {
  title: real.title('the real kube-apiserver'),
  skip: real.missing,
  isReal: true,
  start: async () => {
    const running = await bed({ clusters: 1 });
    const [cluster] = running.clusters;
    if (cluster === undefined) throw new Error('the bed has no cluster');
    return {
      endpoint: { server: cluster.server, caPem: cluster.caPem, token: cluster.token },
      [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
    };
  },
});
