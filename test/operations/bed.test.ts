import { describe } from 'vitest';
import { bed, needsBed } from '../bed/index.ts';
import { operationsSuite } from './suite.ts';

const need = needsBed({ clusters: 1 });
describe.skipIf(need.missing)(need.title('operations on a real API server'), () => {
  operationsSuite(async () => {
    const place = await bed({ clusters: 1 });
    return {
      kubeconfig: place.kubeconfig,
      kubectl: place.bin('kubectl'),
      [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
    };
  });
});
