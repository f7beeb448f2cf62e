import { servedPocket } from '../served-cluster.ts';
import { ALL_CASES, stockSuite } from './stock-suite.ts';

stockSuite({
  target: 'pocket',
  start: servedPocket,
  cases: ALL_CASES,
  differs: {
    'locations: expected true, got false': 'its location is a directory, and the stock CLI says so',
    'a2.0.3.2: expected 31143, got true': 'without managedFields a port that was created is not known to be chosen',
  },
});
