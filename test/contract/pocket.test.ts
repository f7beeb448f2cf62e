import { GROUPS } from './groups.ts';
import { startedPocket } from './pocket.ts';
import { contractSuite } from './suite.ts';

contractSuite(GROUPS, { title: 'the pocket cluster', skip: false, isReal: false, start: () => startedPocket() });
